import AppleFoundation
import DeviceChamber
import DeviceKit
import Testing
import WatchConnectivity

/// A phone and its watch.
struct WatchTests {
    @Test func aPairReachesEachOtherOnceBothAreActive() throws {
        let pair = try Couple()
        pair.app(0) { $0.activate() }
        pair.wait()
        #expect(pair.heard(0) == ["activated"])
        pair.app(1) { $0.activate() }
        pair.wait()
        #expect(pair.heard(0) == ["reachable true"])
        #expect(pair.heard(1) == ["activated", "reachable true"])
    }

    @Test func messagesAndTheirAnswersArrive() throws {
        let pair = try Couple.active()
        pair.app(0) { phone in
            WCSession.default.sendMessage(["hello": 1]) { phone.heard.append("answer \($0)") }
            WCSession.default.sendMessageData(Data("ping".utf8)) {
                phone.heard.append("answer \(String(decoding: $0, as: UTF8.self))")
            }
        }
        pair.wait()
        #expect(pair.heard(1) == [#"asked ["hello": 1]"#, "asked ping"])
        #expect(pair.heard(0) == [#"answer ["you said": 1]"#, "answer pong"])
    }

    @Test func whatCannotBeDeliveredFails() throws {
        let pair = try Couple()
        pair.app(0) { phone in
            let fail: (any Error) -> Void = {
                if let error = $0 as? WCError { phone.heard.append("\(error.code)") }
            }
            WCSession.default.sendMessage([:], replyHandler: nil, errorHandler: fail)
            phone.activate()
            WCSession.default.sendMessage([:], replyHandler: nil, errorHandler: fail)
        }
        pair.wait()
        #expect(pair.heard(0) == ["sessionNotActivated", "activated", "notReachable"])
    }

    @Test func theLatestContextAndEveryUserInfoWaitForTheCounterpart() throws {
        let pair = try Couple()
        pair.app(0) { phone in
            phone.activate()
            for number in 1...2 {
                try? WCSession.default.updateApplicationContext(["context": number])
                WCSession.default.transferUserInfo(["info": number])
            }
        }
        pair.app(1) { $0.activate() }
        pair.wait()
        #expect(
            pair.heard(1) == [
                "activated", "reachable true", #"info ["info": 1]"#, #"context ["context": 2]"#,
                #"info ["info": 2]"#,
            ])
    }
}

/// A phone and a watch, on which the test plays the app.
private final class Couple {
    let chamber = Chamber()
    private var devices: [Wearer] = []

    init() throws {
        for (number, name) in ["ben", "wrist"].enumerated() {
            let reset = Reset(name: name, model: "", key: UInt64(number))
            try chamber.add(reset) { reset, context in
                let device = Wearer(reset, companion: number == 1 ? "ben" : nil, in: context)
                devices.append(device)
                return device
            }
        }
    }

    static func active() throws -> Couple {
        let pair = try Couple()
        for device in 0...1 { pair.app(device) { $0.activate() } }
        pair.wait()
        for device in 0...1 { _ = pair.heard(device) }
        return pair
    }

    func app(_ number: Int, _ body: @escaping (Wearer) -> Void) {
        let device = devices[number]
        device.script = { body(device) }
        chamber.turn(number, .command(name: "script", arguments: []))
        chamber.run(for: 0)
    }

    func wait() { chamber.run(for: .milliseconds(100)) }

    func heard(_ number: Int) -> [String] {
        defer { devices[number].heard = [] }
        return devices[number].heard
    }
}

private final class Wearer: Device, WCSessionDelegate {
    private let runtime: AppRuntime
    private let network: NetworkHost
    private let watch: WatchSystem
    var script: (() -> Void)?
    var heard: [String] = []

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        throw Refusal("a device is made by its couple")
    }

    init(_ reset: Reset, companion: String?, in context: Context) {
        runtime = AppRuntime(stored: reset.stored, in: context)
        network = NetworkHost(in: context)
        watch = WatchSystem(named: reset.name, companion: companion, in: context)
    }

    func handle(_ event: DeviceEvent) {
        if case .command = event { return script?() ?? () }
        if !runtime.handle(event) { _ = network.handle(event) }
    }

    func activate() {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
        error: (any Error)?
    ) { heard.append("\(activationState)") }

    func sessionReachabilityDidChange(_ session: WCSession) {
        heard.append("reachable \(session.isReachable)")
    }

    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping ([String: Any]) -> Void
    ) {
        heard.append("asked \(message)")
        replyHandler(["you said": message["hello"] ?? "nothing"])
    }

    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data,
        replyHandler: @escaping (Data) -> Void
    ) {
        heard.append("asked \(String(decoding: messageData, as: UTF8.self))")
        replyHandler(Data("pong".utf8))
    }

    func session(_ session: WCSession, didReceiveApplicationContext context: [String: Any]) {
        heard.append("context \(context)")
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        heard.append("info \(userInfo)")
    }
}
