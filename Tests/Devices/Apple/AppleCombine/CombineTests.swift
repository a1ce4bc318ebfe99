import AppleCombine
import AppleFoundation
import DeviceChamber
import Testing

/// The part of Combine that session code uses, on our queues.
struct CombineTests {
    private final class Model: ObservableObject {
        @Published var name = "a"
        @Published var count = 0
    }

    @Test func aPublishedValueIsToldBeforeThePropertyHasIt() {
        let model = Model()
        var told: [String] = []
        var bag: Set<AnyCancellable> = []
        model.$name.sink { told.append("\($0) while \(model.name)") }.store(in: &bag)
        model.objectWillChange.sink { told.append("will change") }.store(in: &bag)
        model.name = "b"
        model.count = 1
        #expect(told == ["a while a", "will change", "b while a", "will change"])
        bag = []
        model.name = "c"
        #expect(told.count == 4)
    }

    @Test func operatorsChangeWhatComes() {
        let subject = PassthroughSubject<Int, Never>()
        var told: [String] = []
        var bag: Set<AnyCancellable> = []
        subject.removeDuplicates().map { $0 * 2 }.filter { $0 > 2 }.scan(0, +)
            .sink { told.append("sum \($0)") }.store(in: &bag)
        subject.combineLatest(Just("x")).prefix(2).collect()
            .sink { told.append("\($0)") }.store(in: &bag)
        subject.compactMap { $0 == 2 ? nil : $0 }.dropFirst().first()
            .sink(
                receiveCompletion: { told.append("\($0)") }, receiveValue: { told.append("\($0)") }
            )
            .store(in: &bag)
        for number in [1, 2, 2, 3] { subject.send(number) }
        subject.send(completion: .finished)
        #expect(
            told == ["sum 4", "[(1, \"x\"), (2, \"x\")]", "sum 10", "3", "finished"])
    }

    @Test func timeIsThatOfTheQueues() throws {
        let bench = try AppBench()
        var told: [String] = []
        var bag: Set<AnyCancellable> = []
        let subject = PassthroughSubject<Int, Never>()
        bench.app {
            subject.debounce(for: .milliseconds(100), scheduler: DispatchQueue.main)
                .sink { told.append("rest \($0)") }.store(in: &bag)
            subject.receive(on: RunLoop.main).sink { told.append("later \($0)") }.store(in: &bag)
            subject.throttle(for: 1, scheduler: DispatchQueue.main, latest: true)
                .sink { told.append("throttled \($0)") }.store(in: &bag)
            Timer.publish(every: 0.5, on: .main, in: .common).autoconnect().prefix(2)
                .sink { _ in told.append("tick") }.store(in: &bag)
            subject.send(1)
            subject.send(2)
        }
        bench.wait(.seconds(3))
        #expect(
            told == [
                "throttled 1", "later 1", "later 2", "rest 2", "tick", "tick", "throttled 2",
            ])
    }

    @Test func aFutureKeepsItsResultAndFailuresAreReplaced() {
        struct Broken: Error {}
        var told: [String] = []
        let future = Future<Int, Broken> { $0(.success(7)) }
        let one = future.sink(receiveCompletion: { _ in }, receiveValue: { told.append("\($0)") })
        let two = Fail<Int, Broken>(error: Broken()).replaceError(with: 0)
            .sink { told.append("\($0)") }
        _ = (one, two)
        #expect(told == ["7", "0"])
    }
}
