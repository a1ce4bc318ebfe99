/// Reads pcapng (draft-ietf-opsawg-pcapng): what Wireshark writes, and what a run leaves as `run.pcapng`.
struct PcapngReader: CaptureReader {
    private(set) var hosts: [CapturedHost] = []
    private var isBigEndian = false
    private var interfaces: [Interface] = []
    /// Whether a section has begun; all else is part of one.
    private var isInSection = false
    /// What a sniffer has heard.
    private var sniffed = SniffedLinks()
    /// Packets that came of the last block beside the one that was given, the first of them last.
    private var waiting: [CapturedPacket] = []
    /// The places of those whom a sniffer has heard among the hosts, by address; looked up only.
    private var heard: [UInt64: Int] = [:]
    private static let longest: UInt32 = 1 << 24

    fileprivate struct Interface: Sendable {
        var about = CapturedHost()
        let encapsulation: Encapsulation
        /// Ticks a second are this power of ten, or of two.
        var resolution: (exponent: UInt8, isBinary: Bool) = (6, false)
        /// Seconds to add.
        var offset: UInt64 = 0
        /// The places of its adapters among the hosts.
        var places: [Int: Int] = [:]
    }

    fileprivate enum Encapsulation: Sendable {
        case hci(HCIEncapsulation)
        case linkLayer(LinkLayerEncapsulation)
        /// Between a UWB chip and its host: nothing of Bluetooth, which is passed over.
        case uci

        init?(_ link: UInt16) {
            if let hci = HCIEncapsulation.linkTypes[link] {
                self = .hci(hci)
            } else if let linkLayer = LinkLayerEncapsulation.linkTypes[link] {
                self = .linkLayer(linkLayer)
            } else if link == Pcapng.uciLinkType {
                self = .uci
            } else {
                return nil
            }
        }
    }

    init() {}

    var gaps: CaptureGaps { sniffed.gaps }
    var hasMore: Bool { !waiting.isEmpty }

    /// The packet of the next block; nil for a block that has none of LE.
    mutating func next(
        _ cursor: inout CaptureCursor, number: inout Int
    ) throws(CaptureError) -> CapturedPacket? {
        if let packet = waiting.popLast() { return packet }
        let start = cursor.offset
        cursor.isBigEndian = isBigEndian
        let type = try cursor.number("the type of a block")
        if type == Pcapng.Block.section { try beginSection(&cursor, at: start) }
        guard isInSection else { throw CaptureError(at: start, expected: "a section header") }
        let place = cursor.offset
        let length = try cursor.number("the length of a block")
        guard length % 4 == 0, length >= Pcapng.frame, length <= Self.longest else {
            throw CaptureError(
                at: place,
                expected: "a length of whole words, \(Pcapng.frame) to \(Self.longest) bytes")
        }
        var body = try cursor.part(Int(length) - Pcapng.frame, as: "the block")
        let end = cursor.offset
        guard try cursor.number("the length of the block again") == length else {
            throw CaptureError(at: end, expected: "the length \(length) of the block again")
        }
        switch type {
        case Pcapng.Block.interface: try addInterface(&body)
        case Pcapng.Block.enhancedPacket:
            number += 1
            return try packet(&body, number: number)
        case Pcapng.Block.simplePacket:
            throw CaptureError(
                at: start, expected: "a packet block with a time (an enhanced one)")
        default: break
        }
        return nil
    }

    /// A section has an order of bytes and interfaces of its own.
    private mutating func beginSection(
        _ cursor: inout CaptureCursor, at start: Int
    ) throws(CaptureError) {
        var ahead = CaptureCursor(cursor.bytes, at: start + 8, isBigEndian: true)
        switch try ahead.number("the byte-order magic") {
        case Pcapng.byteOrderMagic: isBigEndian = true
        case Pcapng.byteOrderMagic.byteSwapped: isBigEndian = false
        default: throw CaptureError(at: start + 8, expected: "the byte-order magic 1A2B3C4D")
        }
        cursor.isBigEndian = isBigEndian
        interfaces = []
        isInSection = true
    }

    private mutating func addInterface(_ body: inout CaptureCursor) throws(CaptureError) {
        let place = body.offset
        let link = try body.number("the link type", as: UInt16.self)
        guard let encapsulation = Encapsulation(link) else {
            throw CaptureError(
                at: place,
                expected: "a link type of HCI (187, 201 or 254) or of a sniffer (256 or 272), not "
                    + "\(link)")
        }
        _ = try body.number("reserved bytes", as: UInt16.self)
        _ = try body.number("the snapshot length")
        var interface = Interface(encapsulation: encapsulation)
        try Self.eachOption(&body) { (code, value) throws(CaptureError) in
            try interface.take(code, value)
        }
        if case .hci = encapsulation {
            interface.places[0] = hosts.count
            hosts.append(interface.about)
        }
        interfaces.append(interface)
    }

    private mutating func packet(
        _ body: inout CaptureCursor, number: Int
    ) throws(CaptureError) -> CapturedPacket? {
        let place = body.offset
        let index = Int(try body.number("the interface"))
        guard interfaces.indices.contains(index) else {
            throw CaptureError(
                at: place, expected: "one of the \(interfaces.count) interfaces so far")
        }
        let high = UInt64(try body.number("the upper half of the time"))
        let ticks = high << 32 | UInt64(try body.number("the lower half of the time"))
        let captured = Int(try body.number("the captured length"))
        let original = try body.number("the original length")
        var data = try body.part(captured, as: "the packet")
        _ = try body.take(
            Pcapng.padded(captured) - captured, as: "the filling up to a whole word")
        var flags: HCIEncapsulation.Flags?
        try Self.eachOption(&body) { (code, value) throws(CaptureError) in
            guard code == Pcapng.Option.flags else { return }
            var value = value
            let way = try value.number("the flags of the packet") & 0b11
            if way != 0 { flags = .init(isToHost: way == 1, isCommandOrEvent: false) }
        }
        let time = interfaces[index].nanoseconds(ticks)
        switch interfaces[index].encapsulation {
        case .hci(let hci):
            guard let (packet, adapter) = try hci.packet(in: &data, flags: flags) else {
                return nil
            }
            return CapturedPacket(
                host: host(of: adapter, at: index), time: time, packet: packet, number: number,
                isCut: captured < original)
        case .linkLayer(let linkLayer):
            guard captured == original else {
                sniffed.miss()
                return nil
            }
            hear(&data, linkLayer, at: time, number: number)
            return waiting.popLast()
        case .uci: return nil
        }
    }

    /// Takes a packet of the air; one that is shorter than it says is a bad reception, and no bad file.
    private mutating func hear(
        _ data: inout CaptureCursor, _ encapsulation: LinkLayerEncapsulation, at time: UInt64,
        number: Int
    ) {
        do throws(CaptureError) {
            guard let packet = try encapsulation.packet(in: &data) else { return }
            let news = sniffed.take(packet, at: time)
            waiting = news.map { news in
                CapturedPacket(
                    host: host(heardAs: news.central), time: news.time, packet: news.packet,
                    number: number, isCut: false)
            }.reversed()
        } catch {
            sniffed.miss()
        }
    }

    /// The place of a central that a sniffer has heard among the hosts.
    private mutating func host(heardAs address: UInt64) -> Int {
        if let place = heard[address] { return place }
        heard[address] = hosts.count
        hosts.append(CapturedHost(address: address, isSniffed: true))
        return hosts.count - 1
    }

    /// The place of an adapter of an interface among the hosts.
    private mutating func host(of adapter: Int, at index: Int) -> Int {
        if let place = interfaces[index].places[adapter] { return place }
        interfaces[index].places[adapter] = hosts.count
        hosts.append(CapturedHost())
        return hosts.count - 1
    }

    private static func eachOption(
        _ body: inout CaptureCursor,
        _ take: (UInt16, CaptureCursor) throws(CaptureError) -> Void
    ) throws(CaptureError) {
        while body.remaining > 0 {
            let code = try body.number("the code of an option", as: UInt16.self)
            let length = Int(try body.number("the length of an option", as: UInt16.self))
            if code == Pcapng.Option.end { return }
            try take(code, try body.part(length, as: "the option"))
            _ = try body.take(
                Pcapng.padded(length) - length, as: "the filling up to a whole word")
        }
    }
}

extension PcapngReader.Interface {
    fileprivate mutating func take(_ code: UInt16, _ value: CaptureCursor) throws(CaptureError) {
        var value = value
        switch code {
        case Pcapng.Option.name:
            let bytes = try value.take(value.remaining, as: "the name")
            about.name = String(decoding: bytes, as: UTF8.self)
        case Pcapng.Option.address:
            about.address = try value.take(6, as: "the address").reduce(0) { $0 << 8 | UInt64($1) }
        case Pcapng.Option.resolution:
            let place = value.offset
            let number = try value.number("the resolution of times", as: UInt8.self)
            resolution = (number & 0x7F, number & 0x80 != 0)
            guard resolution.exponent <= (resolution.isBinary ? 63 : 19) else {
                throw CaptureError(
                    at: place, expected: "a resolution of times up to 10^-19 or 2^-63")
            }
        case Pcapng.Option.offset: offset = try value.number("the offset of times", as: UInt64.self)
        default: break
        }
    }

    /// A time in nanoseconds; the greatest where that is out of range.
    fileprivate func nanoseconds(_ ticks: UInt64) -> UInt64 {
        let shift = offset.scaled(by: 1_000_000_000)
        let own: UInt64
        if resolution.isBinary {
            let product = ticks.multipliedFullWidth(by: 1_000_000_000)
            let unit = UInt64(1) << resolution.exponent
            own = product.high < unit ? unit.dividingFullWidth(product).quotient : .max
        } else if resolution.exponent <= 9 {
            own = ticks.scaled(by: Self.power(9 - resolution.exponent))
        } else {
            own = ticks / Self.power(resolution.exponent - 9)
        }
        let (sum, overflow) = own.addingReportingOverflow(shift)
        return overflow ? .max : sum
    }

    private static func power(_ exponent: UInt8) -> UInt64 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
