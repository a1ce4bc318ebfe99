import DeviceLink
import Orchestration
import PromiseLibrary
import Promises
import Reports
import RunSupport
import TestSupport
import Testing
import Topologies
import Traces
import Vocabulary
import YAML

/// The table of states, played.
///
/// Where the run with a defect parts from the same run without it, the keeper has done the
/// wrong thing: the trace tells in which state, and after which event.
struct StateCellTests {
    @Test(arguments: Property.Keeper.allCases)
    func eachDefectBreaksItsPromiseInItsStateAtItsEvent(_ keeper: Property.Keeper) throws {
        let table = try #require(StateTable.all.first { $0.keeper == keeper })
        try LocalRunner.inline { runner in
            // By day one cell in three.
            for (number, cell) in table.cells.enumerated() where isWhole || number % 3 == 0 {
                guard case .shown(let showing) = cell.entry else { continue }
                let what = "\(keeper.rawValue) \(cell.state) \(cell.event.rawValue)"
                let text = try showing.playedText
                let sick = try Self.study(text, by: runner)
                let healthy = try Self.study(
                    showing.text(isHealthy: true) ?? Self.healthy(text), by: runner)
                #expect(Self.broken(in: sick).contains(showing.promise), "\(what)")
                #expect(!Self.broken(in: healthy).contains(showing.promise), "\(what)")
                var walk = StateWalk(table)
                let common = zip(sick.events, healthy.events).prefix { $0 == $1 }.map(\.0)
                #expect(common.count < sick.events.count, "\(what)")
                for event in common { walk.take(event) }
                #expect(walk.last == "\(cell.state) \(cell.event.rawValue)", "\(what)")
                #expect(walk.moves <= 1, "\(what)")
                if showing.keepsToOneState {
                    #expect(Self.metThoughExcluded(in: healthy, by: table) == [], "\(what)")
                }
                guard keeper == .link else {
                    #expect(
                        showing.play == nil || Self.defects(of: keeper).contains(showing.defect))
                    continue
                }
                // That a fault came before it does not say that it takes the fault to break it.
                let calm = try Self.study(Self.without(cell.event, in: text), by: runner)
                #expect(!Self.broken(in: calm).contains(showing.promise), "calm \(what)")
            }
        }
    }

    /// What the table leaves out, and yet comes in a run.
    private static func metThoughExcluded(in study: Study, by table: StateTable) -> [String] {
        var walk = StateWalk(table)
        return study.events.compactMap { event in
            walk.take(event)
            return walk.excluded
        }
    }

    private static func study(_ text: String, by runner: LocalRunner) throws -> Study {
        try runner.study(RunTask(name: "cell", file: "cell.yaml", text: text, seed: 1))
    }

    private static func healthy(_ text: String) -> String {
        var variant = TopologyVariant()
        variant.isHealthy = true
        return variant.text(of: text)
    }

    /// What a keeper can do wrong.
    private static func defects(of keeper: Property.Keeper) -> [String] {
        switch keeper {
        case .accessory: AccessoryDefect.allCases.map(\.rawValue)
        case .app: AppDefect.allCases.map(\.rawValue)
        case .appleDevice: SystemDefect.allCases.map(\.rawValue)
        case .link: []
        }
    }

    private static func without(_ fault: EventKind, in text: String) throws -> String {
        let verb = String(fault.rawValue.dropFirst("fault.".count))
        var tree = try #require(YAMLReader.tree(of: text))
        guard case .list(let steps) = tree["steps"]?.content else { return text }
        tree["steps"] = YAMLNode(list: steps.filter { $0[verb] == nil })
        return tree.document
    }

    private static func broken(in study: Study) -> [String] {
        study.report.promises.filter { $0.verdict == .violated }.map(\.promise)
    }
}

extension Showing {
    /// Whether the pair has one link at most, and nobody errs but the keeper: else two links, or the other's
    /// mistake, bring what cannot come otherwise.
    fileprivate var keepsToOneState: Bool {
        play.map { $0.besides == nil && !$0.lock.contains("links:") } ?? true
    }

    /// Its topology's text, wherever that stands.
    var playedText: String {
        get throws {
            try text()
                ?? String(
                    contentsOfFile: topologies + "/defects/\(defect).yaml", encoding: .utf8)
        }
    }
}

/// In which state of a table each pair of devices is, as a trace goes on.
private struct StateWalk {
    private let table: StateTable
    private let kinds: Set<EventKind>
    private var states: [[String]: Int] = [:]
    /// The last state and event that came to the keeper; nil before one has, or where pairs disagree.
    private(set) var last: String?
    /// How many states have changed since: more than by the event itself, and it has led elsewhere.
    private(set) var moves = 0
    /// The last one, where the table excludes it.
    private(set) var excluded: String?

    init(_ table: StateTable) {
        self.table = table
        kinds = Set(table.events)
    }

    mutating func take(_ event: TraceEvent) {
        excluded = nil
        let pairs = pairs(of: event)
        if let kind = event.kind, kinds.contains(kind), isKeepers(event) {
            let names = Set(pairs.map { states[$0, default: 0] })
            let state = names.count > 1 ? nil : table.states[names.first ?? 0].name
            last = state.map { "\($0) \(kind.rawValue)" }
            moves = 0
            if let state, !table.has(state, kind) { excluded = last }
        }
        for pair in pairs {
            let now = states[pair, default: 0]
            let next = table.states[now].moves.first { $0.event.matches(event) }?.target ?? now
            if next != now { moves += 1 }
            states[pair] = next
        }
    }

    private func isKeepers(_ event: TraceEvent) -> Bool {
        switch table.keeper {
        case .accessory: event.role == .accessory
        case .app, .appleDevice: event.role == .appleDevice
        case .link: true
        }
    }

    /// The pairs that an event is about: the device and its peer; of a link, in any sequence.
    private func pairs(of event: TraceEvent) -> [[String]] {
        guard isKeepers(event) else { return [] }
        let isLink = table.keeper == .link
        let other = event.text("peer") ?? event.text("and")
        let one = event.text("between") ?? event.device
        if let other { return [isLink ? [one, other].sorted() : [one, other]] }
        return states.keys.filter { isLink ? $0.contains(one) : $0[0] == one }.sorted {
            $0[1] < $1[1]
        }
    }
}
