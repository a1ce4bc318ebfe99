import DeviceLink
import Promises
import Traces

/// A pattern whose names have been looked up.
struct CompiledPattern: Sendable {
    /// What a pattern says of one key.
    struct Check: Sendable {
        let key: Int
        let comparison: EventPattern.Comparison
        let mark: UInt64
        /// What it is compared with, where that is a number.
        let number: Int64?

        init(_ key: Int, _ comparison: EventPattern.Comparison, _ value: Field.Value) {
            self.key = key
            self.comparison = comparison
            mark = value.mark
            if case .number(let number) = value { self.number = number } else { number = nil }
        }

        func holds(for event: TraceEvent, with marks: inout KeyMarks) -> Bool {
            switch comparison {
            case .equal: return marks.mark(of: key, in: event) == mark
            case .notEqual: return marks.mark(of: key, in: event) != mark
            case .less, .lessOrEqual, .greater, .greaterOrEqual:
                guard let left = marks.number(of: key, in: event), let number else {
                    return false
                }
                return comparison.holds(left, number)
            }
        }
    }

    let written: EventPattern
    let checks: [Check]

    init(_ pattern: EventPattern, in table: inout KeyTable) {
        written = pattern
        var checks = pattern.conditions.map { condition in
            Check(
                table.place(of: .field(condition.field)), condition.comparison, condition.value)
        }
        if let device = pattern.device {
            checks.append(Check(table.place(of: .device), .equal, .text(device)))
        }
        self.checks = checks
    }
}

/// Patterns of which one is meant, sorted by how much there is to compare: this runs for every event, and
/// most say no more than a kind and a role, or there are none.
struct Patterns: Sendable {
    private final class Content: Sendable {
        let compiled: [CompiledPattern]
        /// The places of the conditions of each that has some; nothing has to be counted when it is looked at.
        let matchers: [Range<Int>]
        /// The conditions of all matchers, one after the other.
        let checks: [CompiledPattern.Check]

        init(_ compiled: [CompiledPattern]) {
            self.compiled = compiled
            var checks: [CompiledPattern.Check] = []
            matchers = compiled.filter { !$0.checks.isEmpty }.map { pattern in
                checks += pattern.checks
                return (checks.count - pattern.checks.count)..<checks.count
            }
            self.checks = checks
        }

        /// Whether one that has conditions means the present event.
        func mean(_ event: TraceEvent, with marks: inout KeyMarks) -> Bool {
            for place in matchers.indices where means(event, with: &marks, by: matchers[place]) {
                return true
            }
            return false
        }

        private func means(
            _ event: TraceEvent, with marks: inout KeyMarks, by matcher: Range<Int>
        ) -> Bool {
            for place in matcher where !checks[place].holds(for: event, with: &marks) {
                return false
            }
            return true
        }
    }

    /// Whether every event that they are about is meant.
    private let meanAll: Bool
    private let hasMatchers: Bool
    /// Nil where there are none.
    private let content: Content?

    init(_ patterns: [CompiledPattern] = []) {
        meanAll = patterns.contains(where: \.checks.isEmpty)
        hasMatchers = patterns.contains { !$0.checks.isEmpty }
        content = patterns.isEmpty ? nil : Content(patterns)
    }

    init(_ patterns: [EventPattern], in table: inout KeyTable) {
        self.init(patterns.map { CompiledPattern($0, in: &table) })
    }

    var isEmpty: Bool { content == nil }

    var compiled: [CompiledPattern] { content?.compiled ?? [] }

    /// Whether one of them means the present event, of whose kind and device's role they are.
    @inline(__always)
    func mean(_ event: TraceEvent, with marks: inout KeyMarks) -> Bool {
        if meanAll { return true }
        guard hasMatchers, let content else { return false }
        return content.mean(event, with: &marks)
    }

    /// Whether they can mean events of a kind.
    func areAbout(_ kind: String) -> Bool { compiled.contains { $0.written.matches(kind: kind) } }

    /// Those that can mean events of a kind.
    func about(_ kind: String) -> Patterns {
        Patterns(compiled.filter { $0.written.matches(kind: kind) })
    }

    /// Whether all of them can mean events of devices of a role; nil for those of no device.
    func areAllBy(_ role: DeviceRole?) -> Bool { compiled.allSatisfy { $0.isBy(role) } }

    /// Those that can mean events of devices of a role.
    func by(_ role: DeviceRole?) -> Patterns { Patterns(compiled.filter { $0.isBy(role) }) }
}

extension CompiledPattern {
    /// Whether it can mean events of devices of a role.
    fileprivate func isBy(_ role: DeviceRole?) -> Bool {
        written.role.map { $0 == role } ?? true
    }
}

/// The patterns of a property by the part that their events play.
final class Parts: Sendable {
    /// The patterns of a property, by the part that they play in it.
    struct Lists: Sendable {
        /// Asks for something, or sets the fluent of `at-most`.
        var triggers = Patterns()
        /// Are what was asked for, one after the other.
        var replies: [Patterns] = []
        /// Lets go what was asked for.
        var excuses = Patterns()
        /// Is held against what holds.
        var checked = Patterns()
        /// Is what a checked event needs, or is compared with.
        var needed = Patterns()
        /// Undoes what was needed.
        var undone = Patterns()
        /// Patterns of what ends the instance.
        var ends = Patterns()
        /// Puts the property to the test.
        var stimuli = Patterns()
        /// The moves of a machine's states.
        var moves: [[Move]] = []
    }

    struct Move: Sendable {
        /// The pattern of the events that make this move.
        let event: Patterns
        /// The place of the state that it leads to.
        let target: Int
    }

    let lists: Lists
    /// Every pattern of any part.
    let all: Patterns
    /// Whether an event of theirs is held against what holds, and is nothing else.
    let onlyCheck: Bool
    /// The moves of every state.
    private let anyMove: Patterns
    /// The states of a machine in which there is nothing but moves, and each leads back to the state.
    private let idleStates: [Bool]

    init(_ lists: Lists) {
        self.lists = lists
        let moves = lists.moves
        let patterns = moves.flatMap { $0.flatMap(\.event.compiled) }
        anyMove = Patterns(patterns)
        let parts =
            [
                lists.triggers, lists.excuses, lists.checked, lists.needed, lists.undone,
                lists.ends, lists.stimuli, anyMove,
            ] + lists.replies
        all = Patterns(parts.flatMap(\.compiled))
        onlyCheck = !all.isEmpty && lists.checked.compiled.count == all.compiled.count
        let isAllMoves = all.compiled.count == patterns.count
        idleStates = moves.indices.map { state in
            let own = moves[state].flatMap { $0.event.compiled.map(\.written) }
            return isAllMoves && moves[state].allSatisfy { $0.target == state }
                && patterns.allSatisfy { own.contains($0.written) }
        }
    }

    /// Those that can mean events of a kind.
    func about(_ kind: String) -> Parts { each { $0.about(kind) } }

    /// Those that can mean events of devices of a role.
    func by(_ role: DeviceRole?) -> Parts { each { $0.by(role) } }

    private func each(_ some: (Patterns) -> Patterns) -> Parts {
        Parts(
            Lists(
                triggers: some(lists.triggers), replies: lists.replies.map(some),
                excuses: some(lists.excuses), checked: some(lists.checked),
                needed: some(lists.needed), undone: some(lists.undone),
                ends: some(lists.ends), stimuli: some(lists.stimuli),
                moves: lists.moves.map { moves in
                    moves.map { Move(event: some($0.event), target: $0.target) }
                        .filter { !$0.event.isEmpty }
                }))
    }

    /// Whether the present event, of whose kind and device's role they are, is a move in any state.
    func isMove(_ event: TraceEvent, with marks: inout KeyMarks) -> Bool {
        anyMove.mean(event, with: &marks)
    }

    /// Whether an event that one of them means is a move of a machine that leaves its state alone;
    /// most events are.
    func isIdle(in state: Int) -> Bool { !idleStates.isEmpty && idleStates[state] }
}
