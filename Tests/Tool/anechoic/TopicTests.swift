import DeviceLink
import Reports
import TestSupport
import Testing
import Traces
import Vocabulary

/// `anechoic help TOPIC`.
@Suite(.processes) struct TopicTests {
    private static let names: [Topic: [String]] = [
        .events: EventKind.allCases.map(\.rawValue), .verbs: VerbName.allCases.map(\.rawValue),
        .models: Catalogue.models.map(\.name), .profiles: Catalogue.profiles.map(\.name),
        .parameters: Catalogue.Kind.allCases.flatMap(Catalogue.parameters(of:)).map(\.name),
        .defects: Catalogue.Kind.allCases.flatMap(Catalogue.defects(of:)).map(\.name),
    ]

    @Test(arguments: Topic.allCases)
    func aTopicNamesAllThereIs(topic: Topic) throws {
        let outcome = try Command.run("help", topic.rawValue, in: Place())
        #expect(outcome.status == 0)
        let first = outcome.output.split(separator: "\n").map { line in
            line.split(separator: "  ")[0].trimmingPrefix { $0 == " " }
        }
        let names = try #require(Self.names[topic])
        #expect(names.filter { !first.contains($0[...]) } == [])
    }

    @Test func aVerbIsToldWithWhatStandsBesideIt() {
        let row = Topic.verbs.text.split(separator: "\n").first { $0.hasPrefix("hold ") }
        let cells = row?.split(separator: "  ").map { $0.trimmingPrefix { $0 == " " } }
        #expect(
            cells == [
                "hold", "two devices", "for", "release",
                "What the first device sends waits until it is released, and comes in its sequence then.",
            ])
    }

    @Test func helpAboutACommandIsWhatItWas() throws {
        let outcome = try Command.run("help", "run", in: Place())
        #expect(outcome.status == 0 && outcome.output.contains("USAGE: anechoic run"))
    }
}
