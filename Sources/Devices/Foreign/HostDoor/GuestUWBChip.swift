import Bluetooth
import DeviceKit
import Glibc

/// A host's UWB chip, and the socket between the two.
///
/// A unix socket has at once what is written to its other end, so that nobody has to count bytes.
struct GuestUWBChip {
    private let channel: HostChannel
    private var subsystem = VirtualUWBS(options: VirtualUWBS.Options())
    private var stream = UCIStream()

    init(on channel: HostChannel) { self.channel = channel }

    /// Whether it has nothing for the host.
    var isQuiet: Bool { !channel.isConnected || subsystem.output.packets.isEmpty }

    mutating func receive(_ event: UWBEvent) { subsystem.receive(event) }

    /// The peer has told that it ends a session.
    mutating func endInBand(_ handle: UInt32) { subsystem.endInBand(handle) }

    /// Hands the host what there is for it, once it is connected.
    mutating func send(in context: Context) {
        guard channel.isConnected else { return }
        let packets = subsystem.takePackets()
        for packet in packets { context.observe(packet) }
        channel.send(packets.flatMap(\.bytes))
    }

    /// Takes what the host has sent, and asks the radio for it.
    ///
    /// - Returns: The bytes.
    /// - Throws: `MalformedBytes` where they are not UCI.
    mutating func hear(in context: Context) throws(MalformedBytes) -> [UInt8] {
        if channel.connect(upTo: channel.connections + 1) { stream = UCIStream() }
        let bytes = channel.receive(total: 0) ?? []
        stream.append(bytes)
        while let packet = try stream.next() {
            context.observe(packet)
            subsystem.receive(packet)
        }
        for remark in subsystem.takeRemarks() { context.log(remark) }
        for request in subsystem.takeRequests() { context.answer(.uwb(request)) }
        return bytes
    }
}

extension Context {
    /// Notes a message of UCI, in the packets that it is sent in.
    fileprivate func observe(_ message: UCIPacket) {
        let kind: EventKind =
            switch message.type {
            case .command: .uciCommand
            case .response: .uciResponse
            case .notification: .uciNotification
            }
        for packet in message.segments {
            observe(
                kind,
                fields: [
                    Field("group", .number(Int64(message.group))),
                    Field("opcode", .number(Int64(message.opcode))),
                    Field("packet", .bytes(packet)),
                ])
        }
    }
}
