package import Artifacts
import Basics
import DeviceLink
import Sequences
import Topologies
package import Traces

/// A topology that plays what a capture shows, as far as it shows it: a draft for somebody to finish.
///
/// What devices asked of each other is taken over: timing, MTU, services, bonds, what the phone began and ended,
/// and links that ended. What a capture of HCI cannot show (where devices are, why the app did something, what
/// UWB measured) is said in comments.
package struct TopologyDraft {
    /// What is known of a device.
    private struct Device {
        let name: String
        let isPhone: Bool
        var parameters: [(name: String, value: String)] = []
        var isMulti = false
        var hasSeenMessages = false

        mutating func set(_ name: String, _ value: String) {
            guard !parameters.contains(where: { $0.name == name }) else { return }
            parameters.append((name, value))
        }
    }

    private let source: String
    private var devices: [Device] = []
    /// The steps in words, in the sequence of their times.
    private var steps: [String] = []
    /// The messages in the sequence in which the phones sent and received them.
    private var messages: [String] = []
    /// By phone and accessory: the message that the phone sent or received last, how many like it there were
    /// before, and when; looked up only.
    private var latest: [[String]: (message: String, skip: Int, time: VirtualTime)] = [:]
    /// How often each message came; looked up only.
    private var counts: [String: Int] = [:]
    /// By phone and accessory: whether its session was stopped; looked up only.
    private var stopped: Set<[String]> = []
    /// By accessory: how many links it has; looked up only.
    private var links: [String: Int] = [:]
    private var end = VirtualTime.zero

    /// So many messages are expected, and so many steps taken over.
    private static let mostMessages = 40
    private static let mostSteps = 1_000

    /// A draft of nothing; `source` is what the capture is called.
    package init(of source: String) { self.source = source }

    package mutating func take(_ event: TraceEvent) {
        end = event.time
        if event.kind == .deviceStarted, devices.count < TopologyLimits.devices {
            devices.append(Device(name: event.device, isPhone: event.role == .appleDevice))
        }
        guard let place = devices.firstIndex(where: { $0.name == event.device }) else { return }
        switch event.kind {
        case .linkUp: linkUp(event, place)
        case .linkDown: linkDown(event, place)
        case .linkEncrypted:
            if devices[place].isPhone, event.number("status") == 0 {
                devices[place].set("bonded", "true")
            }
        case .gattService: learnService(event)
        case .msgStopSent: step("stop", event)
        case .msgInitializeSent: initialize(event)
        default: break
        }
        note(event, place)
    }

    private mutating func linkUp(_ event: TraceEvent, _ place: Int) {
        links[event.device, default: 0] += 1
        if !devices[place].isPhone, links[event.device, default: 0] > 1 {
            devices[place].isMulti = true
        }
        guard devices[place].isPhone else { return }
        for (field, parameter) in [
            ("interval", "connection-interval"), ("timeout", "connection-timeout"),
        ] {
            guard let value = event.number(field) else { continue }
            devices[place].set(parameter, Quantity.duration.text(of: value))
        }
    }

    private mutating func linkDown(_ event: TraceEvent, _ place: Int) {
        links[event.device, default: 1] -= 1
        guard devices[place].isPhone, let peer = event.text("peer") else { return }
        let reason = event.number("reason") ?? 0x13
        let usable = (1...0x45).contains(reason) ? reason : 0x13
        add(
            "disconnect: [\(event.device), \(peer)], reason: \(usable)", event, peer,
            saying: DisconnectReason.words(reason))
        stopped.remove([event.device, peer])
    }

    private mutating func learnService(_ event: TraceEvent) {
        guard event.text("service") == "nus", let peer = event.text("peer"),
            let accessory = devices.firstIndex(where: { $0.name == peer })
        else { return }
        devices[accessory].set("service", "nus")
    }

    private mutating func initialize(_ event: TraceEvent) {
        guard let peer = event.text("peer"), stopped.remove([event.device, peer]) != nil else {
            return
        }
        add("start: \(event.device), peer: \(peer)", event, peer)
    }

    private mutating func step(_ verb: String, _ event: TraceEvent) {
        guard let peer = event.text("peer"), stopped.insert([event.device, peer]).inserted else {
            return
        }
        add("\(verb): \(event.device), peer: \(peer)", event, peer)
    }

    /// Adds a step that comes as long after the last message of the pair as it did in the capture: what comes
    /// before may take another time here.
    private mutating func add(
        _ deed: String, _ event: TraceEvent, _ peer: String, saying comment: String? = nil
    ) {
        guard steps.count < Self.mostSteps else { return }
        let said = comment.map { ": \($0)" } ?? ""
        guard let last = latest[[event.device, peer]] else {
            steps.append("  - {at: \(moment(event.time.nanoseconds)), \(deed)}  # as there\(said)")
            return
        }
        var words = ["when: \(last.message)"]
        if last.skip > 0 { words.append("skip: \(last.skip)") }
        let wait = event.time - last.time
        if wait >= 1_000_000 { words.append("after: \(moment(wait))") }
        steps.append(
            "  - {\((words + [deed]).joined(separator: ", "))}  # there at "
                + "\(moment(event.time.nanoseconds))\(said)")
    }

    private mutating func note(_ event: TraceEvent, _ place: Int) {
        guard event.name.hasPrefix("msg."), let peer = event.text("peer") else { return }
        devices[place].hasSeenMessages = true
        guard devices[place].isPhone else { return }
        let message = "\(event.name) on \(event.device) with peer = \(peer)"
        latest[[event.device, peer]] = (message, counts[message, default: 0], event.time)
        counts[message, default: 0] += 1
        if messages.count < Self.mostMessages { messages.append(message) }
    }

    private func moment(_ nanoseconds: Nanoseconds) -> String {
        // To the millisecond: nobody's clocks agree on more.
        let whole = nanoseconds / 1_000_000 * 1_000_000
        return Quantity.duration.text(of: Int64(clamping: min(whole, TopologyLimits.length)))
    }

    /// The draft; `input` tells of what it has read what no event does.
    package func text(_ input: CaptureInput) -> String {
        let seconds = min(
            end.nanoseconds / 1_000_000_000 + 5, TopologyLimits.length / 1_000_000_000)
        var lines = [
            "# A draft by anechoic topology-from, of \(plainLine(source)).",
            "# The capture does not show where devices are, what the app and its user wanted, what NISessions told",
            "# the app, and what UWB measured: positions, models and the app's behaviour are the usual ones here.",
        ]
        lines += input.remarks.map { "# Not seen: \(plainLine($0))." }
        lines += ["about: Plays what \(quoted(source)) shows.", "length: \(seconds)s"]
        lines.append("devices:")
        for device in devices { lines.append(line(of: device, mtu: input.mtus[device.name])) }
        if !steps.isEmpty { lines += ["steps:"] + steps }
        if messages.count > 1 {
            lines += [
                "expect:", "  # The messages of the capture, as the phones' hosts saw them.",
                "  - in order within \(seconds)s:",
            ]
            lines += messages.map { "      - \($0)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func line(of device: Device, mtu: Int?) -> String {
        var settings = device.parameters.map { "\($0.name): \($0.value)" }
        if let mtu, (23...517).contains(mtu) { settings.append("mtu: \(mtu)") }
        let what =
            device.isPhone ? "model: iPhone 15" : "profile: \(device.isMulti ? "multi" : "qorvo")"
        let guess =
            device.isPhone
            ? "the model is a guess"
            : device.hasSeenMessages
                ? "the profile is a guess, by its services and links"
                : "a guess: none of its messages was seen"
        let place = device.isPhone ? "[0m, 0m]" : "[2m, 0m]"
        return
            "  \(device.name): {\(([what, "at: \(place)"] + settings).joined(separator: ", "))}  # \(guess)"
    }

    private func quoted(_ text: String) -> String {
        plainLine(text).filter { $0.isLetter || $0.isNumber || "-_./ ".contains($0) }
    }
}
