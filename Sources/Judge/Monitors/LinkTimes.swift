import Basics
import DeviceLink
import Promises
import Traces

/// The timing of its links as each device knows it: what bounds are multiples of.
struct LinkTimes: Sendable {
    private struct Place: Hashable {
        let device: String
        let link: Int64
    }

    private struct Pair: Hashable {
        let device: String
        let peer: String
    }

    private struct Timing {
        /// Nil where the trace does not tell.
        let interval: Nanoseconds?
        let supervisionTimeout: Nanoseconds?
        let peer: String
    }

    private var timings: SmallMap<Place, Timing> = [:]
    /// The latest link of each device with each peer.
    private var latest: SmallMap<Pair, Int64> = [:]

    /// The kinds of events that are about a link's timing.
    static let kinds: [EventKind] = [.linkUp, .linkUpdated, .linkDown, .deviceDied]

    /// Takes an event that may be of such a kind.
    mutating func take(_ event: TraceEvent) {
        switch event.kind {
        case .linkUp, .linkUpdated:
            // A status says success, or there is none.
            guard let link = event.number("link"), [nil, .number(0)].contains(event["status"])
            else { return }
            set(event, for: link)
        case .linkDown:
            guard let link = event.number("link") else { return }
            forget(Place(device: event.device, link: link))
        case .deviceDied:
            for place in timings.keys where place.device == event.device { forget(place) }
        default: break
        }
    }

    private mutating func set(_ event: TraceEvent, for link: Int64) {
        let (device, peer) = (event.device, event.text("peer") ?? "")
        let place = Place(device: device, link: link)
        guard event.kind == .linkUp || timings[place] != nil else { return }
        let latency = UInt64(max(0, event.number("latency") ?? 0))
        timings[place] = Timing(
            interval: event.duration("interval").map { $0.times(latency + 1) },
            supervisionTimeout: event.duration("timeout"), peer: peer)
        if event.kind == .linkUp { latest[Pair(device: device, peer: peer)] = link }
    }

    private mutating func forget(_ place: Place) {
        guard let timing = timings.removeValue(forKey: place) else { return }
        let pair = Pair(device: place.device, peer: timing.peer)
        if latest[pair] == place.link { latest[pair] = nil }
    }

    /// When a bound is over that counts from an event at a time; `never` where its link is not known.
    func deadline(
        _ bound: Property.TimeBound?, from time: VirtualTime, by event: TraceEvent?
    ) -> VirtualTime {
        guard let bound else { return .never }
        guard bound.intervals > 0 || bound.supervisionTimeouts > 0 else {
            return time + bound.fixed
        }
        guard let event, let timing = timing(of: event),
            let interval = bound.intervals > 0 ? timing.interval : 0,
            let timeout = bound.supervisionTimeouts > 0 ? timing.supervisionTimeout : 0
        else { return .never }
        return time + bound.fixed + interval.times(bound.intervals)
            + timeout.times(bound.supervisionTimeouts)
    }

    private func timing(of event: TraceEvent) -> Timing? {
        let link =
            event.number("link")
            ?? event.text("peer").flatMap { latest[Pair(device: event.device, peer: $0)] }
        return link.flatMap { timings[Place(device: event.device, link: $0)] }
    }
}

extension TraceEvent {
    fileprivate func duration(_ field: String) -> Nanoseconds? {
        number(field).map { Nanoseconds(max(0, $0)) }
    }
}
