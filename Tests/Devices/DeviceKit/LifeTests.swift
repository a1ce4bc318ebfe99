import DeviceKit
import Testing

/// What becomes of a device's objects when it is reset: they still find their context while they go,
/// and what they ask for comes to nothing.
@Suite struct LifeTests {
    @Test func objectsThatDieInATurnActAtItsEnd() {
        let host = InlineDevice(Keeper.self) { _ in }
        _ = host.reset(Reset(name: "keeper", model: ""))
        #expect(
            host.turn(at: .zero, .boot)
                == [.store(key: "made", value: []), .post(queue: "main", item: 0)],
            "an answer given while the device was made belongs to its first turn")
        #expect(
            host.turn(at: .zero, .timer(name: "drop"))
                == [.observe(kind: "dropped", fields: []), .observe(kind: "gone", fields: [])])
    }

    @Test func objectsThatDieByAResetDoNothing() {
        let host = InlineDevice(Keeper.self) { _ in }
        for _ in 0..<2 {
            // The second reset drops the first device, with one relic in it and one in its queue.
            #expect(host.reset(Reset(name: "keeper", model: "")) == nil)
            #expect(host.turn(at: .zero, .boot).count == 2)
        }
        #expect(host.reset(Reset(name: "keeper", model: "none")) == Refusal("no such keeper"))
        #expect(!host.isReset)
    }
}

/// A device that keeps one object in itself and one in an item of its queue.
private final class Keeper: Device {
    private let context: Context
    private var relic: Relic? = Relic()

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        self.context = context
        context.answer(.store(key: "made", value: []))
        guard reset.model.isEmpty else { throw Refusal("no such keeper") }
    }

    func handle(_ event: DeviceEvent) {
        switch event {
        case .boot:
            let kept = Relic()
            context.post(to: "main") { _ = kept }
        default:
            relic = nil
            context.observe("dropped")
        }
    }
}

/// An object as Apple's sessions are: its end does something, when the turn ends.
private final class Relic {
    deinit {
        let context = Context.current
        context.atEndOfTurn { context.observe("gone") }
    }
}
