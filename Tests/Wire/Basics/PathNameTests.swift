import Basics
import Scenarios
import Testing
import Topologies

/// Which names are safe as a path below a folder.
struct PathNameTests {
    @Test(arguments: [
        "lock", "basics/one-to-one", "a/b/c", "..a", "a..", "...", ".hidden", "-x", "Łódź/1", "a b",
        String(repeating: "x", count: 255),
    ])
    func aNameStaysWithinItsFolder(_ name: String) throws {
        #expect(try PathName(name).description == name)
    }

    @Test(arguments: [
        ("", "an empty part"), ("/etc", "an empty part"), ("a//b", "an empty part"),
        ("a/", "an empty part"), (".", #"a part ".""#), ("..", #"a part "..""#),
        ("a/../b", #"a part "..""#), ("..\0x", "the control character U+0000"),
        ("a\u{7F}", "the control character U+007F"), ("a\nb", "the control character U+000A"),
        ("a\u{9B}2J", "the control character U+009B"),
        // To Swift a slash and an accent are one character, to the system a slash is a slash.
        ("..\u{2F}\u{301}", #"a part "..""#),
        (String(repeating: "ü", count: 128), "a part of 256 bytes"),
    ])
    func aNameThatLeadsElsewhereIsRefusedWithTheReason(_ name: String, _ reason: String) {
        let refusal = #expect(throws: PathName.Refusal.self) { try PathName(name) }
        #expect(refusal?.description == reason)
    }

    @Test func aFileHasANameOfOnePart() throws {
        #expect(try PathName(ofOnePart: "lock").description == "lock")
        #expect(throws: PathName.Refusal.self) { try PathName(ofOnePart: "a/lock") }
    }

    /// What a topology's reader takes for the name of a device becomes the name of its log.
    @Test func everyDevicesNameIsTheNameOfAFile() throws {
        let names = ["lock", "l-1_B", "a\u{2F}b", "..", "a\\0b", "é", ".x", "-x", "x"]
        let devices = names.compactMap { name in
            try? Topology(
                parsing: Array("devices: {\"\(name)\": {profile: qorvo}}".utf8), name: "", file: ""
            ).devices.first?.name
        }
        #expect(devices == ["lock", "l-1_B", "x"])
        #expect(try devices.map { try PathName(ofOnePart: $0).description } == devices)
    }

    @Test(arguments: [
        ("o", "."), ("out", "."), ("a/b", "a"), ("a/b/", "a"), ("/a", "/"), ("/a//b", "/a"),
        ("/", "/"), (".", "."), ("", "."),
    ])
    func aPathStandsInAFolder(path: String, above: String) {
        #expect(parentFolder(of: path) == above)
    }
}
