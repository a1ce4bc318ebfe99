import Basics
import Traces

/// The latest events that later ones need, by what has to be the same in both.
struct Needs: Sendable {
    /// How many are kept, so that a night's memory stays flat.
    private static let kept = 1_024

    /// The one, where nothing has to be the same.
    private var only: Citation?
    private var latest: SmallMap<Binding, Citation> = [:]

    mutating func reset() {
        if only != nil { only = nil }
        if !latest.isEmpty { latest.removeAll() }
    }

    /// Whether there is one, where nothing has to be the same.
    var hasAny: Bool { only != nil }

    /// The one that an event needs; nil where there is none.
    func source(
        of event: TraceEvent, with marks: inout KeyMarks, same keys: [Int]
    ) -> Citation? {
        keys.isEmpty ? only : latest[Binding.of(keys, in: event, with: &marks)]
    }

    /// Keeps an event as the latest one with its values of these keys.
    mutating func keep(_ event: TraceEvent, with marks: inout KeyMarks, same keys: [Int]) {
        guard !keys.isEmpty else { return only = Citation(event) }
        latest[Binding.of(keys, in: event, with: &marks)] = Citation(event)
        if latest.count > 2 * Self.kept { forgetOlderHalf() }
    }

    /// An event undoes those that agree with it.
    mutating func undo(_ event: TraceEvent, with marks: inout KeyMarks, same keys: [Int]) {
        only = nil
        guard !latest.isEmpty else { return }
        let same = Binding.of(keys, in: event, with: &marks)
        latest.removeAll { $0.key.agrees(with: same) }
    }

    private mutating func forgetOlderHalf() {
        let middle = latest.map { $0.value.number }.sorted()[latest.count - Self.kept]
        latest.removeAll { $0.value.number < middle }
    }
}
