package import Bluetooth
package import DeviceLink

/// What finds the packet of a capture that an event of the same run's trace is about: whose it is, when, of
/// what sort, and which of those that are alike.
package struct Landmark: Hashable, Sendable {
    /// What packets and events are told apart by.
    package enum Sort: Hashable, Sendable {
        case sent, received, up, down, encrypted, updated, disconnecting
    }

    let host: Int
    let time: VirtualTime
    let sort: Sort
    let ordinal: Int

    /// Counts those that are alike.
    package struct Counter: Sendable {
        private var last: [Sort: [Int: Landmark]] = [:]

        package init() {}

        /// The next of a host; they come in the sequence of their times.
        package mutating func next(_ sort: Sort, of host: Int, at time: VirtualTime) -> Landmark {
            let before = last[sort]?[host]
            let ordinal = before.map { $0.time == time ? $0.ordinal + 1 : 0 } ?? 0
            let landmark = Landmark(host: host, time: time, sort: sort, ordinal: ordinal)
            last[sort, default: [:]][host] = landmark
            return landmark
        }
    }
}

extension Landmark.Sort {
    /// That of an event; nil for one that no packet has, or that is about the ATT PDU before it.
    package init?(_ kind: EventKind?) {
        switch kind {
        case .attSent: self = .sent
        case .attReceived: self = .received
        case .linkUp: self = .up
        case .linkDown: self = .down
        case .linkEncrypted: self = .encrypted
        case .linkUpdated: self = .updated
        case .airDisconnecting: self = .disconnecting
        default: return nil
        }
    }

    /// That of a packet of ours; nil for one that no event is about.
    package init?(_ packet: HCIPacket) {
        switch try? HCINews(packet) {
        case .data(_, true, let frame):
            guard frame.count > 4, frame[2] == UInt8(L2CAPChannel.attribute), frame[3] == 0 else {
                return nil
            }
            self = packet.direction == .toController ? .sent : .received
        case .connected: self = .up
        case .disconnected: self = .down
        case .encrypted: self = .encrypted
        case .updated: self = .updated
        case .disconnecting: self = .disconnecting
        default: return nil
        }
    }
}
