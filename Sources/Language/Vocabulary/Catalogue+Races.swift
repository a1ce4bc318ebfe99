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
    package static func race(of defect: String) -> Race? {
        AccessoryDefect(rawValue: defect)?.race ?? AppDefect(rawValue: defect)?.race
            ?? SystemDefect(rawValue: defect)?.race ?? classics[defect]
    }

    /// The defects that declare one.
    package static let racingDefects =
        (AccessoryDefect.allCases.map(\.rawValue) + AppDefect.allCases.map(\.rawValue)
        + SystemDefect.allCases.map(\.rawValue)).filter { race(of: $0) != nil }
        + classics.keys.sorted()

    /// The classics among the devices to measure with.
    private static let classics: [String: Race] = [
        "commits-early": Race(one: ["att.received"], other: ["att.received"]),
        "forgets-pings": Race(
            one: ["att.received", "connection event"], other: ["att.received", "timer patience"]),
        "small-quorum": Race(one: ["att.received"], other: ["att.received"]),
    ]
}

extension Catalogue.Race {
    // What comes between a link and ranging.
    static let handshake = [
        "gatt.subscribed", "app.start", "msg", "ni.run", "ni.didStartRunning",
        "ni.didGenerateShareableConfigurationData", "uwb.starting", "uwb.started",
    ]
    static let rangingBegins = [
        "uwb.starting", "uwb.started", "ni.didStartRunning",
        "ni.didGenerateShareableConfigurationData", "msg.configureAndStart",
        "msg.accessoryUwbDidStart",
    ]
    static let suspension = ["fault.command", "app.background", "ni.sessionWasSuspended"]
    static let linkEnds = [
        "fault.disconnect", "fault.partition", "fault.loss", "fault.hold", "fault.kill",
        "fault.freeze", "air.disconnected", "link.down", "app.disconnected", "app.terminated",
    ]
}
