import Basics
package import Bluetooth
package import DeviceLink

/// A virtual LE controller, for a host that speaks HCI.
///
/// Its answers take no time. What it has is what Read Local Supported Commands says that it has; every other command
/// gets Unknown HCI Command (0x01).
///
/// Resolving addresses and advertising that nobody can connect to are not there, because the air has neither.
package struct VirtualController: VirtualChip {
    package struct Options: Equatable, Sendable {
        /// Whether it has the commands of LE Extended Advertising.
        ///
        /// They make advertisements of 31 bytes as well.
        package var hasExtendedAdvertising = false

        package init() {}
    }

    /// Its public device address (BD_ADDR).
    let publicAddress: Address
    let options: Options
    /// Where its random numbers come from.
    let random: () -> UInt64

    package var output = ChipOutput<HCIPacket, BluetoothCommand>()
    var masks = EventMasks()
    var ownRandomAddress: Address?
    /// The address that the air knows it by.
    var airAddress: Address
    var advertiser = AdvertisingSet()
    var scanner = Scanner()
    var initiator = Initiator()
    var acceptList: [Address] = []
    var links: [ControllerLink] = []
    var toHost = HostBuffers()

    /// A controller after power on.
    ///
    /// - Parameters:
    ///   - address: The one that the air knows it by, whose value is also its public address.
    ///   - options: What it has beyond the usual.
    ///   - random: Gives the next random number.
    package init(address: Address, options: Options, random: @escaping () -> UInt64) {
        publicAddress = Address(address.value, isRandom: false)
        airAddress = address
        self.options = options
        self.random = random
    }

    /// Takes one whole packet of the host, its type in front.
    package mutating func receive(_ packet: [UInt8]) {
        guard packet.first == HCIPacket.PacketType.command else { return receiveData(packet[1...]) }
        perform(UInt16(packet[1]) | UInt16(packet[2]) << 8, Array(packet[4...]))
    }

    private mutating func perform(_ opcode: UInt16, _ parameters: [UInt8]) {
        let number = String(opcode, radix: 16, uppercase: true)
        guard let command = HCICommand(rawValue: opcode), isThere(command) else {
            remark(
                "HCI: the controller has no command 0x\(number); the answer is 0x01, Unknown HCI Command"
            )
            return complete(opcode, [HCIError.unknownCommand.rawValue])
        }
        // The answer comes before the events that the command causes.
        let before = output.packets.count
        var status: UInt8 = 0
        var values: [UInt8] = []
        do throws(HCIError) {
            var fields = CommandFields(parameters, of: command)
            values = try perform(command, &fields)
            if let why = fields.surplus { remark("HCI: \(why)") }
        } catch {
            status = error.rawValue
            let code = String(hexadecimal: error.rawValue, digits: 2)
            remark("HCI: \(command) (0x\(number)) is answered with 0x\(code), \(error)")
        }
        let events = output.packets[before...]
        output.packets.removeSubrange(before...)
        if command.isAnsweredByStatus {
            output.packets.append(
                .event(.commandStatus) {
                    $0 += [status, 1]
                    $0.append(littleEndian: opcode)
                })
        } else if command != .hostNumberOfCompletedPackets || status != 0 {
            complete(opcode, [status] + values)
        }
        output.packets += events
    }

    private mutating func complete(_ opcode: UInt16, _ values: [UInt8]) {
        output.packets.append(
            .event(.commandComplete) {
                $0.append(1)
                $0.append(littleEndian: opcode)
                $0 += values
            })
    }

    func isThere(_ command: HCICommand) -> Bool {
        options.hasExtendedAdvertising || !command.isExtendedAdvertising
    }

    // MARK: For its parts

    /// Tells the host of an event, unless that is masked.
    mutating func tell(_ code: HCIPacket.Code, parameters write: (inout [UInt8]) -> Void) {
        guard masks.show(code) else { return }
        output.packets.append(.event(code, parameters: write))
    }

    /// Tells the host of an LE Meta event, unless that is masked.
    mutating func tell(_ subevent: HCIPacket.Subevent, parameters write: (inout [UInt8]) -> Void) {
        guard masks.show(subevent) else { return }
        output.packets.append(.meta(subevent, parameters: write))
    }

    /// Hands the host a packet that cannot be masked.
    mutating func hand(_ packet: HCIPacket) { output.packets.append(packet) }

    /// Makes the air know us by the address that a command wants to be used (0 and 2 public, 1 and 3 random).
    mutating func use(ownAddressType type: UInt8, random address: Address?) throws(HCIError) {
        guard type <= 3 else { throw .invalidParameters }
        let wanted = type & 1 == 0 ? publicAddress : address
        guard let wanted else { throw .invalidParameters }
        guard wanted != airAddress else { return }
        airAddress = wanted
        request(.setAddress(wanted))
    }
}

/// Which events the host wants to see (Core Specification Vol 4 Part E 7.3.1 and 7.8.1).
struct EventMasks: Sendable {
    var events: UInt64 = 0x0000_1FFF_FFFF_FFFF
    var meta: UInt64 = 0x1F

    func show(_ code: HCIPacket.Code) -> Bool { events >> UInt64(code.rawValue - 1) & 1 == 1 }

    func show(_ subevent: HCIPacket.Subevent) -> Bool {
        show(.leMeta) && meta >> UInt64(subevent.rawValue - 1) & 1 == 1
    }
}

/// The parameters of a command, the least significant byte first.
struct CommandFields {
    private let command: HCICommand
    private var reader: ByteReader

    init(_ parameters: [UInt8], of command: HCICommand) {
        self.command = command
        reader = ByteReader(parameters[...], kind: "\(command)")
    }

    /// A sentence about what is left behind the last parameter; nil where nothing is.
    var surplus: String? {
        reader.remaining == 0
            ? nil : "\(command) has \(reader.remaining) bytes too many, which are ignored"
    }

    mutating func uint8() throws(HCIError) -> UInt8 { try take(1)[0] }

    mutating func uint16() throws(HCIError) -> UInt16 {
        try take(2).reversed().reduce(0) { $0 << 8 | UInt16($1) }
    }

    mutating func number(of bytes: Int) throws(HCIError) -> UInt64 {
        try take(bytes).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func flag() throws(HCIError) -> Bool {
        switch try uint8() {
        case 0: false
        case 1: true
        default: throw .invalidParameters
        }
    }

    /// The type in front, then six octets; an identity address (2 and 3) is the address itself.
    mutating func address() throws(HCIError) -> Address {
        let type = try uint8()
        guard type <= 3 else { throw .invalidParameters }
        return Address(try number(of: 6), isRandom: type & 1 == 1)
    }

    /// Shortest and longest interval, latency, timeout; the length of connection events does not matter.
    ///
    /// The longest interval is taken, as controllers do that have nothing else to do.
    mutating func timing() throws(HCIError) -> ConnectionParameters {
        let shortest = try uint16()
        let timing = ConnectionParameters(
            interval: try uint16(), latency: try uint16(), timeout: try uint16())
        _ = try take(4)
        guard (6...3200).contains(shortest), (shortest...3200).contains(timing.interval),
            timing.latency <= 499, (10...3200).contains(timing.timeout), timing.outlastsSilence
        else { throw .invalidParameters }
        return timing
    }

    /// All that is left, which does not matter.
    mutating func skipRest() { _ = reader.rest() }

    mutating func take(_ count: Int) throws(HCIError) -> [UInt8] {
        do { return try reader.take(count, as: "parameters") } catch { throw .invalidParameters }
    }
}
