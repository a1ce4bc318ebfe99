internal import DeviceLink
package import Traces

/// Nothing that is answered by a notification is sent before the accessory acknowledged the
/// subscription.
///
/// A subscription that was made on an encrypted link holds on the next one as soon as that is
/// encrypted too: the accessory keeps it for a bonded phone (Core Spec Vol 3 Part G 3.3.3.3).
package struct SubscribedFirst: Promise {
    package static let about = PromiseDescription(
        id: "subscribed-first",
        clause: "Core Specification Vol 3 Part G 3.3.3.3",
        sentence: "The app sends no message that is answered by a notification before its "
            + "subscription has been acknowledged.",
        keeper: .app,
        kinds: [
            "msg.initialize.sent", "msg.configureAndStart.sent", "msg.stop.sent",
            "msg.getReserved.sent",
        ])

    package private(set) var record = Record()

    /// A monitor that has seen nothing.
    package init() {}

    package mutating func observe(_ event: TraceEvent, in scene: Scene) {
        guard let link = scene.link(event.link), link.central == event.device else { return }
        record.exercise()
        guard !link.isSubscribed else { return }
        let name = event.kind.split(separator: ".")[1]
        let peer = event.peer ?? "?"
        record.violate(
            Violation(
                promise: Self.about.id, device: event.device, time: event.time,
                key: "\(event.device) – \(peer), link \(event.link ?? 0)",
                sentence: "At \(event.time.seconds) \(event.device) sent \(name) to \(peer), "
                    + "which had not yet acknowledged a subscription to its answers.",
                events: [Citation(event)]))
    }
}
