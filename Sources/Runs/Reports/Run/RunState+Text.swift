import Artifacts
import Basics
import DeviceLink
import Simulation

extension RunState {
    /// The most rows of what is pending that a person reads; the JSON has them all.
    private static let shown = 40

    /// All of it as tables, without a line feed at the end.
    package var text: String {
        let head =
            "\(topology), seed \(seed), at \(world.time.seconds) after step \(world.steps); "
            + "the next event is number \(world.nextEvent)"
        return ([head] + tables + faults).joined(separator: "\n\n")
    }

    private var tables: [String] {
        [
            table(
                "devices", header: ["device", "kind", "state", "life", "doing"],
                rows: world.devices.map { device in
                    [
                        device.name, device.kind, device.state.rawValue,
                        device.incarnation.map { "\($0)" } ?? "",
                        device.doing.joined(separator: ", "),
                    ]
                }),
            table(
                "links",
                header: [
                    "link", "central", "peripheral", "interval", "timeout", "session", "state",
                ],
                rows: world.links.map(row)),
            table(
                "radios",
                header: ["device", "handle", "session id", "address", "interval", "ranges with"],
                rows: world.radios.map { radio in
                    [
                        radio.device, "\(radio.handle)", "\(radio.sessionID)",
                        "\(radio.address) to \(radio.peerAddress)", radio.interval.seconds,
                        (radio.partner ?? "nobody") + (radio.isInitiator ? ", as initiator" : ""),
                    ]
                }),
            table(
                "NISessions", header: ["device", "session", "peer", "latest", "at", "event"],
                rows: sessions.map { session in
                    [
                        session.device, "\(session.session)", session.peer ?? "", session.latest,
                        session.time.seconds, "\(session.event)",
                    ]
                }),
            table(
                "open obligations",
                header: ["until", "since event", "promise", "about", "awaited"],
                rows: obligations.map { open in
                    [
                        open.deadline.map(\.seconds) ?? "", open.since.map { "\($0)" } ?? "",
                        open.promise, open.about, open.awaited,
                    ]
                }),
            pending,
        ]
    }

    private func row(_ link: WorldSnapshot.Link) -> [String] {
        let waiting =
            link.waiting.isEmpty ? [] : ["waiting: " + link.waiting.joined(separator: ", ")]
        return [
            "\(link.link)", link.central, link.peripheral, link.interval.seconds,
            link.timeout.seconds, link.session.map { "\($0)" } ?? "",
            (link.state + waiting).joined(separator: "; "),
        ]
    }

    private var pending: String {
        let rows = world.pending.map { event in
            [
                event.earliest.seconds, event.latest.seconds, event.state.rawValue, event.event,
                event.what,
            ]
        }
        let table = table(
            "pending events", header: ["earliest", "latest", "", "event", "what"],
            rows: Array(rows.prefix(Self.shown)))
        let more = (rows.count - Self.shown).more
        return table + (more.map { "\n  … \($0); --format json has them all" } ?? "")
    }

    private var faults: [String] {
        world.faults.isEmpty
            ? [] : ["faults that go on\n  " + world.faults.joined(separator: "\n  ")]
    }

    private func table(_ name: String, header: [String], rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "\(name): none" }
        let text = TextTable(header: header, rows: rows).text
        return "\(name)\n"
            + text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }
}
