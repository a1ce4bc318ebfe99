import Foundation
import TestSupport
import Testing

/// The program and its files report steps that never fired.
@Suite(.processes) struct ScriptNoteTests {
    private static let text = """
        length: 5s
        devices: {ben: {model: iPhone 15}, lock: {profile: qorvo}}
        steps:
          - {at: 1s, kill: lock}
          - {when: app.gaveUp on ben, disconnect: [ben, lock]}
        """

    @Test func theTableCountsThem() throws {
        let place = try Place()
        try place.write(Self.text, to: "door.yaml")
        let outcome = try Command.run("run", "door.yaml", "--hosting", "inline", in: place)
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("line 5 never fired: disconnect: [ben, lock]"))
        let verdict = try #require(
            try JSONSerialization.jsonObject(with: Data(place.read("out/door/1/verdict.json").utf8))
                as? [String: Any])
        #expect((verdict["script"] as? [[String: Any]])?.count == 2)
    }
}
