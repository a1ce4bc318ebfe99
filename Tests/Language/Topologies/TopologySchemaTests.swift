import Artifacts
import Foundation
import Reports
import TestSupport
import Testing
import Topologies
import Vocabulary
import YAML
import Yams

/// The schema that editors complete with.
struct TopologySchemaTests {
    private static let schemaFile = URL(
        filePath: root + "/Sources/Language/Topologies/topology.schema.json")

    @Test func theSchemaSaysWhatTheCatalogueSays() throws {
        let written = try String(contentsOf: Self.schemaFile, encoding: .utf8)
        #expect(
            written == TopologySchema.text,
            "write it anew: anechoic schema > Sources/Language/Topologies/topology.schema.json")
    }

    @Test func schemaAndReaderKnowTheSameKeys() throws {
        let schema = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: Self.schemaFile))
                as? [String: Any])
        let definitions = try #require(schema["$defs"] as? [String: Any])
        func keys(_ name: String) throws -> Set<String> {
            let definition = try #require(definitions[name] as? [String: Any])
            return Set(try #require(definition["properties"] as? [String: Any]).keys)
        }
        let foreign: Set = [
            "run", "hci", "arguments", "environment", "listen", "dial", "clock", "children", "uci",
            "dials-in", "parameters",
        ]
        let common = Set(TopologyKeys.device).subtracting(foreign)
        let apple = Set(Catalogue.parameters(of: .appleDevice).map(\.name))
        let accessory = Set(Catalogue.parameters(of: .accessory).map(\.name))
        #expect(
            Set(try #require(schema["properties"] as? [String: Any]).keys)
                == Set(TopologyKeys.topology))
        #expect(try keys("appleDevice") == common.subtracting(["profile"]).union(apple))
        #expect(try keys("accessory") == common.subtracting(["model"]).union(accessory))
        #expect(
            try keys("foreignDevice")
                == common.subtracting(["profile"]).union(foreign)
                .union(["pairing", "pairing-interface", "security-request"]))
        #expect(try keys("grid") == Set(TopologyKeys.grid))
        #expect(try keys("leg") == Set(TopologyKeys.leg))
        #expect(try keys("link") == Set(TopologyKeys.link))
        #expect(try keys("step") == Set(TopologyKeys.step))
        #expect(try keys("faults") == Set(TopologyKeys.faults))
    }

    @Test(.enabled(if: Validator.python != nil, "python3 with jsonschema is not installed"))
    func everyShippedFileFollowsTheSchema() throws {
        let files = try TopologyFile.find(in: topologies)
        let documents = try files.map { file in
            (file.name, try String(contentsOfFile: file.path, encoding: .utf8))
        }
        #expect(try Validator.complaints(of: Self.schemaFile, about: documents) == [])
    }

    @Test(.enabled(if: Validator.python != nil, "python3 with jsonschema is not installed"))
    func theSchemaRefusesWhatTheReaderRefuses() throws {
        let mistakes = [
            "lenght: 3s\n" + phoneAndLock(""), "devices: {}", "devices: {ben: {}}",
            "devices: {ben: {modle: iPhone 15}}", "devices: {lock: {profile: quorvo}}",
            "devices: {every: {profile: qorvo}}", "devices: {lock: {profile: qorvo, mtu: 22}}",
            "devices: {lock: {profile: qorvo, at: [1, 2]}}",
            "devices: {lock: {profile: qorvo, defects: [lost]}}",
            phoneAndLock("length: 20"), phoneAndLock("air: {loss: 0.1}"),
            phoneAndLock("steps: [{at: 3s}]"), phoneAndLock("steps: [{kill: lock}]"),
            phoneAndLock("steps: [{at: 1s, kill: lock, freeze: lock}]"),
            phoneAndLock("steps: [{at: 1s, disconnect: [ben]}]"),
            phoneAndLock("steps: [{at: 1s, loss: [ben, lock]}]"),
            phoneAndLock("faults: {kill: {}}"), phoneAndLock("expect: [violated: [quiet]]"),
            phoneAndLock("expect: [in order: [link.up]]"), phoneAndLock("expect: broken quiet"),
            phoneAndLock("expect: [{never: link.up, eventually: link.up}]"),
        ]
        try expectBothRefuse(mistakes)
    }

    @Test func theManualHasEachKeyOfTheAir() throws {
        let manual = try text(of: "Sources/Tool/anechoic/Manual.docc/Topologies.md")
        for key in TopologyKeys.air { #expect(manual.contains("\n| `\(key)` | "), "\(key)") }
    }

    @Test(.enabled(if: Validator.python != nil, "python3 with jsonschema is not installed"))
    func theSchemaRefusesEventsThatThereAreNot() throws {
        let events = [
            "ni.didupdate", "ni.didUpdate on", "link.upp on ben", "msg.initialise.sent on ben",
            "ni.didUpdate on ben with dist = 3m", "ni.didUpdate on ben with distance < 3",
            "ni.didUpdate on ben with distance = 3s",
            "ni.didRemove on ben with reason = peer-ended",
            "ni.didInvalidate on ben with error = userDidNotAlow",
            "link.down on ben with reason = 0x888", "link.down on ben with reason = 256",
            "uwb.round on lock with outcome > measured", "link.encrypted on ben with peer",
            "gatt.subscribed on ben with on = yes", "ni.didUpdate on ben and distance = 3m",
            "link.up on ben with interval = 30ms or latency = 0", "mine.said",
        ]
        try expectBothRefuse(
            ["msg.init", "app.founds", "ni.didUpdate on mine with dist = 3m"].map {
                """
                devices: {ben: {model: iPhone 15}, mine: {run: ./mine, model: iPhone 15}}
                expect: [never: '\($0.contains(" on ") ? $0 : $0 + " on mine")']
                """
            })
        try expectBothRefuse(
            events.flatMap { event in
                [
                    phoneAndLock("expect: [never: '\(event)']"),
                    phoneAndLock("steps: [{when: '\(event)', kill: lock}]"),
                ]
            } + [
                phoneAndLock(
                    "promises: [{promise: mine, when: link.up, then: link.dwn, within: 1s}]"),
                phoneAndLock("promises: [{promise: mine, per: [phone], never: link.down}]"),
                phoneAndLock("promises: [{name: mine, never: link.down}]"),
                phoneAndLock("steps: [{when: ni.didUpdate, 'on': ben, kill: lock}]"),
            ])
    }

    @Test(.enabled(if: Validator.python != nil, "python3 with jsonschema is not installed"))
    func theSchemaTakesEventsThatThereAre() throws {
        let events = [
            "msg", "msg.initialize",
            "link.up on every lock with role = central and interval > 24ms",
            "link.down on accessory with reason != 0x13",
            "ni.didUpdate with distance <= 1.5m and peer=lock",
            "ni.didRemove on ben with reason = none",
            "app.gaveUp on ben with reason = \"too often\"",
            "device.died on lock with cause = \"protocol error\"", "fault.delay with by >= 20ms",
            "msg.accessoryConfigurationData.sent with reserved = hex:00ff",
            "ni.didUpdate with distance = 0",
            "mine.said on lock with what = anything",
        ]
        let documents = events.map { ($0, phoneAndLock("expect: [never: '\($0)']")) }
        #expect(try Validator.complaints(of: Self.schemaFile, about: documents) == [])
    }

    private func expectBothRefuse(_ mistakes: [String]) throws {
        let numbered = mistakes.enumerated().map { ("<\($0.offset)>", $0.element) }
        let complaints = try Validator.complaints(of: Self.schemaFile, about: numbered)
        for (name, text) in numbered {
            #expect(throws: DocumentError.self, "\(text)") { try topology(text) }
            #expect(complaints.contains { $0.hasPrefix(name) }, "\(text)")
        }
    }
}

/// Python's `jsonschema`, from the virtual environment of `Scripts/test` or the system's.
private enum Validator {
    /// The interpreter that has it; nil where none has.
    static let python: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let own = root + "/.build/venv/bin/python3"
        return ([own] + folders.map { "\($0)/python3" }).first { path in
            FileManager.default.isExecutableFile(atPath: path)
                && (try? Place().run([path, "-c", "import jsonschema"]))?.status == 0
        }
    }()

    private static let program = """
        import json, sys
        from jsonschema import Draft202012Validator
        schema, documents = json.load(sys.stdin)
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        for name, document in documents:
            for error in validator.iter_errors(document):
                print(name, error.json_path, error.message[:200])
        """

    /// What the validator says, a line each; nothing where all is well.
    static func complaints(
        of schema: URL, about documents: [(String, String)]
    ) throws -> [String] {
        let values = try documents.map { name, text in
            "[\(try encoded(name)), \(try json(try Yams.compose(yaml: text)))]"
        }
        let schemaText = try String(contentsOf: schema, encoding: .utf8)
        let input = "[\(schemaText), [\(values.joined(separator: ", "))]]"
        let path = try #require(python)
        let outcome = try Place().run([path, "-c", program], input: input)
        try #require(outcome.status == 0, "\(outcome.said)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    /// A YAML document as an editor sees it (YAML 1.2 core schema).
    private static func json(_ node: Node?) throws -> String {
        switch node {
        case .mapping(let mapping):
            let members = try mapping.map {
                "\(try encoded($0.key.string ?? "")): \(try json($0.value))"
            }
            return "{" + members.joined(separator: ", ") + "}"
        case .sequence(let sequence):
            return "[" + (try sequence.map(json)).joined(separator: ", ") + "]"
        case .scalar(let scalar) where scalar.style == .plain: return try plain(scalar.string)
        case .scalar(let scalar): return try encoded(scalar.string)
        default: return "null"
        }
    }

    private static func plain(_ text: String) throws -> String {
        if ["true", "false"].contains(text) { return text }
        if ["", "~", "null"].contains(text) { return "null" }
        if text.hasPrefix("0x"), let number = Int64(text.dropFirst(2), radix: 16) {
            return String(number)
        }
        return Double(text) != nil && text.first != "+" && !text.lowercased().contains("n")
            ? text : try encoded(text)
    }

    private static func encoded(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }
}
