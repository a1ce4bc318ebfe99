internal import DeviceLink
internal import Promises
internal import Traces

/// The latest events that later ones need, by what has to be the same in both.
struct Needs: Sendable {
    /// The values that have to be the same; most often there is one, which takes no memory of its own.
    private enum Same: Hashable {
        case one(Field.Value)
        case several(Binding)

        /// What an event has of these keys; no initializer, which would take a copy of the event.
        static func values(of keys: [EventKey], in event: TraceEvent) -> Same {
            keys.count == 1
                ? .one(event.value(of: keys[0]) ?? .none) : .several(Binding(keys, in: event))
        }

        func hash(into hasher: inout Hasher) {
            switch self {
            case .one(let value):
                var mixed: UInt64 = 0
                mixed.mix(value)
                hasher.combine(mixed)
            case .several(let binding): hasher.combine(binding)
            }
        }

        func agrees(with other: Same) -> Bool {
            switch (self, other) {
            case (.one(let mine), .one(let theirs)):
                mine == theirs || mine == .none || theirs == .none
            case (.several(let mine), .several(let theirs)): mine.agrees(with: theirs)
            default: false
            }
        }
    }

    /// How many are kept, so that a night's memory stays flat.
    private static let kept = 1_024

    /// The one, where nothing has to be the same.
    private var only: Citation?
    private var latest: [Same: Citation] = [:]

    /// Whether there is one, where nothing has to be the same.
    var hasAny: Bool { only != nil }

    /// The one that an event needs; nil where there is none.
    func source(of event: TraceEvent, same keys: [EventKey]) -> Citation? {
        keys.isEmpty ? only : latest[.values(of: keys, in: event)]
    }

    /// Keeps an event.
    mutating func keep(_ event: TraceEvent, same keys: [EventKey]) {
        guard !keys.isEmpty else { return only = Citation(event) }
        latest[.values(of: keys, in: event)] = Citation(event)
        if latest.count > 2 * Self.kept { forgetOlderHalf() }
    }

    /// An event undoes those that agree with it.
    mutating func undo(_ event: TraceEvent, same keys: [EventKey]) {
        only = nil
        guard !latest.isEmpty else { return }
        let same = Same.values(of: keys, in: event)
        latest = latest.filter { !$0.key.agrees(with: same) }
    }

    private mutating func forgetOlderHalf() {
        let middle = latest.values.map(\.number).sorted()[latest.count - Self.kept]
        latest = latest.filter { $0.value.number >= middle }
    }
}
