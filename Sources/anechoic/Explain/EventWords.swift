import Orchestration
import Reports
import Simulation
import Traces

/// What the events of a run are called, from what its trace says of them.
struct EventWords {
    /// For each event, by its text, its step; looked up only.
    private let steps: [String: Int]
    private let study: Study
    /// For each step the event of the trace that says most; looked up only.
    private let telling: [UInt64: TraceEvent]

    init(_ study: Study) {
        self.study = study
        steps = Dictionary(
            study.steps.enumerated().map { ($0.element.event, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        telling = study.events.reduce(into: [:]) { telling, event in
            guard event.step > 0 else { return }
            let known = telling[event.step - 1]
            if known.map({ Self.rank($0) < Self.rank(event) }) ?? true {
                telling[event.step - 1] = event
            }
        }
    }

    /// Messages say more than what carries them.
    private static let ranks = [
        "device", "air", "att", "uwb", "gatt", "link", "queue", "app", "ni", "fault", "script",
        "msg",
    ]

    private static func rank(_ event: TraceEvent) -> Int {
        let family = event.kind.prefix { $0 != "." }
        return ranks.firstIndex { $0 == family } ?? 0
    }

    /// The step of an event, from 0; nil where it does not happen.
    func step(of event: EventID) -> Int? { steps[event.text] }

    /// An event in the words of the trace: `msg.initialize.received (ben → lock)`; what its channel is
    /// called where the trace is silent.
    func words(_ event: EventID) -> String {
        guard let step = step(of: event), let telling = telling[UInt64(step)] else {
            return ChannelWords(event).words
        }
        return words(telling)
    }

    /// All that an event is: the kinds of what the trace says of it, and what its channel is called.
    func kinds(of event: EventID) -> [String] {
        let step = step(of: event).map { UInt64($0) + 1 }
        return study.events.filter { $0.step == step }.map(\.kind) + [ChannelWords(event).kind]
    }

    private func words(_ event: TraceEvent) -> String {
        if let step = event.text("step"), event.device.isEmpty { return "the step \"\(step)\"" }
        guard !event.device.isEmpty else { return event.kind }
        guard let peer = event.text("peer") else { return "\(event.kind) (\(event.device))" }
        let arrives = event.kind.hasSuffix(".received")
        let (from, to) = arrives ? (peer, event.device) : (event.device, peer)
        return "\(event.kind) (\(from) → \(to))"
    }

    /// A step: its event, its time, and what the trace says of it.
    func picture(_ step: Int) -> String {
        guard study.steps.indices.contains(step) else { return "the end of the run" }
        let record = study.steps[step]
        let trace = telling[UInt64(step)].map { ", \(words($0))" } ?? ""
        return "\(Console.milliseconds(record.time.nanoseconds))  \(record.event)\(trace)"
    }
}
