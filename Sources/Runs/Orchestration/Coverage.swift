import DeviceLink
package import Traces
import Vocabulary

/// What runs have shown of the devices' lives.
///
/// Only its growth is reported: once nothing new comes, more runs of this kind are unlikely to show anything.
package struct Coverage: Codable, Equatable {
    /// What is covered, each a hash of what it consists of.
    package enum Kind: String, Codable, CaseIterable {
        /// In which state a device of a role was, and what happened to it then; a state is the last such
        /// event.
        case states
        /// Which fault began while a device of a role was in which state.
        case faults
        /// Which message was under way when its link ended.
        case inFlight
    }

    package private(set) var seen: [Kind: Set<UInt64>] = [:]

    package init() {}

    /// How many different items of a kind were seen.
    package func count(_ kind: Kind) -> Int { seen[kind]?.count ?? 0 }

    package var count: Int { Kind.allCases.reduce(0) { $0 + count($1) } }

    /// Adds one; false where it was seen before.
    @discardableResult
    package mutating func insert(_ hash: UInt64, of kind: Kind) -> Bool {
        seen[kind, default: []].insert(hash).inserted
    }

    package mutating func add(_ other: Coverage) {
        for (kind, hashes) in other.seen { seen[kind, default: []].formUnion(hashes) }
    }
}

/// Watches runs one after another, and collects what is new in each lot.
package final class CoverageObserver: RunSink {
    private var known = Coverage()
    private var fresh = Coverage()
    /// The last event of each device; looked up only.
    private var states: [String: (role: DeviceRole, kind: String)] = [:]
    /// Messages that were sent and not received, by link and sender; looked up only.
    private var inFlight: [Int64: [(sender: String, name: Substring)]] = [:]

    private static let lives = ["ni.", "app.", "msg.", "link.", "system.", "accessory."]

    /// What ends a fault, as ``name(of:)`` has it.
    private static let endings = Set(
        VerbForm.endings.map { form in
            form.command.map { command in
                ([EventKind.faultCommand.rawValue, command.name] + command.arguments.map(\.value))
                    .joined(separator: " ")
            } ?? "fault.\(form.name.rawValue)"
        })

    package init() {}

    /// What was new since the last time.
    package func takeNew() -> Coverage {
        defer { fresh = Coverage() }
        return fresh
    }

    package func take(_ event: TraceEvent) {
        if event.kind == .runStarted { (states, inFlight) = ([:], [:]) }
        if event.name.hasPrefix("fault.") { return fault(event) }
        if event.kind == .airDisconnected { return linkEnded(event) }
        guard let role = event.role, Self.lives.contains(where: event.name.hasPrefix) else {
            return
        }
        let before = states[event.device]?.kind ?? ""
        note(.states, of: role.rawValue, before, event.name)
        states[event.device] = (role, event.name)
        if event.name.hasPrefix("msg.") { message(event) }
    }

    private func fault(_ event: TraceEvent) {
        let name = Self.name(of: event)
        guard event["ended"] == nil, !Self.endings.contains(name) else { return }
        for (role, kind) in states.values { note(.faults, of: name, role.rawValue, kind) }
    }

    /// The fault; for a command, with its name and arguments.
    private static func name(of event: TraceEvent) -> String {
        guard event.kind == .faultCommand else { return event.name }
        let said = event.fields.filter { !["peer", "error"].contains($0.name) }
        let words = said.compactMap { event.text($0.name) }
        return ([event.name] + words).joined(separator: " ")
    }

    private func message(_ event: TraceEvent) {
        let words = event.name.split(separator: ".")
        guard words.count == 3, let link = event.number("link") else { return }
        if words[2] == "sent" {
            inFlight[link, default: []].append((event.device, words[1]))
        } else if let place = inFlight[link]?.firstIndex(where: { $0.sender != event.device }) {
            inFlight[link]?.remove(at: place)
        }
    }

    private func linkEnded(_ event: TraceEvent) {
        guard let link = event.number("link"), let messages = inFlight.removeValue(forKey: link)
        else {
            return
        }
        for message in messages { note(.inFlight, of: String(message.name)) }
    }

    private func note(_ kind: Coverage.Kind, of words: String...) {
        let hash = words.reduce(Keyed(0)) { $0.with($1) }.value
        if known.insert(hash, of: kind) { fresh.insert(hash, of: kind) }
    }
}
