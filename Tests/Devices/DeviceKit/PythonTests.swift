import DeviceLink
import Foundation
import TestSupport
import Testing

/// DEVICE-LINK.md is enough: devices that know nothing else.
///
/// They need `python3`, and nothing but its standard library.
@Suite struct PythonTests {
    @Test(arguments: Child.Transport.allCases)
    func anAccessoryInPythonIsFoundConnectedAndRanges(over transport: Child.Transport) throws {
        let child = try Child(
            "/usr/bin/env", ["python3", "-B", root + "/Tests/Strangers/accessory.py"],
            over: transport
        )
        #expect(try child.next() == .hello(Hello(program: "accessory.py", minor: 0)))
        try child.send(.reset(Reset(name: "lock", model: "qorvo", key: 42)))
        #expect(try child.next() == .ready)
        var phone = Phone(child)
        let advertise = try phone.looksAround()

        // Without a subscription nothing is notified; with one, each session has new data.
        #expect(try phone.says("52 0B00 0A") == [])
        #expect(try phone.says("12 0E00 0100") == ["13"])
        #expect(try phone.says("52 0B00 0A") == ["1B 0D00 01 \(configuration("F2B7"))"])
        #expect(try phone.says("12 0B00 0A") == ["13", "1B 0D00 01 \(configuration("2956"))"])

        // The shareable data of a real phone starts the radio with its parameters.
        let shareable =
            "01000100 19 4555 A85F0000 0B 09 0600 100E C600 03 397B28D4B8D7 87B4 6400"
        let start = Answer.uwb(
            .start(
                session: 3,
                UWBParameters(
                    sessionID: 0x5FA8, address: 0x5629, peer: 0xB487, channel: 9, preamble: 11,
                    stsIV: bytes("397B28D4B8D7"), slotsPerRound: 6, slotDuration: 3_600,
                    interval: 198, isInitiator: true)))
        #expect(try phone.writes("52 0B00 0B" + shareable) == [start])
        #expect(try phone.hears(.uwb(.started(session: 3, status: 0))) == ["1B 0D00 02"])
        #expect(try phone.turn(.uwb(.round(session: 3, nil))) == [])
        #expect(
            try phone.writes("52 0B00 0C")
                == [.uwb(.stop(session: 3)), phone.frame("1B 0D00 03")])

        // A link that ends takes the radio with it, and it can be found again.
        #expect(try phone.writes("52 0B00 0B" + shareable) == [start])
        #expect(
            try phone.turn(.bluetooth(.disconnectionComplete(handle: 0x40, reason: 0x08)))
                == [.uwb(.stop(session: 3)), advertise])
        try child.send(.farewell)
        #expect(child.status() == 0)
        #expect(try child.logged() == "")
    }

    @Test func aBondedPhoneMayReadTheConfiguration() throws {
        let child = try Child(
            "/usr/bin/env", ["python3", "-B", root + "/Tests/Strangers/accessory.py"])
        let key = [UInt8](1...16)
        try child.send(
            .reset(
                Reset(
                    name: "lock", model: "qorvo", key: 42,
                    stored: [StoredPair("bond/C0:FF:EE:00:01:02", key + [16, 0])])))
        _ = (try child.next(), try child.next())
        var phone = Phone(child)
        #expect(try phone.connect() == [])
        #expect(
            try phone.turn(.bluetooth(.longTermKeyRequest(handle: 0x40)))
                == [.bluetooth(.longTermKey(handle: 0x40, key))])
        _ = try phone.turn(
            .bluetooth(.encryptionChange(status: 0, handle: 0x40, isEncrypted: true)))
        _ = try phone.says("12 0E00 0100")
        _ = try phone.says("02 B900")
        #expect(try phone.says("52 0B00 0A") == ["1B 0D00 01 \(configuration("BB19"))"])
        #expect(try phone.says("0A 1100") == ["0B \(configuration("BB19"))"])
    }

    @Test func anAccessoryInPythonRefusesWhatItDoesNotKnow() throws {
        let child = try Child(
            "/usr/bin/env", ["python3", "-B", root + "/Tests/Strangers/accessory.py"])
        _ = try child.next()
        try child.send(
            .reset(Reset(name: "x", model: "multi", parameters: [Pair("mtu", "23")])))
        #expect(
            try child.next()
                == .refused(
                    "this is a \"qorvo\" without parameters and defects, not multi, mtu"))
    }

    private static let python = root + "/.build/venv/bin/python3"

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: python), "Scripts/test installs it"))
    func thePackageIsTypedAndInstallsFromItsFolder() throws {
        let place = try Place()
        let checked = try place.run([
            Self.python, "-m", "mypy", "--strict", "--cache-dir", place.path + "/cache",
            root + "/Sources/Devices/Foreign/Python/anechoic",
        ])
        #expect(checked.output == "Success: no issues found in 4 source files\n")
        try FileManager.default.copyItem(
            atPath: root + "/Sources/Devices/Foreign/Python", toPath: place.path + "/Python")
        let installed = try place.run([
            Self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
            "--no-index", "--no-build-isolation", "--target", "packages", "./Python",
        ])
        #expect(installed.status == 0, "\(installed.said)")
        let asked = try place.run([
            "env", "PYTHONPATH=packages", "python3", "-c",
            "import anechoic.accessory; print(anechoic.accessory.__file__)",
        ])
        #expect(asked.output == "\(place.path)/packages/anechoic/accessory.py\n", "\(asked.said)")
    }

    @Test(arguments: Child.Transport.allCases)
    func theDocumentsOwnDeviceHoldsTheDocumentsConversation(
        over transport: Child.Transport
    ) throws {
        let document = try text(of: "Sources/Wire/DeviceLink/DEVICE-LINK.md")
        let program = try #require(fenced("python", in: document))
        let child = try Child(
            "/usr/bin/env", ["python3", "-B", "-c", program], over: transport)
        for line in try #require(fenced("hex conversation", in: document)).split(separator: "\n") {
            let frame = bytes(line.dropFirst(2))
            if line.hasPrefix(">") {
                child.write(frame)
            } else {
                var said: [UInt8] = []
                try child.next()?.encode(into: &said)
                #expect(said == frame, "\(line)")
            }
        }
        #expect(child.status() == 0)
    }

    /// The first block of a document with these words behind its fence.
    private func fenced(_ words: String, in document: String) -> String? {
        let parts = document.components(separatedBy: "```\(words)\n")
        return parts.count > 1 ? parts[1].components(separatedBy: "```")[0] : nil
    }
}
