import AccessoryProtocol
import Bluetooth
package import DeviceLink

/// Sees attributes, messages and sessions in the bytes that devices exchange, so that a device that
/// tells nothing is judged like any other.
///
/// It is told of every link and of every L2CAP frame twice: when it leaves a host, and when it is
/// handed to the other. Frames of one direction arrive in the order in which they were sent, or not at
/// all. It looks at ATT only; what a handle stands for it learns from discovery on the air and never
/// guesses.
package struct AirObserver: Sendable {
    /// Which end of its way a frame is at.
    package enum Phase: Sendable {
        /// It left the host.
        case sent
        /// It was handed to the host.
        case received
    }

    /// An event for the trace; it happened to the device that sent or received the frame.
    package struct ObservedEvent: Equatable, Sendable {
        /// What happened.
        package var kind: String
        /// Details, as `TRACE.md` has them.
        package var fields: [Field]

        /// An event.
        package init(kind: String, fields: [Field]) {
            self.kind = kind
            self.fields = fields
        }
    }

    /// Links by number; looked up only.
    var links: [Int: ObservedLink] = [:]
    /// Links that are gone from the air, oldest first; frames may still be on their way to a host.
    private var gone: [Int] = []
    /// One map for each incarnation of an accessory.
    var maps: [AttributeMap] = []
    /// The places of maps by name and incarnation; looked up only.
    private var places: [String: Int] = [:]
    /// The place of the map that each pair last learnt something for; looked up only.
    var keptPlaces: [String: Int] = [:]
    var nextSession: Int64 = 1

    /// How many links that are gone are remembered.
    private static let remembered = 256

    /// An observer that has seen nothing.
    package init() {}

    /// A link exists from now on.
    package mutating func linkUp(
        link: Int, central: String, peripheral: String, peripheralIncarnation: UInt32,
        isBonded: Bool
    ) {
        let name = "\(peripheral)/\(peripheralIncarnation)"
        let place = places[name] ?? maps.count
        if place == maps.count {
            maps.append(AttributeMap())
            places[name] = place
        }
        let kept = isBonded ? keptPlaces["\(central) \(peripheral)"] : nil
        links[link] = ObservedLink(
            central: central, peripheral: peripheral, map: place,
            keptMap: kept == place ? nil : kept)
    }

    /// A link is gone from the air.
    ///
    /// What is already on its way to a host still arrives.
    package mutating func linkDown(link: Int) {
        gone.append(link)
        if gone.count > Self.remembered { links.removeValue(forKey: gone.removeFirst()) }
    }

    /// The host of `device` was told whether a link is encrypted.
    ///
    /// What counts is what the accessory's host knows: by that it decides what to give and what to
    /// refuse.
    package mutating func encryptionChanged(link: Int, at device: String, to isEncrypted: Bool) {
        guard links[link]?.peripheral == device else { return }
        links[link]?.isEncrypted = isEncrypted
    }

    /// Looks at a frame that left the host of `device` or was handed to it, and adds what is to be seen.
    ///
    /// Whether a fault changed the frame is to be told when it is sent.
    package mutating func frame(
        _ frame: [UInt8], link number: Int, at device: String, phase: Phase, isSpoilt: Bool,
        into events: inout [ObservedEvent]
    ) {
        guard frame.count > 4, Self.isAttribute(frame), let place = links.index(forKey: number)
        else { return }
        // Taken out so that what it holds is changed in place.
        var link = ObservedLink.nobody
        swap(&link, &links.values[place])
        defer { swap(&link, &links.values[place]) }
        let isCentral = device == link.central
        switch phase {
        case .sent:
            var pdu = understand(frame, fromCentral: isCentral, &link)
            pdu.isSpoilt = isSpoilt
            giveSessions(to: &pdu, of: &link)
            if !isCentral { link.announce(pdu) }
            note(pdu, number, to: isCentral ? link.peripheral : link.central, .sent, &events)
            link.underway[isCentral ? 0 : 1].append(pdu)
        case .received:
            guard let pdu = link.underway[isCentral ? 1 : 0].take() else { return }
            for case .message(let message) in pdu.meanings { link.sessions.received(message) }
            note(pdu, number, to: isCentral ? link.peripheral : link.central, .received, &events)
        }
    }

    /// Gives the messages of a PDU the sessions they belong to.
    private mutating func giveSessions(
        to pdu: inout ObservedPDU, of link: inout ObservedLink
    ) {
        for index in pdu.meanings.indices {
            guard case .message(var message) = pdu.meanings[index] else { continue }
            message.session = link.sessions.session(ofSent: message.name, next: &nextSession)
            message.show()
            pdu.meanings[index] = .message(message)
        }
    }

    /// The message that a frame about to leave the host of `device` carries: its name, and where in the
    /// frame the value's bytes are.
    ///
    /// Nil where it carries none, or a later part of one.
    package func message(
        in frame: [UInt8], link number: Int, from device: String
    ) -> (name: String, range: Range<Int>)? {
        guard frame.count > 7, Self.isAttribute(frame), let link = links[number],
            let opcode = ATTOpcode(rawValue: frame[4])
        else { return nil }
        let handle = UInt16(frame[5]) | UInt16(frame[6]) << 8
        let start: Int
        switch opcode {
        case .writeRequest, .writeCommand, .notification, .indication: start = 7
        case .prepareWriteRequest:
            guard frame.count > 9, frame[7] == 0, frame[8] == 0 else { return nil }
            start = 9
        default: return nil
        }
        let wanted: AttributeMap.Role = device == link.central ? .receive : .transmit
        guard start < frame.count, role(of: handle, link) == wanted,
            let id = MessageID(rawValue: frame[start])
        else { return nil }
        return (id.name, start..<frame.count)
    }

    /// What a handle of a link's accessory stands for; nil where its discovery was never seen.
    func role(of handle: UInt16, _ link: ObservedLink) -> AttributeMap.Role? {
        lookUp(link) { $0.role(of: handle) }
    }

    /// What is known of a link's accessory, else what its bonded phone has kept of it.
    func lookUp<Known>(_ link: ObservedLink, _ find: (AttributeMap) -> Known?) -> Known? {
        find(maps[link.map]) ?? link.keptMap.flatMap { find(maps[$0]) }
    }

    private static func isAttribute(_ frame: [UInt8]) -> Bool {
        frame[2] == UInt8(L2CAPChannel.attribute) && frame[3] == 0
    }
}

// What the trace shows.
extension AirObserver {
    private func note(
        _ pdu: ObservedPDU, _ link: Int, to peer: String, _ phase: Phase,
        _ events: inout [ObservedEvent]
    ) {
        let (link, peer) = (Field("link", .number(Int64(link))), Field("peer", .text(peer)))
        let (name, length) = (
            Field("pdu", .text(pdu.name)), Field("length", .number(Int64(pdu.length)))
        )
        // Most have a handle: no memory is taken twice.
        var fields =
            pdu.handle.map { [link, peer, name, length, Field("handle", .number(Int64($0)))] }
            ?? [link, peer, name, length]
        if pdu.isUnresolved { fields.append(Field("unresolved", true)) }
        events.append(
            ObservedEvent(kind: phase == .sent ? "att.sent" : "att.received", fields: fields))
        for meaning in pdu.meanings {
            if let event = event(of: meaning, pdu.isSpoilt, link, peer, phase) {
                events.append(event)
            }
        }
    }

    private func event(
        of meaning: ObservedPDU.Meaning, _ isSpoilt: Bool, _ link: Field, _ peer: Field,
        _ phase: Phase
    ) -> ObservedEvent? {
        let suffix = phase == .sent ? ".sent" : ".received"
        var fields: [Field] = []
        fields.reserveCapacity(12)
        fields.append(link)
        fields.append(peer)
        let kind: String
        switch meaning {
        case .message(let message):
            kind = String(joining: "msg.", message.name, suffix)
            fields += message.fields
        case .malformed(let problem):
            kind = String(joining: "msg.malformed", suffix)
            fields.append(Field("problem", .text(problem)))
        case .told(let told, let own):
            guard phase == .received else { return nil }
            fields += own
            return ObservedEvent(kind: told, fields: fields)
        }
        if isSpoilt { fields.append(Field("spoilt", true)) }
        return ObservedEvent(kind: kind, fields: fields)
    }
}
