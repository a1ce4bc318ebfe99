import AppleDevice
import CoreBluetooth
import DeviceKit
import NearbyInteraction
import Testing

/// Nothing of a run is left when the next one begins.
struct ReleaseTests {
    /// How often an app's objects of a device are alive, told by the logs of the app.
    private func device() -> (InlineDevice, () -> [String]) {
        var lines: [String] = []
        let host = InlineDevice(AppleDeviceRunning<KeepingApp>.self) { lines.append($0) }
        return (host, { lines.map { String($0.split(separator: "] ").last ?? "") } })
    }

    private let reset = Reset(name: "ben", model: "iPhone12,1", address: Address(0xA0))

    @Test func aResetLetsGoOfTheAppAndAllItHad() {
        let (host, lines) = device()
        #expect(host.reset(reset) == nil)
        _ = host.turn(at: .zero, .boot)
        #expect(lines() == ["made"])
        #expect(host.reset(reset) == nil)
        #expect(lines() == ["made", "gone"])
    }

    @Test func aTerminationLetsGoOfTheAppToo() {
        let (host, lines) = device()
        #expect(host.reset(reset) == nil)
        _ = host.turn(at: .zero, .boot)
        _ = host.turn(at: .zero, .command(name: "terminate", arguments: []))
        #expect(lines() == ["made", "gone"])
        let answers = host.turn(at: .zero, .command(name: "launch", arguments: []))
        #expect(lines() == ["made", "gone", "made"])
        #expect(answers.contains(.observe(kind: "app.launched", fields: [])))
    }

    @Test func anAppThatLeftTheScreenIsInSightAfterItsLaunch() {
        let (host, lines) = device()
        #expect(host.reset(reset) == nil)
        _ = host.turn(at: .zero, .boot)
        for verb in ["background", "terminate", "launch", "start"] {
            _ = host.turn(at: .zero, .command(name: verb, arguments: []))
        }
        #expect(lines() == ["made", "gone", "made", "in sight"])
    }

    @Test func anAppDeclaresItsOwnParametersAndDefects() {
        let (host, _) = device()
        var reset = reset
        reset.parameters = [Pair("colour", "red")]
        reset.defects = ["colour-blind"]
        #expect(host.reset(reset) == nil)
        reset.parameters = [Pair("color", "red")]
        #expect(
            host.reset(reset)?.reason
                == "there is no parameter \"color\"; did you mean colour?")
        reset.parameters = [Pair("colour", "")]
        #expect(host.reset(reset)?.reason == "a colour is missing")
    }
}

/// An app whose objects know one another, wait in queues and timers, and say when they are gone.
private final class KeepingApp: SimulatedApp, CBCentralManagerDelegate, NISessionDelegate {
    static let parameterNames = ["colour"]
    static let defectNames = ["colour-blind"]

    private let context = Context.current
    private var central: CBCentralManager?
    private let session = NISession()

    static func check(_ launch: AppLaunch) throws(Refusal) {
        if launch["colour"] == "" { throw Refusal("a colour is missing") }
    }

    init(_ launch: AppLaunch) {
        context.log("made")
        central = CBCentralManager(delegate: self, queue: DispatchQueue(label: "bluetooth"))
        session.delegate = self
        Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [self] _ in
            context.log("\(session)")
        }
    }

    deinit { context.log("gone") }

    func start(peer: String?) {
        context.log(AppRuntime.current.isInForeground ? "in sight" : "out of sight")
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
}
