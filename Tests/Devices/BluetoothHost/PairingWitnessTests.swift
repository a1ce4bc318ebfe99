import Bluetooth
import BluetoothHost
import DeviceKit
import Foundation
import TestSupport
import Testing

/// A shared secret is in no capture; here the private key is known, for it is what the phone draws first.
@Suite struct PairingWitnessTests {
    private static let python = root + "/.build/venv/bin/python3"

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: python), "Scripts/test installs it"),
        arguments: [PairingFeatures.Interface.noInputNoOutput, .displayYesNo])
    func cryptographyOfOthersComputesTheSameKey(interface: PairingPolicy.Interface) throws {
        let wire = Wire()
        wire.central.host.pairing = PairingPolicy(interface: .displayYesNo)
        wire.peripheral.host.pairing = PairingPolicy(interface: interface)
        wire.connect()
        wire.inCentral { _ = wire.link.pair() }
        let pdus = wire.others.map { line in
            (line.hasPrefix("phone") ? "> " : "< ")
                + line.drop { $0 != ":" }.dropFirst(2).filter { $0 != " " }
        }
        let outcome = try Place().run(
            [Self.python, root + "/Tests/Support/Witness/pairing.py"],
            input: """
                {"pdus": \(pdus), "keys": ["\(Self.digits(wire.keyOfCentral))"],
                "central": "\(Wire.centralAddress)-random",
                "peripheral": "\(Wire.peripheralAddress)-random",
                "private": "\(Self.digits(wire.central.key.with("smp").with(0).bytes(32)))"}
                """)
        #expect(
            outcome.output == "the commitment agrees\ntwo checks and the long-term key agree\n",
            "\(outcome)")
    }

    private static func digits(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
