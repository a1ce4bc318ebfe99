import Artifacts
import Orchestration
import RunSupport
import TestSupport
import Testing
import Traces
import Vocabulary

/// What the catalogue says of events, held against those of every shipped topology: a pattern is refused
/// only where nothing could match it.
struct CatalogueTests {
    @Test func everyEventIsAsTheCatalogueSays() throws {
        let wrong = try LocalRunner.inline { runner in
            try playedTopologies.flatMap { try TopologyFile.find(in: $0) }.flatMap { file in
                let text = String(decoding: try file.bytes(), as: UTF8.self)
                let task = RunTask(name: file.name, file: file.path, text: text, seed: 1)
                return try runner.study(task).events.flatMap(Self.problems)
            }
        }
        #expect(Set(wrong).sorted() == [])
    }

    private static func problems(of event: TraceEvent) -> [String] {
        guard event.kind != nil else { return [] }
        var problems: [String] = []
        if let only = Catalogue.role(of: event.name), let role = event.role, role != only {
            problems.append("\(event.name) on \(role)")
        }
        let known = Catalogue.fields(below: event.name)
        for field in event.fields {
            let fits = known.first { $0.name == field.name }.map {
                $0.holds(field.value) && $0.canBe(field.value)
            }
            // What else a command gets is its own.
            if fits ?? (event.kind == .faultCommand) { continue }
            problems.append("\(event.name) with \(field.name) = \(field.value)")
        }
        return problems
    }
}
