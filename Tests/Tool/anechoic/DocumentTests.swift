import Foundation
import TestSupport
import Testing

/// `--json`: one document of one shape, whatever the command and whatever happens.
@Suite(.processes) struct DocumentTests {
    private static let pair = topologies + "/dropout/mid-handshake.yaml"
    private static let run = "out/dropout/mid-handshake/1"

    private struct Document {
        let command: String
        let results: [[String: Any]]
        let status: Int
        let error: String?

        init(_ outcome: Command.Outcome) throws {
            let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
            let members = try #require(json as? [String: Any])
            #expect(Set(members.keys).subtracting(["error"]) == ["command", "results", "status"])
            command = try #require(members["command"] as? String)
            results = try #require(members["results"] as? [[String: Any]])
            status = try #require(members["status"] as? Int)
            error = members["error"] as? String
        }
    }

    private func failure() throws -> Place {
        let place = try Place()
        _ = try Command.run("run", Self.pair, "--defect", "lock=reused-configuration", in: place)
        return place
    }

    /// What each command is asked, its exit status, how many results it has (0: any number but none), and a key of them.
    private static let commands: [([String], Int, Int, String)] = [
        (["run", pair], 0, 1, "digest"),
        (["replay", "\(run)/replay.json"], 1, 1, "digest"),
        (["replay", "\(run)/replay.json", "--until", "1.5s"], 0, 1, "world"),
        (["check", pair], 0, 1, "file"),
        (["list", topologies], 0, 0, "about"),
        (["diff", run, run], 0, 1, "same"),
        (["judge", run], 1, 1, "promises"),
        (["promises"], 0, 0, "promise"),
        (["help", "verbs"], 0, 0, "verb"),
        (["explore", pair, "--runs", "16", "--out", "e"], 0, 1, "runs"),
        (["shrink", "\(run)/replay.json"], 1, 1, "reduction"),
        (["explain", "\(run)/replay.json", "--replays", "5", "--runs", "5"], 2, 1, "explanation"),
        (["defects", "--hosting", "inline", "-k", "reused"], 1, 1, "broken"),
        (
            [
                "conform", "--hosting", "inline", "--no-sweep", "--no-search", "--seeds", "1", "-k",
                "basics/one",
                "--gate", "violations",
            ], 0,
            1, "clauses"
        ),
        (["show", run], 0, 0, "kind"),
        (["report", run], 0, 1, "file"),
    ]

    @Test(arguments: commands)
    func everyCommandHasTheSame(_ arguments: [String], _ status: Int, _ count: Int, _ key: String)
        throws
    {
        let outcome = try Command(arguments + ["--json"], in: failure()).outcome()
        let document = try Document(outcome)
        #expect(document.command == (arguments[0] == "help" ? "help verbs" : arguments[0]))
        #expect(document.status == status, "\(outcome.errors)")
        #expect(Int(outcome.status) == status)
        #expect(count == 0 ? !document.results.isEmpty : document.results.count == count)
        #expect(
            document.results.first?[key] != nil, "\(document.results.first?.keys.sorted() ?? [])")
        #expect(document.error == nil)
    }

    @Test(arguments: [
        (["run", "nowhere.yaml"], 65), (["run", pair, "--seeds", "2..1"], 64),
        (["diff", "a", "b"], 65),
        (["replay", "nowhere.json"], 65), (["show", "nowhere"], 65),
        (["report", "nowhere"], 65), (["judge", "nowhere"], 65),
        (["explore", pair, "--runs", "0"], 64), (["list", "--wrong"], 64),
        (["conform", "--only", "nothing"], 64),
    ])
    func anErrorIsADocumentToo(_ arguments: [String], _ status: Int) throws {
        let outcome = try Command(arguments + ["--json"], in: Place()).outcome()
        let document = try Document(outcome)
        #expect(document.status == status)
        #expect(Int(outcome.status) == status)
        #expect(document.results.isEmpty)
        #expect(document.error?.isEmpty == false)
        #expect(!outcome.errors.isEmpty)
    }

    @Test func aWrongFileIsAResultOfCheck() throws {
        let place = try Place()
        try place.write("devices: {ben: {modle: iPhone 15}}", to: "wrong.yaml")
        let document = try Document(try Command.run("check", "wrong.yaml", "--json", in: place))
        #expect(document.status == 65)
        #expect((document.results.first?["error"] as? String)?.contains("did you mean") == true)
    }
}
