package import Traces

/// The NISessions of a run and what was last seen of each, from the trace alone.
package struct NISessions: Sendable {
    /// An NISession that was not invalidated.
    package struct Session: Encodable, Equatable, Sendable {
        package let device: String
        /// The session's ordinal on its device.
        package let session: Int64
        /// The accessory it is for; nil if the trace does not say.
        package internal(set) var peer: String?
        /// The latest event of it: `ni.didUpdate`.
        package internal(set) var latest: String
        package internal(set) var event: UInt64
        /// The virtual time of that event, in nanoseconds.
        package internal(set) var time: UInt64
    }

    /// In the order in which they were first seen.
    package private(set) var all: [Session] = []

    package init() {}

    package mutating func take(_ event: TraceEvent) {
        switch event.kind {
        case .appTerminated, .deviceDied: all.removeAll { $0.device == event.device }
        case .niInvalidate, .niDidInvalidate:
            guard let index = index(of: event) else { return }
            all.remove(at: index)
        default: if event.name.hasPrefix("ni.") { see(event) }
        }
    }

    private func index(of event: TraceEvent) -> Int? {
        let number = event.number("ni-session")
        return all.firstIndex { $0.device == event.device && $0.session == number }
    }

    private mutating func see(_ event: TraceEvent) {
        guard let number = event.number("ni-session") else { return }
        let index = index(of: event) ?? all.count
        if index == all.count {
            all.append(
                Session(
                    device: event.device, session: number, peer: nil, latest: "", event: 0, time: 0)
            )
        }
        all[index].peer = event.text("peer") ?? all[index].peer
        all[index].latest = event.name
        all[index].event = event.number
        all[index].time = event.time.nanoseconds
    }
}
