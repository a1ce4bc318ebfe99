internal import DeviceLink
package import Traces

/// An accessory never sends the same configuration data for two sessions.
///
/// Compared are the bytes of all configuration data that one incarnation of an accessory sent, on
/// whichever link. Data that a fault has spoilt is passed over.
package struct FreshConfiguration: Promise {
    package static let about = PromiseDescription(
        id: "fresh-configuration",
        clause: "R4 3.4.1",
        sentence: "For every new session the accessory generates new accessory configuration data.",
        keeper: .accessory,
        kinds: ["msg.accessoryConfigurationData.sent"])

    private struct Key: Hashable {
        let accessory: String
        let incarnation: Int
        let bytes: [UInt8]
    }

    private struct Use {
        let session: Int64
        let event: Citation
    }

    package private(set) var record = Record()
    private var uses = BoundedMap<Key, Use>(capacity: 8_192)

    /// A monitor that has seen nothing.
    package init() {}

    package mutating func observe(_ event: TraceEvent, in scene: Scene) {
        guard !event.isSpoilt else { return record.excuse() }
        guard let bytes = event.bytes("configuration"), let session = event.session else { return }
        record.exercise()
        let key = Key(
            accessory: event.device, incarnation: scene.device(event.device).starts, bytes: bytes)
        guard let use = uses[key] else {
            return uses.set(key, Use(session: session, event: Citation(event)))
        }
        guard use.session != session else { return }
        let peer = event.peer ?? "?"
        record.violate(
            Violation(
                promise: Self.about.id, device: event.device, time: event.time,
                key: "\(peer) – \(event.device), session \(session)",
                sentence: "At \(event.time.seconds) \(event.device) answered session \(session) of "
                    + "\(peer) with the configuration data it had sent for session \(use.session) "
                    + "at \(use.event.time.seconds).",
                events: [use.event, Citation(event)]))
    }
}
