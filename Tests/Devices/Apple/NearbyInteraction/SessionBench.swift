import ARKit
import AccessoryProtocol
import AppleFoundation
import DeviceChamber
import DeviceKit
import FoundationEssentials
import NearbyInteraction

/// A device with Nearby Interaction and nothing else: the test plays the app, the radio and Bluetooth.
final class SessionBench {
    let chamber = Chamber()
    let recorder = Recorder()
    let accessories = FakeAccessories()
    private var device: ScriptedDevice?

    init(_ parameters: NearbyInteractionParameters = .plain, stored: [StoredPair] = []) throws {
        chamber.air.makesRounds = false
        try chamber.add(Reset(name: "ben", model: "", stored: stored)) { reset, context in
            let device = ScriptedDevice(reset, parameters, in: context)
            device.system.surroundings = accessories
            self.device = device
            return device
        }
    }

    /// Lets the app do something in a turn.
    func app(_ body: @escaping () -> Void) {
        device?.script = body
        chamber.turn(0, .command(name: "script", arguments: []))
        chamber.run(for: 0)
    }

    /// Lets the system do something in a turn.
    func system(_ body: @escaping (NearbyInteractionSystem) -> Void) { app { body(.current) } }

    /// Makes a session that the recorder listens to, and runs it.
    @discardableResult
    func run(_ configuration: NIConfiguration) -> SessionBench {
        app { [recorder] in
            let session = NISession()
            session.delegate = recorder
            recorder.sessions.append(session)
            session.run(configuration)
        }
        return self
    }

    /// The session that was made first.
    var session: NISession { recorder.sessions[0] }

    /// Lets the radio that was started last measure, or miss.
    func round(_ distance: UInt32?, azimuth: Int16? = nil, sight: UWBSight? = nil) {
        let measurement = distance.map {
            UWBMeasurement(
                distance: $0, azimuth: azimuth, elevation: azimuth.map { _ in 0 },
                isLineOfSight: true, sight: sight)
        }
        chamber.turn(0, .uwb(.round(session: radios.last ?? 0, measurement)))
        chamber.run(for: 0)
    }

    /// Lets time pass.
    func wait(_ length: Nanoseconds = .milliseconds(100)) { chamber.run(for: length) }

    /// What the delegate heard since this was asked last.
    var heard: [String] {
        defer { recorder.calls = [] }
        return recorder.calls
    }

    /// The handles of the radio's starts.
    var radios: [UInt32] {
        chamber.answers.compactMap {
            guard case .uwb(.start(let handle, _)) = $0.answer else { return nil }
            return handle
        }
    }

    /// Whether the radio that was started last was also stopped.
    var isRadioOff: Bool {
        let last = chamber.answers.last {
            if case .uwb = $0.answer { return true }
            return false
        }
        guard case .uwb(.stop)? = last?.answer else { return last == nil }
        return true
    }
}

/// A device that does what the test says.
final class ScriptedDevice: Device {
    let runtime: AppRuntime
    let system: NearbyInteractionSystem
    let camera: ARKitSystem
    var script: (() -> Void)?

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        throw Refusal("a scripted device is made by its bench")
    }

    init(_ reset: Reset, _ parameters: NearbyInteractionParameters, in context: Context) {
        runtime = AppRuntime(stored: reset.stored, in: context)
        system = NearbyInteractionSystem(parameters, stored: reset.stored, in: context)
        camera = ARKitSystem(
            CameraParameters(startDelay: 0, frameInterval: 100, light: 50), in: context)
        camera.listener = system
    }

    func handle(_ event: DeviceEvent) {
        if case .command("uwb-ended", let arguments) = event {
            return system.endInBand(UInt32(arguments[0].value) ?? 0)
        }
        if case .command = event { return script?() ?? () }
        if camera.handle(event) { return }
        if !system.handle(event) { _ = runtime.handle(event) }
    }
}

/// Writes down every callback.
final class Recorder: NISessionDelegate {
    var sessions: [NISession] = []
    var calls: [String] = []
    var shareable: [[UInt8]] = []
    var objects: [NINearbyObject] = []
    /// Done when the session is suspended, as an app that reacts at once does.
    var onCall: ((String) -> Void)?

    private func note(_ call: String) {
        calls.append(call)
        onCall?(call)
    }

    func sessionDidStartRunning(_ session: NISession) { note("didStartRunning") }

    func session(
        _ session: NISession,
        didGenerateShareableConfigurationData shareableConfigurationData: Data,
        for object: NINearbyObject
    ) {
        shareable.append(Array(shareableConfigurationData))
        note("didGenerate")
    }

    func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
        objects = nearbyObjects
        let distance = nearbyObjects[0].distance.map { "\($0)" } ?? "nil"
        note("didUpdate \(distance)")
    }

    func session(
        _ session: NISession, didRemove nearbyObjects: [NINearbyObject],
        reason: NINearbyObject.RemovalReason
    ) {
        note("didRemove \(reason)")
    }

    func session(
        _ session: NISession, didUpdateAlgorithmConvergence convergence: NIAlgorithmConvergence,
        for object: NINearbyObject?
    ) {
        note("didUpdateAlgorithmConvergence \(convergence.status)")
    }

    func sessionWasSuspended(_ session: NISession) { note("wasSuspended") }

    func sessionSuspensionEnded(_ session: NISession) { note("suspensionEnded") }

    func session(_ session: NISession, didInvalidateWith error: any Error) {
        note("didInvalidate \((error as? NIError)?.code.name ?? "?")")
    }
}

/// What Bluetooth would know.
final class FakeAccessories: NearbyInteractionSurroundings {
    let identifier = UUID()
    var isPaired = false
    /// What the Nearby Interaction Service holds; nil where it cannot be read.
    var configurations: [[UInt8]]? = []

    func sender(of configuration: [UInt8]) -> KnownAccessory? { .address(Address(0xC0FFEE)) }

    func address(of identifier: UUID) -> Address? {
        identifier == self.identifier ? Address(0xC0FFEE) : nil
    }

    func isPairedAndConnected(_ accessory: Address) -> Bool { isPaired }

    func readConfigurations(
        of accessory: Address, completion: @escaping ([[UInt8]]?) -> Void
    ) { completion(configurations) }
}

extension NearbyInteractionParameters {
    /// The user has allowed it before.
    static var plain: NearbyInteractionParameters { with { $0.permission = .allowed } }

    static func with(
        _ change: (inout NearbyInteractionParameters) -> Void
    ) -> NearbyInteractionParameters {
        var parameters = NearbyInteractionParameters.standard
        parameters.permission = .allowed
        change(&parameters)
        return parameters
    }
}

func accessoryConfiguration(_ data: [UInt8] = accessoryData()) throws
    -> NINearbyAccessoryConfiguration
{ try NINearbyAccessoryConfiguration(data: Data(data)) }
