internal import DeviceLink
internal import Promises
internal import Traces

/// A pattern that is looked at and never copied.
final class Matcher: Sendable {
    private let pattern: EventPattern

    init(_ pattern: EventPattern) { self.pattern = pattern }

    /// Whether it means an event, which is of the kind that it is about.
    func means(_ event: TraceEvent) -> Bool { pattern.matchesBesideKind(event) }
}

/// Patterns of which one is meant, sorted by how much there is to compare: this runs for every event.
final class Patterns: Sendable {
    /// Whether every event of their kinds is meant.
    private let meansAll: Bool
    /// The roles of which every event is meant.
    private let roles: [DeviceRole]
    /// Those that say more.
    private let others: [Matcher]
    /// All as they were written.
    let written: [EventPattern]

    init(_ patterns: [EventPattern] = []) {
        written = patterns
        let plain = patterns.filter { $0.device == nil && $0.conditions.isEmpty }
        meansAll = plain.contains { $0.role == nil }
        roles = plain.compactMap(\.role)
        others = patterns.filter { $0.device != nil || !$0.conditions.isEmpty }.map(Matcher.init)
    }

    /// Those of some patterns that can mean events of a kind.
    convenience init(_ patterns: [EventPattern], about kind: String) {
        self.init(patterns.filter { $0.matches(kind: kind) })
    }

    var isEmpty: Bool { written.isEmpty }

    /// Whether one of them means an event, which is of the kind that they are about.
    func mean(_ event: TraceEvent) -> Bool {
        if meansAll { return true }
        if let role = event.role, roles.contains(role) { return true }
        for index in others.indices where others[index].means(event) { return true }
        return false
    }

    /// Those that can mean events of a kind.
    func about(_ kind: String) -> Patterns { Patterns(written, about: kind) }
}

/// The patterns of a property by the part that their events play.
final class Parts: Sendable {
    /// Patterns by part.
    struct Lists: Sendable {
        /// Asks for something, or sets the fluent of `at-most`.
        var triggers = Patterns()
        /// Is what was asked for.
        var replies = Patterns()
        /// Lets go what was asked for.
        var excuses = Patterns()
        /// Is held against what holds.
        var checked = Patterns()
        /// Is what a checked event needs, or is compared with.
        var needed = Patterns()
        /// Undoes what was needed.
        var undone = Patterns()
        /// Ends the instance.
        var ends = Patterns()
        /// The moves of a machine's states.
        var moves: [[Property.MachineState.Move]] = []
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
        let patterns = moves.flatMap { $0.map(\.event) }
        anyMove = Patterns(patterns)
        let parts = [
            lists.triggers, lists.replies, lists.excuses, lists.checked, lists.needed,
            lists.undone, lists.ends, anyMove,
        ]
        all = Patterns(parts.flatMap(\.written))
        onlyCheck = !all.isEmpty && lists.checked.written.count == all.written.count
        let isAllMoves = all.written.count == patterns.count
        idleStates = moves.indices.map { state in
            isAllMoves && moves[state].allSatisfy { $0.target == state }
                && patterns.allSatisfy { pattern in moves[state].contains { $0.event == pattern } }
        }
    }

    /// Those that can mean events of a kind.
    func about(_ kind: String) -> Parts {
        Parts(
            Lists(
                triggers: lists.triggers.about(kind), replies: lists.replies.about(kind),
                excuses: lists.excuses.about(kind), checked: lists.checked.about(kind),
                needed: lists.needed.about(kind), undone: lists.undone.about(kind),
                ends: lists.ends.about(kind),
                moves: lists.moves.map { $0.filter { $0.event.matches(kind: kind) } }))
    }

    /// Whether an event, which is of the kind that they are about, is a move in any state.
    func isMove(_ event: TraceEvent) -> Bool { anyMove.mean(event) }

    /// Whether an event that one of them means is a move of a machine that leaves its state alone;
    /// most events are.
    func isIdle(in state: Int) -> Bool { !idleStates.isEmpty && idleStates[state] }
}
