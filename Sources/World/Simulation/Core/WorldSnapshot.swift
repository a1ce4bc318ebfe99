/// What a run is like between two steps, for people who look into it.
///
/// Times are nanoseconds of virtual time.
package struct WorldSnapshot: Encodable, Equatable, Sendable {
    package struct Device: Encodable, Equatable, Sendable {
        package enum State: String, Encodable, Sendable {
            /// It has not been switched on yet.
            case off
            /// It gets its turns.
            case alive
            /// It gets no turns.
            case frozen
            /// Its process is gone.
            case dead
        }

        package var name: String
        /// Its model or profile.
        package var kind: String
        package var state: State
        /// Which of its lives this is, from 0; nil before the first one.
        package var incarnation: UInt32?
        /// What it does on the air, in words: `advertises`.
        package var doing: [String]
    }

    /// A Bluetooth connection on the air.
    package struct Link: Encodable, Equatable, Sendable {
        /// Its number in the trace.
        package var link: Int
        package var central: String
        package var peripheral: String
        package var interval: UInt64
        package var timeout: UInt64
        /// What is special about it, in words: `encrypted`.
        package var state: [String]
        /// The accessory session that its app began last; nil where it has begun none.
        package var session: Int64?
        /// What waits for a connection event, the central's first: `ben: 23 bytes`.
        package var waiting: [String]
    }

    /// A session of a UWB radio that is on.
    package struct Radio: Encodable, Equatable, Sendable {
        package var device: String
        /// The device's own name for the session.
        package var handle: UInt32
        /// The FiRa session id.
        package var sessionID: UInt32
        /// Its short address.
        package var address: UInt16
        package var peerAddress: UInt16
        package var interval: UInt64
        package var isInitiator: Bool
        /// The device whose radio ranges with it; nil where none hears it.
        package var partner: String?
    }

    package struct Pending: Encodable, Equatable, Sendable {
        /// What keeps it.
        package enum State: String, Encodable, Sendable {
            /// It may be the next step.
            case next
            /// Something else comes first.
            case later
            /// A held link or a frozen device keeps it, for as long as that lasts.
            case held
        }

        /// Not before this.
        package var earliest: UInt64
        /// Not after this.
        package var latest: UInt64
        package var state: State
        /// Its identity: channel and ordinal, as decisions name it.
        package var event: String
        /// What happens then, in words.
        package var what: String
    }

    /// The time of the last step.
    package var time: UInt64
    package var steps: UInt64
    /// The number of the event that the trace has next.
    package var nextEvent: UInt64
    /// The devices, in the order of the topology.
    package var devices: [Device]
    /// The links, by number.
    package var links: [Link]
    /// The radios' sessions, in the order of the devices.
    package var radios: [Radio]
    /// Faults that have begun and not ended, as patterns of their events.
    package var faults: [String]
    /// All that is pending, in the order in which it could happen; what is held comes last.
    package var pending: [Pending]
}
