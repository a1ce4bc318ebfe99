package import AccessoryProtocol
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
        package var kind: EventKind
        /// Details, as `TRACE.md` has them.
        package var fields: [Field]
    }

    /// The links, ascending by their numbers.
    private var links: [(number: Int, link: ObservedLink)] = []
    /// Links that are gone from the air, oldest first; frames may still be on their way to a host.
    private var gone: [Int] = []
    /// Connections on the network, by their numbers; looked up only.
    private var connections: [Int: ObservedConnection] = [:]
    private var maps: AttributeMaps
    private var nextSession: Int64 = 1

    /// How many links that are gone are remembered.
    private static let remembered = 256

    /// An observer that has seen nothing, and takes these services for ones that carry messages, too.
    package init(services: [MessageService] = []) { maps = AttributeMaps(services: services) }

    /// A link exists from now on.
    package mutating func linkUp(
        link: Int, central: String, peripheral: String, peripheralIncarnation: UInt32,
        isBonded: Bool
    ) {
        let map = maps.place(of: peripheral, peripheralIncarnation)
        let kept = isBonded ? maps.kept(by: central, of: peripheral) : []
        let observed = ObservedLink(
            central: central, peripheral: peripheral, map: map, keptMaps: kept.filter { $0 != map })
        links.insert((link, observed), at: place(of: link))
    }

    /// A link is gone from the air.
    ///
    /// What is already on its way to a host still arrives.
    package mutating func linkDown(link: Int) {
        if let place = known(link) { maps.endSession(ofLink: link, at: links[place].link.map) }
        gone.append(link)
        guard gone.count > Self.remembered, let place = known(gone.removeFirst()) else { return }
        links.remove(at: place)
    }

    /// Where a link of a number stands, or would stand.
    private func place(of number: Int) -> Int {
        var (low, high) = (0, links.count)
        while low < high {
            let middle = (low + high) / 2
            if links[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Where a link stands; nil where it is not known.
    private func known(_ number: Int) -> Int? {
        let place = place(of: number)
        return place < links.count && links[place].number == number ? place : nil
    }

    /// The session of a link that its app began last.
    package func latestSession(ofLink number: Int) -> Int64? {
        known(number).flatMap { links[$0].link.conversation.sessions.latest }
            ?? connections[number]?.latestSession
    }

    /// The host of `device` was told whether a link is encrypted.
    ///
    /// What counts is what the accessory's host knows: by that it decides what to give and what to
    /// refuse.
    package mutating func encryptionChanged(link: Int, at device: String, to isEncrypted: Bool) {
        guard let place = known(link), links[place].link.peripheral == device else { return }
        links[place].link.isEncrypted = isEncrypted
    }

    /// Looks at a frame that left the host of `device` or was handed to it, and adds what is to be seen.
    ///
    /// Whether a fault changed the frame has to be said when it is sent.
    package mutating func frame(
        _ frame: [UInt8], link number: Int, at device: String, phase: Phase, isSpoilt: Bool,
        into events: inout [ObservedEvent]
    ) {
        guard frame.count > 4, Self.isAttribute(frame), let place = known(number) else { return }
        switch phase {
        case .sent:
            links[place].link.send(
                frame, number: number, from: device, isSpoilt: isSpoilt, maps: &maps,
                nextSession: &nextSession, noting: &events)
        case .received:
            links[place].link.deliver(number, to: device, maps: &maps, noting: &events)
        }
    }

    /// The message that a frame about to leave the host of `device` carries: its name, and where in the
    /// frame the value's bytes are.
    ///
    /// Nil where it carries none, or a later part of one.
    package func message(
        in frame: [UInt8], link number: Int, from device: String
    ) -> (name: String, range: Range<Int>)? {
        guard frame.count > 7, Self.isAttribute(frame),
            let link = known(number).map({ links[$0].link }),
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
        let numbers: MessageNumbers
        switch maps.role(of: handle, on: link) {
        case .receive(let own) where device == link.central: numbers = own
        case .transmit(let own) where device == link.peripheral: numbers = own
        default: return nil
        }
        guard start < frame.count, let id = numbers.id(of: frame[start]) else { return nil }
        return (id.name, start..<frame.count)
    }

    // MARK: The network

    /// A connection on the network exists from now on, between an app and an accessory, or between two apps, the
    /// first of which stands for the app.
    package mutating func connectionUp(
        link: Int, app: String, accessory: String, carriesMessages: Bool
    ) {
        connections[link] = ObservedConnection(
            app: app, accessory: accessory, carriesMessages: carriesMessages)
    }

    /// Whether a device stands for the app on a connection.
    package func isApp(_ device: String, link: Int) -> Bool { connections[link]?.app == device }

    /// Looks at a message on the network that left a device or was handed to it, and adds what is to be seen.
    package mutating func message(
        _ bytes: [UInt8], link: Int, at device: String, phase: Phase, isReliable: Bool = true,
        isSpoilt: Bool = false, into events: inout [ObservedEvent]
    ) {
        switch phase {
        case .sent:
            connections[link]?.send(
                bytes, number: link, from: device, isReliable: isReliable, isSpoilt: isSpoilt,
                nextSession: &nextSession, noting: &events)
        case .received:
            connections[link]?.deliver(bytes, number: link, to: device, noting: &events)
        }
    }

    /// The name of a message that is about to be sent on the network; nil where it is none of the protocol's.
    package func name(of bytes: [UInt8], link: Int, from device: String) -> String? {
        guard let connection = connections[link], connection.carriesMessages,
            let id = bytes.first.flatMap(MessageNumbers.sample.id)
        else { return nil }
        return id.name
    }

    private static func isAttribute(_ frame: [UInt8]) -> Bool {
        frame[2] == UInt8(L2CAPChannel.attribute) && frame[3] == 0
    }
}

extension ConnectionParameters {
    /// As the trace has them, in nanoseconds.
    package var fields: [Field] {
        [
            Field("interval", .number(Int64(interval) * 1_250_000)),
            Field("latency", .number(Int64(latency))),
            Field("timeout", .number(Int64(timeout) * 10_000_000)),
        ]
    }
}
