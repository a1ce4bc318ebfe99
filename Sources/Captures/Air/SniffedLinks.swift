internal import Bluetooth

/// Makes of what a sniffer has heard the HCI packets that the central's host has seen, or would have.
///
/// A sniffer hears both ends and looks into neither, so all that the peripheral's host knew is inferred.
struct SniffedLinks: Sendable {
    /// A packet of the host of a central, by whose address it is known.
    struct News: Equatable {
        let central: UInt64
        let packet: HCIPacket
    }

    private struct Link: Sendable {
        let handle: UInt16
        let central: UInt64
        let peripheral: [UInt8]
        var isEncrypted = false
        /// The latest packet from the central and from the peripheral.
        var latest: [Bool: LinkLayerPacket] = [:]

        func news(_ packet: HCIPacket) -> News { News(central: central, packet: packet) }
    }

    /// By access address; looked up only.
    private var links: [UInt32: Link] = [:]
    private var handles: UInt16 = 0
    private(set) var gaps = CaptureGaps()
    /// Whether the rest cannot be read.
    var isOver: Bool { gaps.encrypted > 0 }

    mutating func take(_ packet: LinkLayerPacket) -> [News] {
        guard packet.accessAddress != LinkLayerPacket.advertising else {
            return advertised(packet)
        }
        guard var link = links[packet.accessAddress] else {
            gaps.strangers += 1
            return []
        }
        guard let isFromCentral = packet.isFromCentral else {
            gaps.undirected += 1
            return []
        }
        if let last = link.latest[isFromCentral], last.isNumbered(as: packet) {
            // Sent again; or two that were sent between them were not heard.
            guard last.content != packet.content else { return [] }
            gaps.unheard += 1
        }
        link.latest[isFromCentral] = packet
        guard !packet.payload.isEmpty else {
            links[packet.accessAddress] = link
            return []
        }
        guard !link.isEncrypted || packet.isDecrypted else {
            gaps.encrypted += 1
            return []
        }
        defer { links[packet.accessAddress] = link }
        guard packet.header & 0b11 != 0b11 else {
            return controlled(packet.payload, isFromCentral, &link, at: packet.accessAddress)
        }
        return [link.news(.data(on: link.handle, packet, isToHost: !isFromCentral))]
    }

    // MARK: Advertising

    /// CONNECT_IND (Core Specification Vol 6 Part B 2.3.3.1); all else is about no link.
    private mutating func advertised(_ packet: LinkLayerPacket) -> [News] {
        let bytes = packet.payload
        guard packet.header & 0x0F == 5, bytes.count == 34 else { return [] }
        let address = bytes[12..<16].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        let central = bytes[0..<6].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        handles = handles % 0x0EFF + 1
        let link = Link(handle: handles, central: central, peripheral: Array(bytes[6..<12]))
        // One whose end was not heard; nobody has two links to the same device.
        let old = links.first {
            $0.value.central == central && $0.value.peripheral == link.peripheral
        }
        if let old { links[old.key] = nil }
        links[address] = link
        let type = packet.header >> 7 & 1
        let parameters = Array(bytes[22..<28])
        return
            (old.map { [$0.value.news(.disconnected($0.value.handle, CapturedAir.timeout))] } ?? [])
            + [link.news(.connected(handles, type, link.peripheral, parameters))]
    }

    // MARK: Control

    /// The control PDUs that a host is told of (Core Specification Vol 6 Part B 2.4.2).
    private mutating func controlled(
        _ payload: [UInt8], _ isFromCentral: Bool, _ link: inout Link, at address: UInt32
    ) -> [News] {
        switch payload[0] {
        case 0x00 where payload.count == 12:  // LL_CONNECTION_UPDATE_IND
            return [link.news(.updated(link.handle, Array(payload[4..<10])))]
        case 0x02 where payload.count == 2:  // LL_TERMINATE_IND
            guard isFromCentral else {
                return [link.news(.disconnected(link.handle, payload[1]))]
            }
            return [
                link.news(.disconnecting(link.handle, payload[1])),
                link.news(.disconnected(link.handle, Self.ownEnd)),
            ]
        case 0x05:  // LL_START_ENC_REQ
            link.isEncrypted = true
            return [link.news(.encrypted(link.handle))]
        default: return []
        }
    }

    /// Connection Terminated by Local Host.
    private static let ownEnd: UInt8 = 0x16
}

extension LinkLayerPacket {
    /// Whether the sender's sequence number is that of another, so that it is the same packet.
    fileprivate func isNumbered(as other: LinkLayerPacket) -> Bool {
        (header ^ other.header) & 0b1000 == 0
    }

    /// What it carries, whatever it acknowledges.
    fileprivate var content: [UInt8] { [header & 0b11] + payload }
}

// HCI packets of a host (Core Specification Vol 4 Part E 5.4 and 7.7).
extension HCIPacket {
    private static func event(_ code: UInt8, _ parameters: [UInt8]) -> HCIPacket {
        HCIPacket(
            direction: .toHost, bytes: [0x04, code, UInt8(parameters.count)] + parameters)
    }

    private static func word(_ value: UInt16) -> [UInt8] {
        [UInt8(value & 0xFF), UInt8(value >> 8)]
    }

    /// `parameters` are interval, latency and timeout as they are on air.
    fileprivate static func connected(
        _ handle: UInt16, _ type: UInt8, _ peer: [UInt8], _ parameters: [UInt8]
    ) -> HCIPacket {
        event(0x3E, [0x01, 0] + word(handle) + [0, type] + peer + parameters + [0])
    }

    fileprivate static func updated(_ handle: UInt16, _ parameters: [UInt8]) -> HCIPacket {
        event(0x3E, [0x03, 0] + word(handle) + parameters)
    }

    fileprivate static func disconnected(_ handle: UInt16, _ reason: UInt8) -> HCIPacket {
        event(0x05, [0] + word(handle) + [reason])
    }

    fileprivate static func encrypted(_ handle: UInt16) -> HCIPacket {
        event(0x08, [0] + word(handle) + [1])
    }

    fileprivate static func disconnecting(_ handle: UInt16, _ reason: UInt8) -> HCIPacket {
        HCIPacket(
            direction: .toController, bytes: [0x01, 0x06, 0x04, 3] + word(handle) + [reason])
    }

    fileprivate static func data(
        on handle: UInt16, _ packet: LinkLayerPacket, isToHost: Bool
    ) -> HCIPacket {
        let boundary: UInt16 = packet.header & 0b11 == 0b01 ? 0b01 : isToHost ? 0b10 : 0b00
        return HCIPacket(
            direction: isToHost ? .toHost : .toController,
            bytes: [0x02] + word(handle | boundary << 12) + word(UInt16(packet.payload.count))
                + packet.payload)
    }
}
