import AppleFoundation
import DeviceChamber
import DeviceKit
import NearbyInteraction
import Testing
import Vocabulary

/// Two Apple devices that range by the tokens of their sessions.
struct PeerTests {
    @Test func bothMeasureAsSoonAsBothRunWithTheOthersToken() throws {
        let pair = try PeerBench()
        pair.run(0)
        pair.wait(.seconds(1))
        #expect(pair.heard(0) == ["didStartRunning"])
        pair.run(1)
        pair.wait(.milliseconds(300))
        #expect(pair.heard(0) == ["didUpdate 2.5"])
        #expect(pair.heard(1) == ["didStartRunning", "didUpdate 2.5"])
    }

    @Test func aSessionThatIsInvalidatedIsOverForThePeer() throws {
        let pair = try PeerBench.ranging()
        pair.app(1) { pair.recorders[1].sessions[0].invalidate() }
        pair.wait(.milliseconds(100))
        #expect(pair.heard(0).last == "didRemove peerEnded")
        // Its token is of no use any more.
        pair.run(0)
        pair.wait(.milliseconds(100))
        #expect(pair.heard(0) == ["didInvalidate invalidConfiguration"])
    }

    @Test(arguments: [("pause", "didRemove timeout"), ("suspend", "didRemove timeout")])
    func aSessionThatOnlyRestsTimesOut(_ rest: String, _ ending: String) throws {
        let pair = try PeerBench.ranging()
        pair.app(1) {
            if rest == "pause" {
                pair.recorders[1].sessions[0].pause()
            } else {
                NearbyInteractionSystem.current.setSuspending(true)
            }
        }
        pair.wait(.seconds(6))
        #expect(pair.heard(0).last == ending)
    }

    @Test func theTokenStaysTheSameOverTheRunsOfASession() throws {
        let pair = try PeerBench.ranging()
        let token = pair.token(1)
        pair.app(1) { pair.recorders[1].sessions[0].pause() }
        pair.run(1)
        pair.wait(.seconds(1))
        #expect(pair.token(1) == token)
        #expect(pair.heard(0).last == "didUpdate 2.5")
    }

    @Test func anEndThatNobodyTellsTimesOut() throws {
        let pair = try PeerBench.ranging(.with { $0.peerEnd = .never })
        pair.app(1) { pair.recorders[1].sessions[0].invalidate() }
        pair.wait(.seconds(6))
        #expect(pair.heard(0).last == "didRemove timeout")
    }

    @Test func aTokenOfOnesOwnOrOfAnAccessoryIsNoPeers() throws {
        let accessory = try accessoryConfiguration().accessoryDiscoveryToken
        let pair = try PeerBench()
        for token in [pair.token(0), accessory] {
            pair.run(0, with: token)
            pair.wait(.milliseconds(100))
            #expect(pair.heard(0) == ["didInvalidate invalidConfiguration"])
            pair.renew(0)
        }
    }

    @Test func aDeviceWithoutUWBIsIncompatible() throws {
        let none = DeviceCapabilities(
            distance: false, direction: false, camera: false, extendedDistance: false)
        let pair = try PeerBench(.plain, .with { $0.capabilities = none })
        pair.run(0)
        pair.wait(.milliseconds(100))
        #expect(pair.heard(0) == ["didInvalidate incompatiblePeerDevice"])
    }

    @Test func aTokenTellsWhatItsDeviceCanMeasure() throws {
        let pair = try PeerBench(.plain, Self.second)
        #expect(pair.token(0).deviceCapabilities.supportsExtendedDistanceMeasurement == false)
        #expect(pair.token(1).deviceCapabilities.supportsExtendedDistanceMeasurement)
    }

    // MARK: Extended distance

    private static let second = NearbyInteractionParameters.with {
        $0.capabilities = DeviceCapabilities(
            distance: true, direction: false, camera: true, extendedDistance: true)
    }

    @Test func twoOfTheSecondGenerationMeasureAtExtendedDistance() throws {
        let pair = try PeerBench(Self.second, Self.second)
        for device in 0...1 { pair.run(device, isExtended: true) }
        pair.wait(.seconds(1))
        #expect(pair.radios.map(\.isExtended) == [true, true])
    }

    @Test(arguments: [
        (SystemParameter.ExtendedWithoutSupport.invalidConfiguration, "invalidConfiguration"),
        (.incompatiblePeerDevice, "incompatiblePeerDevice"),
    ])
    func withOneOfTheFirstItIsRefused(
        _ ending: SystemParameter.ExtendedWithoutSupport, _ error: String
    ) throws {
        var parameters = Self.second
        parameters.extendedWithoutSupport = ending
        let pair = try PeerBench(parameters, .plain)
        pair.run(0, isExtended: true)
        pair.wait(.milliseconds(100))
        #expect(pair.heard(0) == ["didInvalidate \(error)"])
    }

    @Test func orItMeasuresAsThatDoes() throws {
        var parameters = Self.second
        parameters.extendedWithoutSupport = .ordinary
        let pair = try PeerBench(parameters, .plain)
        for device in 0...1 { pair.run(device, isExtended: true) }
        pair.wait(.seconds(1))
        #expect(pair.radios.map(\.isExtended) == [false])
        #expect(pair.heard(0) == ["didStartRunning"])
    }

    @Test func aDeviceHasOneSuchSessionAndTheFirstGoesOn() throws {
        let pair = try PeerBench(Self.second, Self.second)
        pair.run(0, isExtended: true)
        pair.run(1, isExtended: true)
        pair.wait(.seconds(1))
        _ = pair.heard(0)
        pair.renew(0)
        pair.run(0, isExtended: true)
        pair.wait(.milliseconds(300))
        #expect(
            pair.heard(0) == [
                "didInvalidate activeExtendedDistanceSessionsLimitExceeded", "didUpdate 2.5",
            ])
    }

    @Test func findMyTakesItAndGivesItBack() throws {
        let pair = try PeerBench(Self.second, Self.second)
        for device in 0...1 { pair.run(device, isExtended: true) }
        pair.wait(.seconds(1))
        _ = pair.heard(0)
        pair.app(0) { NearbyInteractionSystem.current.setFindMy(isInUse: true) }
        pair.wait(.seconds(1))
        pair.app(0) { NearbyInteractionSystem.current.setFindMy(isInUse: false) }
        pair.wait(.milliseconds(10))
        #expect(pair.heard(0) == ["wasSuspended", "suspensionEnded"])
    }

    @Test func findMySparesWhatIsNotExtended() throws {
        let pair = try PeerBench.ranging()
        pair.app(0) { NearbyInteractionSystem.current.setFindMy(isInUse: true) }
        pair.wait(.milliseconds(200))
        #expect(pair.heard(0) == ["didUpdate 2.5"])
    }
}

/// Two devices with Nearby Interaction and radios that hear each other: the test plays their apps.
private final class PeerBench {
    let chamber = Chamber()
    let recorders = [Recorder(), Recorder()]
    private var devices: [ScriptedDevice] = []

    init(
        _ first: NearbyInteractionParameters = .plain,
        _ second: NearbyInteractionParameters = .plain
    ) throws {
        for (number, parameters) in [first, second].enumerated() {
            let address = Address(0xA0 + UInt64(number))
            let reset = Reset(name: "\(number)", model: "", key: UInt64(number), address: address)
            try chamber.add(reset) { reset, context in
                let device = ScriptedDevice(reset, parameters, in: context)
                device.system.address = address
                devices.append(device)
                return device
            }
            renew(number)
        }
    }

    /// Two that measure already.
    static func ranging(_ parameters: NearbyInteractionParameters = .plain) throws -> PeerBench {
        let bench = try PeerBench(parameters, parameters)
        for device in 0...1 { bench.run(device) }
        bench.wait(.seconds(1))
        for device in 0...1 { _ = bench.heard(device) }
        return bench
    }

    func app(_ device: Int, _ body: @escaping () -> Void) {
        devices[device].script = body
        chamber.turn(device, .command(name: "script", arguments: []))
        chamber.run(for: 0)
    }

    /// Makes a further session, which is the one that is run.
    func renew(_ device: Int) {
        app(device) { [recorder = recorders[device]] in
            let session = NISession()
            session.delegate = recorder
            recorder.sessions.append(session)
        }
    }

    func token(_ device: Int) -> NIDiscoveryToken {
        guard let token = recorders[device].sessions.last?.discoveryToken else {
            preconditionFailure("a session has a token")
        }
        return token
    }

    /// Runs with a token, or else with that of the other device's session.
    func run(_ device: Int, with token: NIDiscoveryToken? = nil, isExtended: Bool = false) {
        let configuration = NINearbyPeerConfiguration(
            peerToken: token ?? recorders[1 - device].sessions[0].discoveryToken ?? self.token(0))
        configuration.isExtendedDistanceMeasurementEnabled = isExtended
        app(device) { [recorder = recorders[device]] in
            recorder.sessions.last?.run(configuration)
        }
    }

    func wait(_ length: Nanoseconds) { chamber.run(for: length) }

    /// What the delegate of a device heard since this was asked last, each once where it is repeated.
    func heard(_ device: Int) -> [String] {
        defer { recorders[device].calls = [] }
        return recorders[device].calls.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// With what radios were started.
    var radios: [UWBParameters] {
        chamber.answers.compactMap {
            if case .uwb(.start(_, let parameters)) = $0.answer { parameters } else { nil }
        }
    }
}
