import CFiles
package import DeviceLink
package import Promises
import Traces
import Vocabulary
import YAML

/// State by event: which promise breaks where a keeper does the wrong thing, and which run shows that it does.
///
/// Its rows are the states of a machine, its columns the kinds of events that come to the keeper.
package struct StateTable: Sendable {
    package struct Cell: Sendable {
        package let state: String
        package let event: EventKind
        package let entry: Entry
    }

    package enum Entry: Equatable, Sendable {
        /// A promise breaks, as a run shows.
        case shown(Showing)
        /// Why there is nothing to show.
        case reason(String)
    }

    package let keeper: Property.Keeper
    /// A machine that begins in its first state for each pair of devices.
    package let states: [Property.MachineState]
    /// What the simulator lets nobody meet in a state, by its name.
    private let excluded: [String: [EventPattern]]
    package let cells: [Cell]

    /// Whether an event can come to the keeper in a state.
    package func has(_ state: String, _ event: EventKind) -> Bool {
        !excluded[state, default: []].contains { $0.matches(kind: event.rawValue) }
    }

    /// The tables of all keepers.
    package static let all: [StateTable] = {
        do {
            return try YAMLReader.read(
                Array(String(cString: states_yaml()).utf8), of: "states.yaml"
            ) { document throws(Problem) in
                var tables: [StateTable] = []
                for entry in try document.entries("states", expected: "keepers") {
                    tables.append(try StateTable(entry))
                }
                return tables
            }
        } catch { preconditionFailure("\(error)") }
    }()
}

/// A run in which a keeper does the wrong thing.
package struct Showing: Equatable, Sendable {
    /// The promise that breaks.
    package let promise: String
    /// The defect, or the topology of Topologies/defects, whose name begins with it.
    package let defect: String
    /// What the phone, the accessory and the script have besides; nil for that topology itself.
    package let play: Play?

    package struct Play: Equatable, Sendable {
        package let ben, lock: String
        package let steps: [String]
        /// A defect that the phone or the accessory has in any case, and that brings the keeper to his state.
        package let besides: String?
    }

    /// The defect, what it meets, and the steps.
    package var words: String {
        let besides = play?.besides.map { ["beside \($0)"] } ?? []
        return ([defect] + besides + (play?.steps ?? [])).joined(separator: "; ")
    }

    /// The topology's text with the defect, or without it; nil where it stands in Topologies/defects.
    package func text(isHealthy: Bool = false) -> String? {
        guard let play else { return nil }
        let defects = [play.besides, isHealthy ? nil : defect].compactMap(\.self)
        let locks = Catalogue.defects(of: .accessory).map(\.name)
        func parameters(_ own: String, _ defects: [String]) -> String {
            let sick = defects.isEmpty ? "" : "defects: [\(defects.joined(separator: ", "))]"
            return [own, sick].filter { !$0.isEmpty }.map { ", \($0)" }.joined()
        }
        let ben = parameters(play.ben, defects.filter { !locks.contains($0) })
        let lock = parameters(play.lock, defects.filter { locks.contains($0) })
        return """
            length: 45s
            devices:
              ben: {model: iPhone 15, at: [0m, 0m]\(ben)}
              lock: {profile: qorvo, at: [2m, 0m]\(lock)}
            steps: [\(play.steps.map { "{\($0)}" }.joined(separator: ", "))]

            """
    }
}

extension StateTable {
    fileprivate init(_ entry: YAMLNode.Entry) throws(Problem) {
        let keepers = Property.Keeper.allCases.map(\.rawValue)
        let keeper = Property.Keeper(
            rawValue: try entry.keyNode.choice("keeper", of: keepers))!
        let mapping = try YAMLMapping(
            entry.value, of: "a table of states", keys: ["machine", "excluded", "cells"])
        let patterns = PatternsReader(cast: Cast(length: 0))
        let machine = try PropertyReader(fluents: [], patterns: patterns).property(
            YAMLNode(mapping: [("machine", try mapping.required("machine", expected: "states"))]),
            name: entry.key)
        guard case .machine(let states) = machine.body else {
            throw entry.value.problem("no machine")
        }
        var excluded: [String: [EventPattern]] = [:]
        for state in try mapping["excluded"]?.entries("excluded", expected: "states") ?? [] {
            excluded[state.key] = try patterns.all(state.value, for: state.key)
        }
        var cells: [Cell] = []
        for state in try mapping.required("cells", expected: "states").entries(
            "cells", expected: "states")
        {
            let name = try state.keyNode.choice("cells", of: states.map(\.name))
            for cell in try state.value.entries(name, expected: "events") {
                let kind = EventKind(
                    rawValue: try cell.keyNode.choice(name, of: EventKind.allCases.map(\.rawValue)))!
                cells.append(Cell(state: name, event: kind, entry: try Entry(cell.value)))
            }
        }
        self.init(keeper: keeper, states: states, excluded: excluded, cells: cells)
    }
}

extension StateTable.Entry {
    fileprivate init(_ node: YAMLNode) throws(Problem) {
        let mapping = try YAMLMapping(
            node, of: "a cell",
            keys: ["breaks", "by", "defect", "besides", "ben", "lock", "steps", "because"])
        if let reason = mapping["because"] {
            self = .reason(try reason.text("because"))
            return
        }
        let promise = try mapping.required("breaks", expected: "a promise").choice(
            "breaks", of: PropertyLibrary.promiseNames)
        if let topology = mapping["by"] {
            self = .shown(Showing(promise: promise, defect: try topology.text("by"), play: nil))
            return
        }
        var steps: [String] = []
        for step in try mapping["steps"]?.list("steps", expected: "steps") ?? [] {
            steps.append(try step.text("steps"))
        }
        let play = Showing.Play(
            ben: try mapping["ben"]?.text("ben") ?? "",
            lock: try mapping["lock"]?.text("lock") ?? "",
            steps: steps,
            besides: try mapping["besides"]?.text("besides"))
        let defect = try mapping.required("defect", expected: "a defect").text("defect")
        self = .shown(Showing(promise: promise, defect: defect, play: play))
    }
}
