import Foundation
import TestSupport
import Testing

/// Two phones of one's own apps: one a peripheral, the other a central, in processes of their own.
struct PhonesTests {
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
}
