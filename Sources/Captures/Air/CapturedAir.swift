package import AccessoryProtocol
package import Bluetooth
package import DeviceLink
internal import Observer
package import Traces

/// Makes of a capture what a trace shows: links, attributes and messages, as the live air does.
///
/// Where the capture has one end of a link alone, a frame reaches the other end, or left it, at the same time
/// (TRACE.md, "A trace from real devices"): what that end did in answer still comes behind what it answers.
package struct CapturedAir: Sendable {
    /// What has been seen and not been taken.
    package var events: [TraceEvent] = []
    /// The ATT MTU that each device has asked for or agreed to last, by name (Core Specification Vol 3 Part F
    /// 3.4.2); looked up only.
    package private(set) var mtus: [String: Int] = [:]
    /// What could not be shown.
    package private(set) var gaps = CaptureGaps()
    private var participants = Participants()
    private var hosts: [HostState] = []
    private var addresses: [UInt64: Int] = [:]
    private var links: [CapturedLink] = []
    /// The latest link of each pair of devices; looked up only.
    private var latest: [[Int]: Int] = [:]
    /// The pairs that have had an encrypted link.
    private var bonds: Set<[Int]> = []
    private var observer: AirObserver
    private var seen: [AirObserver.ObservedEvent] = []
    private var eventCount: UInt64 = 0
    private var step: UInt64 = 0
    private var now = VirtualTime.zero
    private var beginning: UInt64?

    /// Air on which nothing has been heard; messages may go over these services as well.
    package init(services: [MessageService] = [], named name: String) {
        observer = AirObserver(services: services)
        emit(.runStarted, fields: [Field("topology", .text(name)), Field("length", .number(0))])
    }

    /// The devices that have taken part so far.
    package var devices: [CapturedDevice] { participants.all }

    /// The moment of the last packet, since the first one.
    package var end: VirtualTime { now }

    /// Takes the next packet of a capture that has these hosts so far.
    ///
    /// - Throws: `MalformedBytes` where it is no HCI packet.
    package mutating func take(
        _ packet: CapturedPacket, of known: [CapturedHost]
    ) throws(MalformedBytes) {
        for place in hosts.count..<max(hosts.count, known.count) {
            hosts.append(HostState(name: known[place].name))
            if let address = known[place].address { learn(address, of: place) }
        }
        pass(to: packet.time)
        step += 1
        guard !packet.isCut else { return gaps.cut += 1 }
        let host = packet.host
        switch try HCINews(packet.packet) {
        case .address(let address): learn(address.value, of: host)
        case .advertising(let isOn): advertise(isOn, host)
        case .scanning(let isOn): scan(isOn, host)
        case .connecting(let peer): connect(to: peer.value, host)
        case .connected(let handle, let isCentral, let peer, let parameters):
            end(handle, of: host, reason: Self.timeout)
            let link = linkUp(
                as: isCentral ? .central : .peripheral, of: host, to: peer.value, parameters)
            hosts[host].connections[handle] = .init(
                link: (link, isCentral ? .central : .peripheral))
        case .connectedClassic(let handle): hosts[host].connections[handle] = .init(link: nil)
        case .disconnecting(let handle, let reason):
            note(.airDisconnecting, handle, of: host, [Field("reason", .number(Int64(reason)))])
        case .disconnected(let handle, let reason): end(handle, of: host, reason: reason)
        case .encrypted(let handle, let status, let isOn):
            encrypt(handle, of: host, status: status, isOn: isOn)
        case .updated(let handle, let status, let parameters):
            let fields = [Field("status", .number(Int64(status)))] + Self.fields(parameters)
            note(.linkUpdated, handle, of: host, fields, alsoInferred: true)
        case .data(let handle, let isFirst, let fragment):
            carry(
                fragment, isFirst: isFirst, on: handle, of: host,
                isSent: packet.packet.direction == .toController)
        case .other: break
        }
    }

    /// The end of the capture: what was still awaited may have come.
    package mutating func finish() {
        step += 1
        emit(.runEnded, fields: [Field("reason", .text("cut"))])
    }

    /// A clock that was set back stands still until it is where it was.
    private mutating func pass(to time: UInt64) {
        let first = beginning ?? time
        beginning = first
        if time < first || VirtualTime(nanoseconds: time - first) < now {
            gaps.setBack += 1
        } else {
            now = VirtualTime(nanoseconds: time - first)
        }
    }
}

// What a host asks for, and what it is told of links.
extension CapturedAir {
    private static let timeout: UInt8 = 0x08

    private mutating func learn(_ address: UInt64, of host: Int) {
        hosts[host].address = address
        addresses[address] = host
    }

    private mutating func advertise(_ isOn: Bool, _ host: Int) {
        defer { hosts[host].isAdvertising = isOn }
        guard let device = participants.place(of: .host(host), as: .accessory),
            isOn != hosts[host].isAdvertising
        else { return }
        emit(.airAdvertising, on: device, fields: [Field("on", .flag(isOn))])
    }

    private mutating func scan(_ isOn: Bool, _ host: Int) {
        defer { hosts[host].isScanning = isOn }
        guard let device = participants.place(of: .host(host), as: .appleDevice),
            isOn != hosts[host].isScanning
        else { return }
        emit(.airScanning, on: device, fields: [Field("on", .flag(isOn))])
    }

    private mutating func connect(to address: UInt64, _ host: Int) {
        guard let device = participants.place(of: .host(host), as: .appleDevice),
            let peer = participants.place(of: identity(of: address), as: .accessory)
        else { return hosts[host].wanted = address }
        emit(.airConnecting, on: device, fields: [Field("peer", .text(name(peer)))])
    }

    /// A host is told of a link; gives its place.
    private mutating func linkUp(
        as side: Side, of host: Int, to address: UInt64, _ parameters: ConnectionParameters
    ) -> Int {
        let device = appear(.host(host), as: side.role)
        let peer = identity(of: address)
        let other = appear(peer, as: side.other.role)
        tellWanted(host, device: device, peer: other, address)
        if side == .peripheral, hosts[host].isAdvertising { advertise(false, host) }
        var ends = Sides(both: device)
        ends[side.other] = other
        let pair = [ends.central, ends.peripheral]
        let place: Int
        if let known = latest[pair], links[known].isOnAir, !links[known].isUp[side] {
            place = known
        } else {
            var isSeen = Sides(both: true)
            if case .peer = peer { isSeen[side.other] = false }
            place = begin(ends, isSeen: isSeen)
        }
        for end in [side.other, side] where end == side || !links[place].isSeen[end] {
            links[place].isUp[end] = true
            note(
                .linkUp, place, at: end,
                [Field("role", .text(end.name))] + Self.fields(parameters))
        }
        return place
    }

    private mutating func begin(_ ends: Sides<Int>, isSeen: Sides<Bool>) -> Int {
        let pair = [ends.central, ends.peripheral]
        let link = CapturedLink(number: links.count + 1, ends: ends, isSeen: isSeen)
        links.append(link)
        latest[pair] = links.count - 1
        note(.airConnected, links.count - 1, at: .central, [])
        observer.linkUp(
            link: link.number, central: name(ends.central), peripheral: name(ends.peripheral),
            peripheralIncarnation: 0, isBonded: bonds.contains(pair))
        return links.count - 1
    }

    /// A host is told of the end of a link.
    private mutating func end(_ handle: UInt16, of host: Int, reason: UInt8) {
        guard let connection = hosts[host].connections.removeValue(forKey: handle),
            let (place, side) = connection.link
        else { return }
        if links[place].isOnAir {
            links[place].isOnAir = false
            note(
                .airDisconnected, place, at: .central, [Self.field(reason: reason, side, .central)])
            observer.linkDown(link: links[place].number)
        }
        for end in [side, side.other]
        where (end == side || !links[place].isSeen[end]) && !links[place].isDown[end] {
            links[place].isDown[end] = true
            note(.linkDown, place, at: end, [Self.field(reason: reason, side, end)])
        }
    }

    /// What one end is told where the other is told `reason`: he who ends a link hears that he did.
    private static func field(reason: UInt8, _ side: Side, _ end: Side) -> Field {
        let mirrored: [UInt8: UInt8] = [0x16: 0x13, 0x13: 0x16]
        return Field(
            "reason", .number(Int64(end == side ? reason : mirrored[reason] ?? reason)))
    }

    private mutating func encrypt(_ handle: UInt16, of host: Int, status: UInt8, isOn: Bool) {
        guard let (place, side) = hosts[host].connections[handle]?.link else { return }
        note(
            .linkEncrypted, handle, of: host, [Field("status", .number(Int64(status)))],
            alsoInferred: true)
        guard status == 0 else { return }
        let ends = links[place].ends
        if isOn { bonds.insert([ends.central, ends.peripheral]) }
        for end in [side, side.other] where end == side || !links[place].isSeen[end] {
            observer.encryptionChanged(
                link: links[place].number, at: name(ends[end]), to: isOn)
        }
    }
}

// Frames.
extension CapturedAir {
    private mutating func carry(
        _ fragment: [UInt8], isFirst: Bool, on handle: UInt16, of host: Int, isSent: Bool
    ) {
        guard let (place, side) = hosts[host].connections[handle]?.link else {
            if hosts[host].connections[handle] == nil { gaps.strangers += 1 }
            return
        }
        let frame =
            isSent
            ? hosts[host].connections[handle]?.sent.take(fragment, isFirst: isFirst)
            : hosts[host].connections[handle]?.received.take(fragment, isFirst: isFirst)
        guard let frame = frame ?? nil else { return }
        let isOtherSeen = links[place].isSeen[side.other]
        learnMTU(from: frame, of: links[place].ends[isSent ? side : side.other])
        let (sender, receiver) = isSent ? (side, side.other) : (side.other, side)
        if isSent || !isOtherSeen { observe(frame, place, at: sender, .sent) }
        if !isSent || !isOtherSeen { observe(frame, place, at: receiver, .received) }
    }

    private mutating func learnMTU(from frame: [UInt8], of device: Int) {
        guard let payload = try? L2CAPFrame(frame), payload.channel == L2CAPChannel.attribute,
            payload.payload.count == 3,
            [ATTOpcode.exchangeMTURequest, .exchangeMTUResponse].map(\.rawValue)
                .contains(payload.payload[0])
        else { return }
        mtus[name(device)] = Int(payload.payload[1]) | Int(payload.payload[2]) << 8
    }

    private mutating func observe(
        _ frame: [UInt8], _ place: Int, at end: Side, _ phase: AirObserver.Phase
    ) {
        let device = links[place].ends[end]
        observer.frame(
            frame, link: links[place].number, at: name(device), phase: phase, isSpoilt: false,
            into: &seen)
        for event in seen {
            if event.fields.contains(Field("unresolved", true)), phase == .sent {
                gaps.unresolved += 1
            }
            emit(event.kind, on: device, fields: event.fields)
        }
        seen.removeAll(keepingCapacity: true)
    }
}

// Who it is, and what is emitted.
extension CapturedAir {
    private func identity(of address: UInt64) -> Participants.Identity {
        addresses[address].map { .host($0) } ?? .peer(address)
    }

    private func name(_ device: Int) -> String { participants.all[device].name }

    /// The device that somebody is in a role, who may be it from now on.
    private mutating func appear(_ identity: Participants.Identity, as role: DeviceRole) -> Int {
        if let known = participants.place(of: identity, as: role) { return known }
        let host: HostState? = if case .host(let place) = identity { hosts[place] } else { nil }
        var address = host?.address
        if case .peer(let own) = identity { address = own }
        let device = start(identity, as: role, named: host?.name, address: address)
        if role == .accessory, host?.isAdvertising == true {
            emit(.airAdvertising, on: device, fields: [Field("on", true)])
        }
        if role == .appleDevice, host?.isScanning == true {
            emit(.airScanning, on: device, fields: [Field("on", true)])
        }
        return device
    }

    private mutating func tellWanted(_ host: Int, device: Int, peer: Int, _ address: UInt64) {
        guard hosts[host].wanted == address, participants.all[device].role == .appleDevice else {
            return
        }
        hosts[host].wanted = nil
        emit(.airConnecting, on: device, fields: [Field("peer", .text(name(peer)))])
    }

    private mutating func start(
        _ identity: Participants.Identity, as role: DeviceRole, named own: String?,
        address: UInt64?
    ) -> Int {
        let device = participants.add(identity, as: role, named: own, address: address)
        var fields = [Field("incarnation", .number(0))]
        if let address = participants.all[device].address {
            fields.append(Field("address", .text("\(address)")))
        }
        emit(
            .deviceStarted, on: device, fields: fields + [Field("role", .text(role.rawValue))])
        return device
    }

    private static func fields(_ parameters: ConnectionParameters) -> [Field] {
        [
            Field("interval", .number(Int64(parameters.interval) * 1_250_000)),
            Field("latency", .number(Int64(parameters.latency))),
            Field("timeout", .number(Int64(parameters.timeout) * 10_000_000)),
        ]
    }

    /// Notes what a host is told of one of its links, and what the other end is then taken to know.
    private mutating func note(
        _ kind: EventKind, _ handle: UInt16, of host: Int, _ fields: [Field],
        alsoInferred: Bool = false
    ) {
        guard let (place, side) = hosts[host].connections[handle]?.link else { return }
        if alsoInferred, !links[place].isSeen[side.other] {
            note(kind, place, at: side.other, fields)
        }
        note(kind, place, at: side, fields)
    }

    private mutating func note(_ kind: EventKind, _ place: Int, at end: Side, _ fields: [Field]) {
        let link = links[place]
        let about = [
            Field("link", .number(Int64(link.number))),
            Field("peer", .text(name(link.ends[end.other]))),
        ]
        emit(kind, on: link.ends[end], fields: about + fields)
    }

    private mutating func emit(_ kind: EventKind, on device: Int? = nil, fields: [Field]) {
        let about = device.map { participants.all[$0] }
        events.append(
            TraceEvent(
                number: eventCount, time: now, step: step, kind: kind, device: about?.name ?? "",
                role: about?.role, fields: fields))
        eventCount += 1
    }
}

extension Side {
    fileprivate var role: DeviceRole { self == .central ? .appleDevice : .accessory }
    fileprivate var name: String { self == .central ? "central" : "peripheral" }
}
