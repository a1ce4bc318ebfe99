import Basics
import Bluetooth
package import DeviceLink

/// A virtual UWB subsystem, FiRa's word for the chip, for a host that speaks UCI.
///
/// Its answers take no time, but for that of SESSION_START, which is the radio's own. Its sessions range two ways, with
/// one peer, by short addresses and static STS; every other command gets STATUS_UNKNOWN_GID or STATUS_UNKNOWN_OID.
package struct VirtualUWBS: VirtualChip {
    /// What differs between chips.
    package struct Options: Equatable, Sendable {
        /// Whether it is one of UCI 2.0, which names a session by a handle of its own, and not by the session's id.
        package var hasSessionHandles = false
        /// How many sessions there may be.
        package var sessions = 5

        package init() {}
    }

    let options: Options

    package var output = ChipOutput<UCIPacket, UWBCommand>()
    /// Its sessions, in the order of their beginnings.
    var sessions: [UCISession] = []
    /// The handle of the latest session: no other has had it.
    var latestHandle: UInt32 = 0
    /// The session whose start the radio has not answered.
    var starting: UInt32?
    /// Commands that came meanwhile: one is done after the other.
    private var waiting: [UCIPacket] = []
    private var state = UWBSState.ready
    private var isLowPower = true
    /// How many commands may wait.
    static let mostWaiting = 16

    /// A UWBS after power on, which says that it is ready.
    package init(options: Options) {
        self.options = options
        tell(.coreDeviceStatus, [state.rawValue])
    }

    /// Takes one whole message of the host.
    package mutating func receive(_ packet: UCIPacket) {
        guard packet.type == .command else {
            return remark("UCI: a host sends commands, and no \(packet.type); it is ignored")
        }
        guard starting != nil else { return perform(packet) }
        guard waiting.count < Self.mostWaiting else {
            remark(
                "UCI: more than \(Self.mostWaiting) commands came before the response to "
                    + "SESSION_START; the answer is CORE_GENERIC_ERROR_NTF with 0x0A, COMMAND_RETRY"
            )
            return tell(.coreGenericError, [UCIStatus.commandRetry.rawValue])
        }
        waiting.append(packet)
    }

    /// Takes what the radio reports.
    package mutating func receive(_ event: UWBEvent) {
        switch event {
        case .started(let handle, let status):
            guard starting == handle else { return }
            starting = nil
            finishStart(of: handle, status: status)
            while starting == nil, !waiting.isEmpty { perform(waiting.removeFirst()) }
        case .round(let handle, let measurement): finishRound(of: handle, measurement)
        }
    }

    private mutating func perform(_ packet: UCIPacket) {
        guard let command = UCICommand(rawValue: packet.code) else { return refuse(packet) }
        // The response comes before the notifications that the command causes.
        let before = output.packets.count
        var response: UCIResponse?
        do throws(UCIStatus) {
            var fields = UCIFields(packet.payload)
            response = try perform(command, &fields)
        } catch {
            response = UCIResponse(status: error, nothing(of: command))
        }
        guard let response else { return }
        if response.status != .ok { remark(command, isAnsweredWith: response.status.rawValue) }
        output.packets.insert(response.packet(to: command), at: before)
    }

    private mutating func refuse(_ packet: UCIPacket) {
        let status: UCIStatus =
            UCICommand.groups.contains(packet.group) ? .unknownOID : .unknownGID
        remark(
            "UCI: the UWBS has no command with group \(packet.group) and opcode \(packet.opcode); "
                + "the answer is \(Self.text(status.rawValue))")
        output.packets.append(
            UCIPacket(
                .response, group: packet.group, opcode: packet.opcode, payload: [status.rawValue]))
    }

    /// Does what a command wants; gives no response where it has to wait for the radio.
    private mutating func perform(
        _ command: UCICommand, _ fields: inout UCIFields
    ) throws(UCIStatus) -> UCIResponse? {
        switch command {
        case .coreDeviceReset: try reset(&fields)
        case .coreGetDeviceInfo:
            try fields.end()
            return UCIResponse(deviceInfo)
        case .coreGetCapsInfo:
            try fields.end()
            return UCIResponse(capabilities)
        case .coreSetConfig: return try setConfig(&fields)
        case .coreGetConfig: return try getConfig(&fields)
        case .sessionInit: return try initialize(&fields)
        case .sessionDeinit: try deinitialize(&fields)
        case .sessionSetAppConfig: return try setAppConfig(&fields)
        case .sessionGetAppConfig: return try getAppConfig(&fields)
        case .sessionGetCount:
            try fields.end()
            return UCIResponse([UInt8(clamping: sessions.count)])
        case .sessionGetState:
            return UCIResponse([sessions[try session(&fields)].state.rawValue])
        case .sessionStart:
            try start(&fields)
            return nil
        case .sessionStop: try stop(&fields)
        case .sessionGetRangingCount:
            return UCIResponse([UInt8](littleEndian: sessions[try session(&fields)].rounds))
        }
        return UCIResponse()
    }

    /// What stands behind the status where a command could not be done.
    private func nothing(of command: UCICommand) -> [UInt8] {
        switch command {
        case .coreSetConfig, .coreGetConfig, .sessionSetAppConfig, .sessionGetAppConfig: [0]
        case .sessionInit: options.hasSessionHandles ? [0, 0, 0, 0] : []
        case .sessionGetState: [SessionState.deinitialized.rawValue]
        case .sessionGetRangingCount: [0, 0, 0, 0]
        default: []
        }
    }

    // MARK: Core

    private mutating func reset(_ fields: inout UCIFields) throws(UCIStatus) {
        guard try fields.uint8() == 0 else { throw .invalidParam }
        try fields.end()
        for session in sessions where session.state == .active {
            request(.stop(session: session.handle))
        }
        sessions = []
        isLowPower = true
        state = .ready
        tell(.coreDeviceStatus, [state.rawValue])
    }

    /// Octets of `GetDeviceInfoRsp` behind its status: UCI, MAC, PHY and UCI test version, and nothing of a vendor.
    private var deviceInfo: [UInt8] {
        let version: [UInt8] = options.hasSessionHandles ? [2, 0x00] : [1, 0x10]
        return version + version + version + [1, 0x10] + [0]
    }

    /// `CapTlv`s: a `CapTlvType`, a length and a value each.
    private var capabilities: [UInt8] {
        let newest: [UInt8] = options.hasSessionHandles ? [2, 0] : [1, 1]
        let capabilities: [(UInt8, [UInt8])] = [
            // PHY and MAC, from a version to a version.
            (0x00, [1, 1] + newest), (0x01, [1, 1] + newest),
            // Responder and initiator.
            (0x02, [0x03]),
            // All four kinds of two-way ranging; static STS; one peer, or many that are one.
            (0x03, [0x1E]), (0x04, [0x01]), (0x05, [0x03]),
            // Blocks, and time-scheduled ranging.
            (0x06, [0x02]), (0x07, [0x02]),
            // No hopping, no strides, no time of initiation.
            (0x08, [0]), (0x09, [0]), (0x0A, [0]),
            // Channels 5, 6, 8, 9, 10, 12, 13 and 14.
            (0x0B, [0xFF]),
            // Frames SP1 and SP3; a constraint length of 3; all parameter sets of BPRF.
            (0x0C, [0x0A]), (0x0D, [0x01]), (0x0E, [0x3F]),
            // Azimuth within 90°, elevation, and how good they are.
            (0x10, [0x0D]),
            // No extended addresses.
            (0x11, [0]),
        ]
        return [UInt8(capabilities.count)]
            + capabilities.flatMap { [$0.0, UInt8($0.1.count)] + $0.1 }
    }

    private mutating func setConfig(_ fields: inout UCIFields) throws(UCIStatus) -> UCIResponse {
        var refused: [UInt8] = []
        for (identifier, value) in try fields.parameters() {
            switch DeviceConfigParameter(rawValue: identifier) {
            case .lowPowerMode where value == [0] || value == [1]: isLowPower = value == [1]
            case .deviceState: refused += [identifier, UCIStatus.readOnly.rawValue]
            case .lowPowerMode, nil: refused += [identifier, UCIStatus.invalidParam.rawValue]
            }
        }
        return UCIResponse(refused: refused)
    }

    private func getConfig(_ fields: inout UCIFields) throws(UCIStatus) -> UCIResponse {
        UCIResponse(values: try fields.identifiers()) { identifier in
            switch DeviceConfigParameter(rawValue: identifier) {
            case .deviceState: [state.rawValue]
            case .lowPowerMode: [isLowPower ? 1 : 0]
            case nil: nil
            }
        }
    }

    // MARK: For its parts

    /// Tells the host something of its own accord.
    mutating func tell(_ notification: UCINotification, _ payload: [UInt8]) {
        output.packets.append(notification.packet(.notification, payload))
    }

    /// Hands the host the response to a command that had to wait.
    mutating func respond(to command: UCICommand, status: UInt8) {
        if status != UCIStatus.ok.rawValue { remark(command, isAnsweredWith: status) }
        output.packets.append(command.packet(.response, [status]))
    }

    /// Tells the host whether any session ranges, where that has changed.
    mutating func tellState() {
        let now: UWBSState = sessions.contains { $0.state == .active } ? .active : .ready
        guard now != state else { return }
        state = now
        tell(.coreDeviceStatus, [state.rawValue])
    }

    private mutating func remark(_ command: UCICommand, isAnsweredWith status: UInt8) {
        remark("UCI: \(firaName(of: command)) is answered with \(Self.text(status))")
    }

    private static func text(_ status: UInt8) -> String {
        let number = "0x" + String(hexadecimal: status, digits: 2)
        return UCIStatus(rawValue: status).map { "\(number), \(firaName(of: $0))" } ?? number
    }
}

/// What a command is answered with: a status, and what stands behind it.
struct UCIResponse {
    var status = UCIStatus.ok
    var values: [UInt8]

    init(status: UCIStatus = .ok, _ values: [UInt8] = []) {
        self.status = status
        self.values = values
    }

    /// The answer to what sets parameters: the identifiers that were refused, each with a status.
    init(refused: [UInt8]) {
        self.init(
            status: refused.isEmpty ? .ok : .invalidParam,
            [UInt8(clamping: refused.count / 2)] + refused)
    }

    /// The answer to what asks for values: those, or else the identifiers that have none.
    init(values identifiers: [UInt8], _ value: (UInt8) -> [UInt8]?) {
        let missing = identifiers.filter { value($0) == nil }
        let told = missing.isEmpty ? identifiers : missing
        self.init(
            status: missing.isEmpty ? .ok : .invalidParam,
            [UInt8(clamping: told.count)]
                + told.flatMap { identifier in
                    let value = value(identifier) ?? []
                    return [identifier, UInt8(clamping: value.count)] + value
                })
    }

    func packet(to command: UCICommand) -> UCIPacket {
        command.packet(.response, [status.rawValue] + values)
    }
}

/// The parameters of a command, the least significant octet first.
///
/// What is missing, or left behind the last, is a syntax error.
struct UCIFields {
    private var reader: ByteReader

    init(_ payload: [UInt8]) { reader = ByteReader(payload[...], kind: "UCI command") }

    mutating func uint8() throws(UCIStatus) -> UInt8 { try take(1)[0] }

    mutating func uint32() throws(UCIStatus) -> UInt32 {
        try take(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// A count, and as many identifiers with lengths and values; they are the last.
    mutating func parameters() throws(UCIStatus) -> [(identifier: UInt8, value: [UInt8])] {
        var parameters: [(identifier: UInt8, value: [UInt8])] = []
        for _ in 0..<(try uint8()) {
            let identifier = try uint8()
            parameters.append((identifier, try take(Int(try uint8()))))
        }
        try end()
        return parameters
    }

    /// A count, and as many identifiers; they are the last.
    mutating func identifiers() throws(UCIStatus) -> [UInt8] {
        let identifiers = try take(Int(try uint8()))
        try end()
        return identifiers
    }

    func end() throws(UCIStatus) {
        if reader.remaining > 0 { throw .syntaxError }
    }

    private mutating func take(_ count: Int) throws(UCIStatus) -> [UInt8] {
        do { return try reader.take(count, as: "parameters") } catch { throw .syntaxError }
    }
}
