import Artifacts
import Diagnosis
import Foundation
import Reports
import Traces

/// The page of a run; where somebody has explained it, of the run and the nearest one that holds.
enum RunPage {
    /// - Throws: As `RunDiagram` does, where the path means no run.
    static func page(of path: String) throws -> Page {
        let run = try RunDiagram(path)
        if let folder = run.siblings { return try FailurePage.page(of: folder) }
        return Page(kind: .run, title: title(run.report), data: try RunSide(run).json)
    }

    static func title(_ report: RunReport) -> String {
        "\(report.topology), seed \(report.seed): \(report.verdict)"
    }
}

/// A run as a page carries it: what was found, and its events.
struct RunSide {
    let diagram: RunDiagram
    /// What each event says, without its time and its measurements: how two runs are laid side by side.
    private(set) var sayings: [String] = []
    private(set) var events: [TraceEvent] = []
    private var table: TraceTable

    /// Reads the events; keeps them where `isCompared`.
    init(_ diagram: RunDiagram, isCompared: Bool = false) throws {
        self.diagram = diagram
        table = TraceTable(participants: diagram.participants.count)
        try diagram.eachEvent { event in
            table.add(event)
            guard isCompared else { return }
            sayings.append(Self.saying(event))
            events.append(event)
        }
    }

    /// The document: `facts` and `trace`.
    var json: Data {
        get throws {
            let facts = try PageJSON.data(of: RunFacts(diagram))
            let logs = try PageJSON.data(of: diagram.logs.map(Logged.init))
            return PageJSON.object([
                ("facts", facts), ("trace", Data(table.json.bytes)), ("logs", logs),
            ])
        }
    }

    private struct Logged: Encodable {
        let device: String
        /// In nanoseconds.
        let time: UInt64
        let text: String

        init(_ line: RunDiagram.Logged) {
            (device, time, text) = (line.device, line.time.nanoseconds, line.text)
        }
    }

    private static let told = [
        "peer", "session", "ni-session", "link", "pdu", "message", "step", "outcome", "attempt",
        "reason", "service", "characteristic", "descriptor",
    ]

    private static func saying(_ event: TraceEvent) -> String {
        let told = told.compactMap { name in event[name].map { "\(name) \($0)" } }
        return ([event.name, event.device] + told).joined(separator: "\n")
    }
}
