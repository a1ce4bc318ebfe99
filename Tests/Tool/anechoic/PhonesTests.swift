import Foundation
import TestSupport
import Testing

/// Two phones of one's own apps: one a peripheral, the other a central, in processes of their own.
@Suite(.processes) struct PhonesTests {
    /// What the apps' delegates heard in a run of these steps, as `millisecond device what`.
    private func heard(
        _ steps: String = "[]", roles: (String, String) = ("peripheral", "central"),
        length: String = "4s", _ options: String...
    ) throws -> [String] {
        let place = try Place()
        let program = Command.executables + "/phones-app"
        try place.write(
            """
            length: \(length)
            devices:
              ann: {run: "\(program)", model: iPhone 15, parameters: {role: \(roles.0)}, at: [0m, 0m]}
              ben: {run: "\(program)", model: iPhone 15, parameters: {role: \(roles.1)}, at: [2m, 0m]}
            steps: \(steps)
            """, to: "phones.yaml")
        let outcome = try Command(["run", "phones.yaml", "--twice"] + options, in: place).outcome()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        return try place.read("out/phones/1/trace.jsonl").split(separator: "\n").compactMap {
            let event = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            guard event?["kind"] as? String == "phones.heard", let time = event?["time"] as? Int,
                let device = event?["device"] as? String,
                let what = (event?["fields"] as? [String: Any])?["what"] as? String
            else { return nil }
            return "\(time / 1_000_000) \(device) \(what)"
        }
    }

    @Test func oneIsAPeripheralAndTheOtherACentral() throws {
        let heard = try heard(
            "[{at: 1.5s, start: ann}, {at: 2s, stop: ann}, {at: 3s, disconnect: [ann, ben]}]")
        #expect(
            heard == [
                "0 ann peripheral poweredOn", "0 ben central poweredOn", "104 ben didDiscover",
                "263 ben didConnect", "996 ann didReceiveWrite", "1058 ann didReceiveRead",
                "1088 ben greeting hi", "1178 ann didSubscribe", "1500 ann update 1 true",
                "1507 ben news [1]", "2018 ben didModifyServices 1", "3001 ben didDisconnect",
                "3088 ben didConnect",
            ])
    }

    @Test func bothAreBoth() throws {
        let heard = try heard(roles: ("both", "both"))
        #expect(
            heard == [
                "0 ann peripheral poweredOn", "0 ann central poweredOn",
                "0 ben peripheral poweredOn", "0 ben central poweredOn", "104 ben didDiscover",
                "128 ann didDiscover", "263 ben didConnect", "285 ann didConnect",
                "997 ann didReceiveWrite", "1033 ben didReceiveWrite", "1059 ann didReceiveRead",
                "1088 ben greeting hi", "1095 ben didReceiveRead", "1123 ann greeting hi",
                "1178 ann didSubscribe", "1213 ben didSubscribe",
            ])
    }

    // MARK: An app that the system ends

    @Test func aCentralIsLaunchedForWhatItSubscribedTo() throws {
        let heard = try heard(
            "[{at: 1.5s, background: ben}, {at: 2s, jetsam: ben}, {at: 3s, start: ann}]")
        #expect(
            heard == [
                "0 ann peripheral poweredOn", "0 ben central poweredOn", "104 ben didDiscover",
                "263 ben didConnect", "996 ann didReceiveWrite", "1058 ann didReceiveRead",
                "1088 ben greeting hi", "1178 ann didSubscribe", "3000 ann update 1 true",
                "3006 ben launched for guest",
                "3007 ben central willRestoreState connected 1, scans for 0",
                "3007 ben central poweredOn", "3007 ben news [1]",
            ])
    }

    @Test func aCentralIsLaunchedForAPeripheralThatComesBack() throws {
        let heard = try heard(
            "[{at: 2s, partition: [ann, ben]}, {at: 4s, jetsam: ben}, {at: 5s, repair: [ann, ben]}]",
            length: "8s")
        #expect(
            heard == [
                "0 ann peripheral poweredOn", "0 ben central poweredOn", "104 ben didDiscover",
                "263 ben didConnect", "996 ann didReceiveWrite", "1058 ann didReceiveRead",
                "1088 ben greeting hi", "1178 ann didSubscribe", "2708 ben didDisconnect",
                "2708 ann didUnsubscribe", "5002 ben launched for guest",
                "5003 ben central willRestoreState connecting 0, scans for 0",
                "5003 ben central poweredOn", "5003 ben didConnect", "5633 ann didReceiveWrite",
                "5692 ann didReceiveRead", "5722 ben greeting hi", "5813 ann didSubscribe",
            ])
    }

    @Test func aCentralIsLaunchedForWhatItScansFor() throws {
        let heard = try heard(
            "[{at: 0s, partition: [ann, ben]}, {at: 1s, jetsam: ben}, {at: 2s, repair: [ann, ben]}]"
        )
        #expect(
            heard == [
                "0 ann peripheral poweredOn", "0 ben central poweredOn",
                "2150 ben launched for guest",
                "2150 ben central willRestoreState none, scans for 1",
                "2150 ben central poweredOn", "2150 ben didDiscover", "2311 ben didConnect",
                "3045 ann didReceiveWrite", "3106 ann didReceiveRead", "3136 ben greeting hi",
                "3226 ann didSubscribe",
            ])
    }

    @Test func aPeripheralIsLaunchedForARequest() throws {
        let heard = try heard(
            "[{at: 2s, jetsam: ann}, {at: 2.5s, start: ben}, {at: 3s, start: ann}]")
        #expect(
            heard == [
                "0 ann peripheral poweredOn", "0 ben central poweredOn", "104 ben didDiscover",
                "263 ben didConnect", "996 ann didReceiveWrite", "1058 ann didReceiveRead",
                "1088 ben greeting hi", "1178 ann didSubscribe", "2528 ann launched for hostess",
                "2528 ann peripheral willRestoreState 1 1 1", "2529 ann peripheral poweredOn",
                "2529 ann didReceiveRead", "2557 ben greeting hello", "3000 ann update 1 true",
                "3008 ben news [1]",
            ])
    }

    @Test func whatTheUserEndsIsNotLaunched() throws {
        let heard = try heard(
            "[{at: 2s, jetsam: ben}, {at: 2.5s, terminate: ben}, {at: 3s, start: ann}]")
        #expect(
            heard == [
                "0 ann peripheral poweredOn", "0 ben central poweredOn", "104 ben didDiscover",
                "263 ben didConnect", "996 ann didReceiveWrite", "1058 ann didReceiveRead",
                "1088 ben greeting hi", "1178 ann didSubscribe", "2528 ann didUnsubscribe",
                "3000 ann update 1 true",
            ])
    }

    @Test func aRestartOfBluetoothLosesLinksAndServices() throws {
        let heard = try heard(
            "[{at: 1.5s, bluetooth-reset: ben}, {at: 3.5s, bluetooth-reset: ann}]", length: "8s")
        #expect(
            heard == [
                "0 ann peripheral poweredOn", "0 ben central poweredOn", "104 ben didDiscover",
                "263 ben didConnect", "996 ann didReceiveWrite", "1058 ann didReceiveRead",
                "1088 ben greeting hi", "1178 ann didSubscribe", "1501 ben central resetting",
                "1508 ann didUnsubscribe", "2500 ben central poweredOn", "2586 ben didDiscover",
                "2742 ben didConnect", "3372 ann didReceiveWrite", "3431 ann didReceiveRead",
                "3462 ben greeting hi", "3501 ann peripheral resetting", "3522 ben didDisconnect",
                "4500 ann peripheral poweredOn", "4559 ben didConnect", "5160 ann didReceiveWrite",
                "5221 ann didReceiveRead", "5252 ben greeting hi", "5341 ann didSubscribe",
            ])
    }
}
