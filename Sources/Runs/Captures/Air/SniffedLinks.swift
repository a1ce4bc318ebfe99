import Bluetooth

/// Makes of what a sniffer has heard the HCI packets that the centrals' hosts have seen, or would have.
///
/// A sniffer hears both ends and looks into neither, so all that the peripheral's host knew is inferred.
struct SniffedLinks: Sendable {
    /// A packet of the host of a central, by whose address it is known.
    struct News: Equatable {
        let central: UInt64
        /// In nanoseconds since the beginning of 1970.
        let time: UInt64
        let packet: HCIPacket
    }

    /// By access address; looked up only, but for those that are over.
    private var links: [UInt32: SniffedLink] = [:]
    /// The access address of the latest link of two devices; looked up only.
    private var addresses: [SniffedLink.Ends: UInt32] = [:]
    /// No link is silent for too long before.
    private var earliestDeadline = UInt64.max
    private var handles: UInt16 = 0
    private(set) var gaps = CaptureGaps()

    /// Counts a packet of which the capture has a part alone.
    mutating func miss() { gaps.cut += 1 }

    mutating func take(_ packet: LinkLayerPacket, at time: UInt64) -> [News] {
        let silent = endSilent(before: time)
        guard packet.accessAddress != LinkLayerPacket.advertising else {
            return silent + advertised(packet, at: time)
        }
        guard let link = links[packet.accessAddress] else {
            gaps.strangers += 1
            return silent
        }
        guard let sender = packet.sender else {
            gaps.undirected += 1
            return silent
        }
        let told =
            links[packet.accessAddress]?.take(packet, from: sender, at: time, &gaps) ?? []
        earliestDeadline = min(earliestDeadline, links[packet.accessAddress]?.deadline ?? .max)
        return silent + told.map { News(central: link.ends.central, time: time, packet: $0) }
    }

    /// CONNECT_IND (Core Specification Vol 6 Part B 2.3.3.1); all else is about no link.
    private mutating func advertised(_ packet: LinkLayerPacket, at time: UInt64) -> [News] {
        let bytes = packet.payload
        guard packet.header & 0x0F == 5, bytes.count == 34 else { return [] }
        handles = handles % 0x0EFF + 1
        let address = bytes[12..<16].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        let link = SniffedLink(
            handle: handles, type: packet.header >> 7 & 1, request: bytes, at: time)
        // Nobody has two links to the same device: the end of the earlier one was not heard.
        let before = addresses[link.ends].flatMap { end($0, at: time) }
        let stranger = end(address, at: time)
        links[address] = link
        addresses[link.ends] = address
        earliestDeadline = min(earliestDeadline, link.deadline)
        return [before, stranger].compactMap(\.self)
    }

    // MARK: Ends

    /// Ends the links that were silent for their supervision timeout (Core Specification Vol 6 Part B 4.5.2).
    private mutating func endSilent(before time: UInt64) -> [News] {
        guard earliestDeadline < time else { return [] }
        let silent = links.filter { $0.value.deadline < time }
            .map { (deadline: $0.value.deadline, handle: $0.value.handle, address: $0.key) }
            .sorted { ($0.deadline, $0.handle) < ($1.deadline, $1.handle) }
        let news = silent.compactMap { end($0.address, at: $0.deadline) }
        earliestDeadline = links.values.map(\.deadline).min() ?? .max
        return news
    }

    /// Forgets a link; the news where that is the first that is known of its end.
    private mutating func end(_ address: UInt32, at time: UInt64) -> News? {
        guard let link = links.removeValue(forKey: address) else { return nil }
        addresses[link.ends] = nil
        guard link.isUp, !link.isOver else { return nil }
        gaps.silent += 1
        return News(central: link.ends.central, time: time, packet: link.timedOut)
    }
}
