import Bluetooth
import DeviceLink
import HostDoor

/// A host that sends our controller whatever the input says, and an air that does what it is asked, sooner or later.
///
/// Every command is answered once, and the air is asked for nothing that it would take for a breach.
func playHostController(_ bytes: UnsafeRawBufferPointer) {
    var input = InputReader(bytes)
    var bench = ControllerBench(extended: input.below(2) == 0)
    while !input.isAtEnd {
        switch input.below(8) {
        case 0...3: bench.command(&input)
        case 4: bench.data(&input)
        case 5: guard bench.host(input.block()) else { return }
        default: bench.air(&input)
        }
        bench.check()
    }
}

private struct ControllerBench {
    private var controller: VirtualController
    private var stream = H4Stream()
    private var commands = 0
    private var unanswered = 0
    private var answers = 0
    /// Whom the air looks for.
    private var wanted: [Address] = []
    /// The connections of the air, with the frames that it has not completed.
    private var links: [(handle: UInt16, frames: Int, requests: Int)] = []
    private var latest: UInt16 = 0
    private static let timing = ConnectionParameters(interval: 24, latency: 0, timeout: 72)
    /// HCI_Host_Number_Of_Completed_Packets, which has no answer where it is right.
    private static let silent: [UInt8] = [0x35, 0x0C]

    init(extended: Bool) {
        var options = VirtualController.Options()
        options.hasExtendedAdvertising = extended
        controller = VirtualController(address: Address(0xC000_0000_0001), options: options) { 7 }
    }

    /// Takes bytes of the host; false where they are not H4.
    mutating func host(_ bytes: [UInt8]) -> Bool {
        stream.append(bytes)
        do throws(MalformedBytes) {
            while let packet = try stream.next() {
                if packet[0] == HCIPacket.PacketType.command {
                    commands += 1
                    if Array(packet[1...2]) == Self.silent { unanswered += 1 }
                }
                controller.receive(packet)
            }
            return true
        } catch { return false }
    }

    /// A command of one of LE's groups, as long as it says.
    mutating func command(_ input: inout InputReader) {
        let group: UInt8 = [0x08, 0x08, 0x08, 0x03, 0x04, 0x01][input.below(6)]
        let command = input.byte()
        let parameters = input.block()
        _ = host([1, command, group << 2, UInt8(parameters.count)] + parameters)
    }

    /// Data on one of the connections.
    mutating func data(_ input: inout InputReader) {
        let handle = (input.one(of: links)?.handle ?? 1) | UInt16(input.below(4)) << 12
        let part = input.block()
        _ = host(
            [2, UInt8(truncatingIfNeeded: handle), UInt8(handle >> 8), UInt8(part.count), 0] + part)
    }

    mutating func air(_ input: inout InputReader) {
        let peer = Address(UInt64(input.below(4)))
        let link = input.below(8)
        let place = links.isEmpty ? nil : link % links.count
        switch (input.below(10), place) {
        case (0, _):
            controller.receive(
                .advertisingReport(
                    peer: peer, isScanResponse: input.below(2) == 0,
                    isConnectable: input.below(2) == 0, rssi: -40, data: input.take(31)))
        case (1, _): connect(to: peer, isCentral: false)
        case (2, _):
            guard let peer = input.one(of: wanted) else { return }
            connect(to: peer, isCentral: true)
        case (3, let place?): end(place)
        case (4, let place?):
            let body = input.block()
            controller.receive(
                .acl(handle: links[place].handle, [UInt8(body.count), 0, 4, 0] + body))
        case (5, let place?):
            let count = min(links[place].frames, 1 + input.below(8))
            guard count > 0 else { return }
            links[place].frames -= count
            controller.receive(
                .completedPackets(handle: links[place].handle, count: UInt16(count)))
        case (6, let place?):
            links[place].requests = 0
            controller.receive(.longTermKeyRequest(handle: links[place].handle))
        case (7, let place?):
            links[place].requests = 0
            controller.receive(
                .encryptionChange(
                    status: input.byte(), handle: links[place].handle,
                    isEncrypted: input.below(2) == 0))
        case (8, let place?):
            links[place].requests = 0
            controller.receive(
                .connectionUpdateComplete(
                    status: input.byte(), handle: links[place].handle, Self.timing))
        default: break
        }
    }

    private mutating func connect(to peer: Address, isCentral: Bool) {
        latest += 1
        links.append((latest, 0, 0))
        if isCentral { wanted.removeAll { $0 == peer } }
        controller.receive(
            .connectionComplete(
                status: 0, handle: latest, isCentral: isCentral, peer: peer, Self.timing))
    }

    private mutating func end(_ place: Int) {
        let handle = links.remove(at: place).handle
        controller.receive(.disconnectionComplete(handle: handle, reason: 0x13))
    }

    /// Holds what the controller says against what it may say.
    mutating func check() {
        let packets = controller.takePackets()
        FuzzBytes.check(packets, at: .zero)
        answers += packets.filter { $0.bytes[0] == 4 && [0x0E, 0x0F].contains($0.bytes[1]) }.count
        demand(
            (commands - unanswered...commands).contains(answers),
            "\(answers) answers to \(commands) commands")
        for request in controller.takeRequests() { take(request) }
        _ = controller.takeRemarks()
    }

    private mutating func take(_ request: BluetoothCommand) {
        do throws(Breach) { try Answer.bluetooth(request).check(EventKind.fence) } catch {
            fatalError("the air is asked for what it does not take: \(error)")
        }
        switch request {
        case .connect(let peer, _):
            demand(!wanted.contains(peer), "two attempts to connect to one peer")
            wanted.append(peer)
        case .cancelConnect(let peer):
            guard wanted.contains(peer) else { return }
            wanted.removeAll { $0 == peer }
            controller.receive(
                .connectionComplete(
                    status: 2, handle: 0, isCentral: true, peer: peer, Self.timing))
        case .acl(let handle, _):
            guard let place = links.firstIndex(where: { $0.handle == handle }) else {
                fatalError("a frame for a connection that there is not")
            }
            links[place].frames += 1
            demand(links[place].frames <= aclBufferCount, "more frames than the air has room for")
        case .disconnect(let handle, _), .encrypt(let handle, _, _, _), .longTermKey(let handle, _),
            .updateConnection(let handle, _):
            guard let place = links.firstIndex(where: { $0.handle == handle }) else {
                fatalError("a request for a connection that there is not")
            }
            links[place].requests += 1
            demand(
                links[place].requests <= aclBufferCount, "more requests than the air has room for")
        default: break
        }
    }
}

/// A host that sends our UWB chip whatever the input says, and a radio that answers it.
///
/// Every command is answered once, and the radio is asked for nothing that it would take for a breach.
func playHostUWBS(_ bytes: UnsafeRawBufferPointer) {
    var input = InputReader(bytes)
    var options = VirtualUWBS.Options()
    options.hasSessionHandles = input.below(2) == 0
    var bench = UWBSBench(VirtualUWBS(options: options))
    while !input.isAtEnd {
        switch input.below(8) {
        case 0...4:
            let (group, opcode, payload) = (input.below(4), input.byte() & 0x3F, input.block())
            _ = bench.host([0x20 | UInt8(group), opcode, 0, UInt8(payload.count)] + payload)
        case 5: guard bench.host(input.block()) else { return }
        default: bench.radio(&input)
        }
    }
    bench.end()
}

private struct UWBSBench {
    private var uwbs: VirtualUWBS
    private var stream = UCIStream()
    private var commands = 0
    private var answers = 0
    /// The session whose start the radio has not answered.
    private var starting: UInt32?
    private var sessions: [UInt32] = []
    /// CORE_GENERIC_ERROR_NTF, which a command gets that may not wait.
    private static let retry: (UInt8, UInt8) = (0, 7)

    init(_ uwbs: VirtualUWBS) { self.uwbs = uwbs }

    /// Takes bytes of the host; false where they are not UCI.
    mutating func host(_ bytes: [UInt8]) -> Bool {
        defer { take() }
        stream.append(bytes)
        do throws(MalformedBytes) {
            while let packet = try stream.next() {
                if packet.type == .command { commands += 1 }
                uwbs.receive(packet)
            }
            return true
        } catch { return false }
    }

    mutating func radio(_ input: inout InputReader) {
        if let starting, input.below(2) == 0 { return start(starting, status: input.byte() & 1) }
        let session = input.one(of: sessions) ?? 1
        let measurement = UWBMeasurement(
            distance: input.number(), azimuth: Int16(input.byte()), elevation: nil,
            isLineOfSight: true)
        uwbs.receive(.round(session: session, input.below(4) == 0 ? nil : measurement))
        take()
    }

    private mutating func start(_ session: UInt32, status: UInt8) {
        starting = nil
        if status == 0 { sessions.append(session) }
        uwbs.receive(.started(session: session, status: status))
        take()
    }

    /// Answers what is asked, and finds that every command was answered.
    mutating func end() {
        while let starting { start(starting, status: 0) }
        demand(answers == commands, "\(answers) answers to \(commands) commands")
    }

    private mutating func take() {
        for packet in uwbs.takePackets() {
            let isRefused =
                packet.type == .notification && (packet.group, packet.opcode) == Self.retry
            if packet.type == .response || isRefused { answers += 1 }
            demand(packet.payload.count <= UCIStream.longestMessage, "a message that is too long")
        }
        for request in uwbs.takeRequests() {
            do throws(Breach) { try Answer.uwb(request).check(EventKind.fence) } catch {
                fatalError("the radio is asked for what it does not take: \(error)")
            }
            switch request {
            case .start(let session, _):
                demand(starting == nil, "two starts at once")
                demand(!sessions.contains(session), "a start of a session that ranges")
                starting = session
            case .stop(let session), .end(let session):
                demand(sessions.contains(session), "a stop of a session that does not range")
                sessions.removeAll { $0 == session }
            case .stride: break
            }
        }
        _ = uwbs.takeRemarks()
    }
}
