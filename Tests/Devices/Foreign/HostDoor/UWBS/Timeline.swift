import Basics
import Bluetooth
import DeviceLink
import HostDoor
import TestSupport

/// What happens to a UWBS and what it does, a line each: a timeline in a test is played again, and compared.
///
/// What goes in: `host:` with the octets that the host sends; `radio:` with what the radio reports. What comes out
/// stands behind it: `uwbs:` with a message for the host, `asks:` with a request for the air, `says:` with a remark.
/// A `;` behind a space begins a comment.
struct Timeline {
    private(set) var lines: [String] = []
    /// All messages that went over the stream, in order.
    private(set) var packets: [UCIPacket] = []
    private var uwbs: VirtualUWBS
    private var stream = UCIStream()

    init(options: VirtualUWBS.Options = .init()) {
        uwbs = VirtualUWBS(options: options)
        collect()
    }

    /// Whether what comes out of a timeline when it is played is what it says, line by line; nil where it is.
    static func difference(
        _ text: String, options: VirtualUWBS.Options = .init()
    ) throws -> String? {
        let written = steps(of: text)
        var timeline = Timeline(options: options)
        for line in written { try timeline.play(line) }
        let pairs = zip(timeline.lines + ["the end"], written + ["the end"])
        return pairs.first { $0 != $1 }.map { "\($0)\n  and not \($1)" }
    }

    /// The lines of a text, without comments and spaces that do not count.
    static func steps(of text: String) -> [String] {
        text.split(separator: "\n")
            .map { line in
                let end = line.firstRange(of: " ;")?.lowerBound ?? line.endIndex
                return line[..<end].split(separator: " ").joined(separator: " ")
            }
            .filter { !$0.isEmpty }
    }

    /// Plays a line that goes in; leaves out one that comes out.
    mutating func play(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        switch words.first {
        case "host:":
            lines.append(line)
            // What came of the messages before one that cannot be read is there.
            defer { collect() }
            stream.append(bytes(words.dropFirst().joined()))
            while let packet = try stream.next() {
                packets.append(packet)
                uwbs.receive(packet)
            }
        case "radio:":
            lines.append(line)
            if words[1] == "ended" {
                uwbs.endInBand(UInt32(words[2]) ?? 0)
            } else {
                uwbs.receive(Self.event(words))
            }
            collect()
        default: break
        }
    }

    private mutating func collect() {
        for packet in uwbs.takePackets() {
            packets.append(packet)
            lines += packet.segments.map { "uwbs: " + Self.hex($0) }
        }
        for request in uwbs.takeRequests() { lines.append("asks: " + Self.text(request)) }
        for remark in uwbs.takeRemarks() { lines.append("says: " + remark) }
    }

    /// `radio: started 1 0`, `radio: round 1 missed`, `radio: round 1 2500 mm 30.5 -10 in sight`, angles may be `none`.
    private static func event(_ words: [String]) -> UWBEvent {
        let session = UInt32(words[2]) ?? 0
        if words[1] == "started" { return .started(session: session, status: UInt8(words[3]) ?? 0) }
        guard words[3] != "missed" else { return .round(session: session, nil) }
        func angle(_ word: String) -> Int16? { Double(word).map { Int16(($0 * 100).rounded()) } }
        return .round(
            session: session,
            UWBMeasurement(
                distance: UInt32(words[3]) ?? 0, azimuth: angle(words[5]),
                elevation: angle(words[6]), isLineOfSight: words[7] == "in"))
    }

    private static func text(_ request: UWBCommand) -> String {
        switch request {
        case .stop(let session), .end(let session): return "stop \(session)"
        case .stride(let session, let intervals): return "stride \(session) \(intervals)"
        case .start(let session, let parameters):
            let role = parameters.isInitiator ? "initiator" : "responder"
            return "start \(session) id \(parameters.sessionID) as \(role) \(parameters.address) "
                + "with \(parameters.peer) channel \(parameters.channel) "
                + "preamble \(parameters.preamble) iv \(hex(parameters.stsIV)) "
                + "slots \(parameters.slotsPerRound) of \(parameters.slotDuration) "
                + "every \(parameters.interval)"
        }
    }

    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String(hexadecimal: $0, digits: 2) }.joined(separator: " ")
    }
}
