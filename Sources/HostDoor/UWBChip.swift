import Bluetooth
import DeviceKit
import Glibc
import VirtualUWBS

/// A host's UWB chip, and the socket between the two.
///
/// A unix socket has at once what is written to its other end, so that nobody has to count bytes.
struct UWBChip {
    private let channel: HostChannel
    private var subsystem = VirtualUWBS(options: VirtualUWBS.Options())
    private var stream = UCIStream()

    init(on channel: HostChannel) { self.channel = channel }

    /// Whether it has nothing for the host.
    var isQuiet: Bool { !channel.isConnected || subsystem.packets.isEmpty }

    mutating func receive(_ event: UWBEvent) { subsystem.receive(event) }

    /// The peer has told that it ends a session.
    mutating func endInBand(_ handle: UInt32) { subsystem.endInBand(handle) }

    /// Hands the host what there is for it, once it is connected.
    mutating func send() {
        guard channel.isConnected else { return }
        channel.send(subsystem.takePackets().flatMap(\.bytes))
    }

    /// Takes what the host has sent, and asks the radio for it.
    ///
    /// - Throws: `MalformedBytes` where it is not UCI.
    mutating func hear(in context: Context) throws(MalformedBytes) {
        if channel.connect(upTo: channel.connections + 1) { stream = UCIStream() }
        stream.append(channel.receive(total: 0) ?? [])
        while let packet = try stream.next() { subsystem.receive(packet) }
        for remark in subsystem.takeRemarks() { context.log(remark) }
        for request in subsystem.takeRequests() { context.answer(.uwb(request)) }
    }
}
