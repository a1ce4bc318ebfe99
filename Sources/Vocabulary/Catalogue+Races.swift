extension Catalogue {
    /// The two sides of a race: kinds of what is in the trace, beginnings of such kinds, and what
    /// happens without a trace: `timer NAME`, `connection event`, `ranging round`, `advertising event`.
    package struct Race: Equatable, Sendable {
        /// What races with ``other``; one of these is enough.
        package let one: [String]
        /// What races with ``one``; one of these is enough.
        package let other: [String]

        /// Whether two events, each by all that it is, are its two sides, whichever is first.
        package func isBetween(_ first: [String], _ second: [String]) -> Bool {
            let (first, second) = (sides(of: first), sides(of: second))
            return first.one && second.other || first.other && second.one
        }

        /// Of which sides an event is, by all that it is.
        package func sides(of kinds: [String]) -> (one: Bool, other: Bool) {
            (Self.has(one, kinds), Self.has(other, kinds))
        }

        private static func has(_ side: [String], _ kinds: [String]) -> Bool {
            side.contains { kind in kinds.contains { $0 == kind || $0.hasPrefix("\(kind).") } }
        }
    }

    /// The race that a defect of ours declares, by the defect's name; nil where its order does not
    /// matter, or nothing is known of it.
    package static func race(of defect: String) -> Race? { races[defect] }

    /// The defects that declare one.
    package static let racingDefects = races.keys.sorted()

    // What comes between a link and ranging.
    private static let handshake = [
        "gatt.subscribed", "app.start", "msg", "ni.run", "ni.didStartRunning",
        "ni.didGenerateShareableConfigurationData", "uwb.starting", "uwb.started",
    ]
    private static let rangingBegins = [
        "uwb.starting", "uwb.started", "ni.didStartRunning",
        "ni.didGenerateShareableConfigurationData", "msg.configureAndStart",
        "msg.accessoryUwbDidStart",
    ]
    private static let suspension = ["fault.command", "app.background", "ni.sessionWasSuspended"]
    private static let linkEnds = [
        "fault.disconnect", "fault.partition", "fault.loss", "fault.hold", "fault.kill",
        "fault.freeze", "air.disconnected", "link.down", "app.disconnected", "app.terminated",
    ]

    /// Looked up only.
    private static let races: [String: Race] = [
        // Apps.
        "abandons-lost-link": Race(one: handshake, other: linkEnds),
        "delays-shareable-data": Race(
            one: ["ni.didGenerateShareableConfigurationData", "msg.configureAndStart"],
            other: ["ni.invalidate", "ni.didInvalidate", "ni.sessionWasSuspended"] + linkEnds),
        "disconnects-on-did-stop": Race(one: handshake, other: ["fault"]),
        "ignores-removal": Race(one: handshake, other: ["fault", "ni.didRemove"]),
        "initialize-before-subscription": Race(
            one: ["msg.initialize"], other: ["gatt.subscribed", "app.subscribed"]),
        "forgets-to-invalidate": Race(
            one: ["ni.created"] + handshake,
            other: ["ni.didUpdate", "ni.didRemove", "ni.didInvalidate", "ni.sessionWasSuspended"]
                + linkEnds),
        "keeps-lost-accessories": Race(
            one: ["air.connecting", "air.connected"],
            other: ["air.advertising", "advertising event"]),
        "keeps-session-after-disconnect": Race(
            one: rangingBegins, other: ["link.up", "msg.accessoryConfigurationData"] + linkEnds),
        "ranges-through-suspension": Race(one: rangingBegins, other: suspension),
        "resumes-old-configuration": Race(one: rangingBegins, other: suspension),
        "runs-while-suspended": Race(
            one: rangingBegins + ["ni.run"], other: suspension + ["ni.sessionSuspensionEnded"]),
        "second-session-per-service": Race(
            one: ["ni.created", "app.start"], other: ["msg.accessoryConfigurationData"]),
        "single-configuration": Race(
            one: ["ni.didGenerateShareableConfigurationData"],
            other: ["msg.accessoryConfigurationData", "ni.run", "msg.configureAndStart"]),
        "tries-after-giving-up": Race(one: handshake, other: ["fault"]),
        "unbounded-retries": Race(one: handshake, other: ["fault"]),
        "writes-after-invalidation": Race(one: handshake, other: ["fault.corrupt"] + linkEnds),

        // The system of an Apple device.
        "starts-in-background": Race(
            one: ["ni.run", "link.up", "air.connected"] + linkEnds, other: suspension),
        "updates-after-removal": Race(one: ["ranging round"], other: ["ni.didRemove"] + linkEnds),

        // Accessories.
        "advertises-once": Race(one: linkEnds, other: ["air.connecting", "air.connected"]),
        "bad-supervision": Race(one: ["link.updated"], other: rangingBegins),
        "configuration-erased-after-start": Race(
            one: ["gatt.configuration"], other: ["msg.configureAndStart"]),
        "did-start-without-radio": Race(
            one: ["msg.accessoryUwbDidStart"], other: ["uwb.refused"]),
        "double-configuration": Race(
            one: ["ni.run"], other: ["msg.accessoryConfigurationData"]),
        "ignores-initialize-while-ranging": Race(
            one: ["msg.initialize", "fault"], other: ["msg.stop", "msg.malformed", "uwb.stopped"]),
        "lost-request": Race(
            // A message goes at this connection event or at the next one.
            one: ["msg", "fault"], other: ["timer handling", "connection event"]),
        "one-single-for-all": Race(one: ["gatt.configuration"], other: ["msg.initialize"]),
        "notifies-wrong-link": Race(
            one: ["link.up", "air.connected"], other: ["msg"]),
        "ranges-after-disconnect": Race(one: linkEnds, other: rangingBegins + ["msg.stop"]),
        "replayed-start": Race(one: ["msg.configureAndStart"], other: ["msg.initialize"]),
        "stop-acknowledged-though-running": Race(
            one: rangingBegins, other: ["msg.stop", "fault"] + suspension),
        "stop-answers-did-start": Race(
            one: rangingBegins, other: ["msg.stop", "fault"] + suspension),
        "stop-stops-everyone": Race(one: ["msg.stop"], other: rangingBegins),
        "unencrypted-configuration": Race(
            one: ["gatt.configuration"], other: ["link.encrypted"]),

        // The classics among the devices to measure with.
        "commits-early": Race(one: ["att.received"], other: ["att.received"]),
        "forgets-pings": Race(
            one: ["att.received", "connection event"], other: ["att.received", "timer patience"]),
        "small-quorum": Race(one: ["att.received"], other: ["att.received"]),
    ]
}
