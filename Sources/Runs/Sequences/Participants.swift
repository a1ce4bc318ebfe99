package import Traces

/// A device with a line of its own in a diagram.
package struct Participant: Equatable, Sendable, Encodable {
    package let name: String
    /// What it is; nil where the trace does not tell.
    package let role: String?
}

/// Who takes part in a run: found in a first reading of its trace.
package struct Participants: Sendable {
    /// Looked up, and sorted before it is listed.
    private var roles: [String: DeviceRole?] = [:]

    package init() {}

    package mutating func take(_ event: TraceEvent) {
        if !event.device.isEmpty, roles[event.device, default: nil] == nil {
            roles[event.device] = .some(event.role)
        }
        // A trace of real devices may know of a peer that says nothing.
        if let peer = event.text("peer"), roles[peer] == nil { roles[peer] = .some(nil) }
    }

    /// Apple devices, then accessories, each by name: the same places in every run of a topology.
    package var all: [Participant] {
        roles.sorted { Self.rank($0) < Self.rank($1) }.map {
            Participant(name: $0.key, role: $0.value?.rawValue)
        }
    }

    /// `tag-2` stands before `tag-10`.
    private static func rank(_ entry: (key: String, value: DeviceRole?)) -> Rank {
        let digits = entry.key.reversed().prefix { $0.isASCII && $0.isNumber }.count
        let place =
            switch entry.value {
            case .appleDevice: 0
            case .accessory: 1
            case nil: 2
            }
        return Rank(
            place: place, stem: String(entry.key.dropLast(digits)),
            number: UInt64(entry.key.suffix(digits)) ?? 0)
    }

    private struct Rank: Comparable {
        let place: Int
        let stem: String
        let number: UInt64

        static func < (one: Rank, other: Rank) -> Bool {
            (one.place, one.stem, one.number) < (other.place, other.stem, other.number)
        }
    }
}
