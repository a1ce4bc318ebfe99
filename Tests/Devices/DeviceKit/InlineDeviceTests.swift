import DeviceKit
import Testing
import echo_device

/// The answers of a device to one event after another, and the lines of its log.
final class InlineBench {
    var log: [String] = []
    private(set) lazy var device = InlineDevice(EchoDevice.self) { [unowned self] in log.append($0)
    }

    func turn(_ event: DeviceEvent, at moment: UInt64 = 0) -> [Answer] {
        device.turn(at: VirtualTime(nanoseconds: moment), event)
    }
}

@Suite struct InlineDeviceTests {
    private let echo = Reset(name: "parrot", model: "echo", key: 42)

    @Test func aTurnHasTheAnswersOfItsEventOnly() {
        let bench = InlineBench()
        #expect(bench.device.reset(echo) == nil)
        #expect(
            bench.turn(.boot) == [.observe(kind: "echo", fields: [Field("event", "boot")])])
        #expect(
            bench.turn(.bluetooth(.acl(handle: 64, [1, 2])))
                == [.bluetooth(.acl(handle: 64, [1, 2]))])
    }

    @Test func anUnknownModelOrParameterIsRefusedWithANearOne() {
        let bench = InlineBench()
        #expect(
            bench.device.reset(Reset(name: "x", model: "ecco"))
                == Refusal("there is no model \"ecco\"; did you mean echo?"))
        #expect(!bench.device.isReset)
        #expect(
            bench.device.reset(Reset(name: "x", model: "echo", parameters: [Pair("colour", "1")]))
                == Refusal("there is no parameter \"colour\"; did you mean color?"))
        #expect(
            bench.device.reset(
                Reset(name: "x", model: "echo", parameters: [Pair("frequency", "1")]))
                == Refusal("there is no parameter \"frequency\"; known are: color, size"))
    }

    @Test func aPostedItemRunsInATurnOfItsOwn() {
        let bench = InlineBench()
        _ = bench.device.reset(echo)
        #expect(
            bench.turn(.command(name: "post", arguments: []))
                == [.post(queue: "main", item: 0), .post(queue: "main", item: 1)])
        #expect(
            bench.turn(.queue(name: "main", item: 0))
                == [.observe(kind: "echo", fields: [Field("item", "one")])])
        #expect(bench.turn(.queue(name: "main", item: 0)) == [], "an item runs once")
    }

    @Test func aLineOfTheLogBeginsWithTheTime() {
        let bench = InlineBench()
        _ = bench.device.reset(echo)
        _ = bench.turn(.command(name: "log", arguments: []), at: 812_400_999)
        _ = bench.turn(.command(name: "log", arguments: []), at: 61_000_000_000)
        #expect(bench.log == ["[0.812400 s] here is parrot", "[61.000000 s] here is parrot"])
    }

    @Test func randomNumbersDependOnKeyPurposeAndOrdinalOnly() {
        func rolls(_ bench: InlineBench, _ reset: Reset) -> [[Answer]] {
            _ = bench.device.reset(reset)
            return (0..<8).map { _ in bench.turn(.command(name: "random", arguments: [])) }
        }
        let bench = InlineBench()
        let first = rolls(bench, echo)
        #expect(rolls(bench, echo) == first, "a reset begins afresh")
        #expect(rolls(InlineBench(), echo) == first)
        #expect(rolls(bench, Reset(name: "parrot", model: "echo", key: 43)) != first)
    }
}
