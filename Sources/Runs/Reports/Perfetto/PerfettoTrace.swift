internal import DeviceLink
package import Traces

/// A run as a trace of Perfetto (https://ui.perfetto.dev, `protos/perfetto/trace/trace_packet.proto`).
///
/// Each device has a track with its events. Below it each link, NISession and radio has one with a slice as long
/// as it lasts, so that slices which overlap never share a track. A message is a flow from the event at which it
/// leaves to that at which it arrives; one that is lost is a flow without an end.
package struct PerfettoTrace {
    /// All bytes so far: a message `Trace`.
    package private(set) var bytes: [UInt8] = []
    /// The numbers of the tracks by their names, with that of the device in front; looked up only.
    private var tracks: [String: UInt64] = [:]
    /// Slices that have begun: the times of their beginnings, in the sequence in which they began.
    private var open: [String] = []
    /// The messages underway, by link, direction and name; looked up only.
    private var underway: [String: [UInt64]] = [:]
    private var nextFlow: UInt64 = 1
    private var now = VirtualTime.zero
    /// What is to be said of events beside themselves, by their numbers.
    private let violations: [UInt64: [String]]
    /// What was broken when nothing happened.
    private let others: [(time: VirtualTime, text: String)]

    /// The fields that are written (`track_event.proto`, `track_descriptor.proto`).
    private enum Tag {
        static let packet: UInt64 = 1
        static let timestamp: UInt64 = 8
        static let sequence: UInt64 = 10
        static let event: UInt64 = 11
        static let descriptor: UInt64 = 60
        static let track: UInt64 = 11
        static let type: UInt64 = 9
        static let category: UInt64 = 22
        static let name: UInt64 = 23
        static let annotation: UInt64 = 4
        static let flow: UInt64 = 47
        static let endingFlow: UInt64 = 48
    }

    private enum EventType: UInt64 {
        case begin = 1, end = 2, instant = 3
    }

    /// A trace without events; `report` says what was broken, where that is known.
    package init(_ report: RunReport?) {
        var violations: [UInt64: [String]] = [:]
        var others: [(VirtualTime, String)] = []
        for promise in report?.promises ?? [] {
            for violation in promise.violations {
                let text = "broken: \(promise.promise)"
                if let last = violation.events.max() {
                    violations[last, default: []].append(text)
                } else if violation.time != .max {
                    others.append((VirtualTime(nanoseconds: violation.time), text))
                }
            }
        }
        (self.violations, self.others) = (violations, others)
    }

    /// Adds the next event.
    package mutating func take(_ event: TraceEvent) {
        now = event.time
        let device = event.device.isEmpty ? "run" : event.device
        let track = track(device, below: nil)
        var message = instant(
            event.name, on: track, category: event.kind.map { String($0.family) } ?? "own")
        for field in event.fields { message.add(Tag.annotation, Self.annotation(field)) }
        addFlow(of: event, to: &message)
        write(message, at: event.time)
        for text in violations[event.number] ?? [] {
            write(instant(text, on: track, category: "promise"), at: event.time)
        }
        slice(event, of: device)
    }

    /// Ends what has not ended.
    package mutating func finish() {
        for name in open { write(Self.boundary(.end, on: tracks[name] ?? 0), at: now) }
        open = []
        let run = track("run", below: nil)
        for other in others {
            write(instant(other.text, on: run, category: "promise"), at: other.time)
        }
    }

    // MARK: Slices

    /// Begins or ends the slice that an event is about.
    private mutating func slice(_ event: TraceEvent, of device: String) {
        func name(_ word: String, _ field: String) -> String? {
            event.number(field).map { (number: Int64) -> String in "\(word) \(number)" }
        }
        switch event.kind {
        case .linkUp: begin(name("link", "link"), of: device, with: event.text("peer"))
        case .linkDown: end(name("link", "link"), of: device)
        case .niRun: begin(name("NISession", "ni-session"), of: device, with: event.text("peer"))
        case .niPause, .niInvalidate, .niDidInvalidate:
            end(name("NISession", "ni-session"), of: device)
        case .uwbStarted: begin(name("radio", "handle"), of: device, with: nil)
        case .uwbStopped: end(name("radio", "handle"), of: device)
        case .deviceDied:
            for name in open where name.hasPrefix("\(device)/") { close(name) }
        default: break
        }
    }

    private mutating func begin(_ name: String?, of device: String, with peer: String?) {
        guard let name, !open.contains("\(device)/\(name)") else { return }
        let parent = track(device, below: nil)
        let track = track(name, below: (device, parent))
        var message = Self.boundary(.begin, on: track)
        message.add(Tag.name, peer.map { "\(name) with \($0)" } ?? name)
        write(message, at: now)
        open.append("\(device)/\(name)")
    }

    private mutating func end(_ name: String?, of device: String) {
        if let name { close("\(device)/\(name)") }
    }

    private mutating func close(_ name: String) {
        guard let place = open.firstIndex(of: name) else { return }
        open.remove(at: place)
        write(Self.boundary(.end, on: tracks[name] ?? 0), at: now)
    }

    // MARK: Flows

    private mutating func addFlow(of event: TraceEvent, to message: inout ProtobufMessage) {
        guard event.kind?.family == "msg", let link = event.number("link"),
            let peer = event.text("peer"), let dot = event.name.lastIndex(of: ".")
        else { return }
        let isSent = event.name[dot...] == ".sent"
        let (from, to) = isSent ? (event.device, peer) : (peer, event.device)
        let key = "\(link) \(from) \(to) " + event.name[..<dot]
        if isSent {
            underway[key, default: []].append(nextFlow)
            message.add(Tag.flow, fixed: nextFlow)
            nextFlow += 1
        } else if let first = underway[key]?.first {
            underway[key]?.removeFirst()
            message.add(Tag.endingFlow, fixed: first)
        }
    }

    // MARK: Packets

    /// The number of a track, which is described when it is used for the first time.
    private mutating func track(
        _ name: String, below parent: (name: String, track: UInt64)?
    ) -> UInt64 {
        let key = parent.map { "\($0.name)/\(name)" } ?? name
        if let known = tracks[key] { return known }
        let number = UInt64(tracks.count + 1)
        tracks[key] = number
        var descriptor = ProtobufMessage()
        descriptor.add(1, number)
        descriptor.add(2, name)
        if let parent { descriptor.add(5, parent.track) }
        var packet = ProtobufMessage()
        packet.add(Tag.descriptor, descriptor)
        write(packet: packet)
        return number
    }

    private func instant(
        _ name: String, on track: UInt64, category: String
    ) -> ProtobufMessage {
        var message = Self.boundary(.instant, on: track)
        message.add(Tag.category, category)
        message.add(Tag.name, name)
        return message
    }

    private static func boundary(_ type: EventType, on track: UInt64) -> ProtobufMessage {
        var message = ProtobufMessage()
        message.add(Tag.type, type.rawValue)
        message.add(Tag.track, track)
        return message
    }

    /// A field as Perfetto shows it beside an event.
    private static func annotation(_ field: Field) -> ProtobufMessage {
        var message = ProtobufMessage()
        message.add(10, field.name)
        switch field.value {
        case .text(let text): message.add(6, text)
        case .number(let number): message.add(4, UInt64(bitPattern: number))
        case .flag(let flag): message.add(2, flag ? 1 : 0)
        case .bytes(let bytes): message.add(6, String(hexadecimalPairs: bytes))
        case .none: message.add(6, "none")
        }
        return message
    }

    private mutating func write(_ event: ProtobufMessage, at time: VirtualTime) {
        var packet = ProtobufMessage()
        packet.add(Tag.timestamp, time.nanoseconds)
        packet.add(Tag.event, event)
        write(packet: packet)
    }

    /// All packets are of one sequence: that of one writer.
    private mutating func write(packet: ProtobufMessage) {
        var packet = packet
        packet.add(Tag.sequence, 1)
        var trace = ProtobufMessage()
        trace.add(Tag.packet, packet)
        bytes += trace.bytes
    }
}
