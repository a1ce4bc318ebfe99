import Foundation
import Reports
import TestSupport
import Traces

/// A pairing in the capture of `ben`, the central, as tshark and PyPI's cryptography see it.
struct CapturedPairing {
    let place: Place
    /// The folder of the run.
    let run: String
    /// Who shows a public address; the others have random ones.
    var publicDevices: Set<String> = []

    /// The code of each PDU as two digits; `malformed` for any packet of the run that tshark cannot read.
    func codes() throws -> String {
        let outcome = try place.run([
            "tshark", "-n", "-r", "\(run)/run.pcapng", "-Y",
            "btsmp && frame.interface_name == \"ben\" || _ws.malformed", "-T", "fields", "-E",
            "separator=;", "-e", "btsmp.opcode", "-e", "_ws.malformed",
        ])
        return outcome.output.split(separator: "\n").map { line in
            line.hasSuffix(";") ? String(line.dropFirst(2).prefix(2)) : "malformed"
        }.joined(separator: " ")
    }

    /// What agrees when it is computed anew; more with the private key of the central, in hexadecimal digits.
    func recomputed(privateKey: String? = nil) throws -> String {
        let addresses = try addresses()
        let known = privateKey.map { ", \"private\": \"\($0)\"" } ?? ""
        let outcome = try place.run(
            [root + "/.build/venv/bin/python3", root + "/Tests/Support/Witness/pairing.py"],
            input: """
                {"capture": "\(run)/captures/ben.btsnoop", "central": "\(addresses["ben"] ?? "")",
                "peripheral": "\(addresses["lock"] ?? "")"\(known)}
                """)
        return outcome.said
    }

    private func addresses() throws -> [String: String] {
        var found: [String: String] = [:]
        for line in place.read("\(run)/trace.jsonl").split(separator: "\n") {
            guard case .event(let event) = try TraceReader.line(line.utf8),
                event.name == "device.started", case .text(let address)? = event["address"]
            else { continue }
            found[event.device] = address + (publicDevices.contains(event.device) ? "" : "-random")
        }
        return found
    }
}
