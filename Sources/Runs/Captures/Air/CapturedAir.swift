package import AccessoryProtocol
package import Bluetooth
package import DeviceLink
import Observer
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
    package internal(set) var mtus: [String: Int] = [:]
    /// What could not be shown.
    package internal(set) var gaps = CaptureGaps()
    var participants = CapturedParties()
    var hosts: [HostState] = []
    var addresses: [UInt64: Int] = [:]
    var links: [CapturedLink] = []
    /// The latest link of each pair of devices; looked up only.
    var latest: [[Int]: Int] = [:]
    /// The pairs that have had an encrypted link.
    var bonds: Set<[Int]> = []
    var observer: AirObserver
    var seen: [AirObserver.ObservedEvent] = []
    var eventCount: UInt64 = 0
    var step: UInt64 = 0
    var now = VirtualTime.zero
    var beginning: UInt64?

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
            hosts.append(HostState(name: known[place].name, isSeen: !known[place].isSniffed))
            if let address = known[place].address { learn(address, of: place) }
        }
        pass(to: packet.time)
        step += 1
        let host = packet.host
        guard !packet.isCut else {
            if !isClassic(packet.packet, of: host) { gaps.cut += 1 }
            return
        }
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
            let fields = [Field("status", .number(Int64(status)))] + parameters.fields
            note(.linkUpdated, handle, of: host, fields, alsoInferred: true)
        case .data(let handle, let isFirst, let fragment):
            carry(
                fragment, isFirst: isFirst, on: handle, of: host,
                isSent: packet.packet.direction == .toController)
        case .other: break
        }
    }

    /// Whether it is data of BR/EDR, such as music, of which Android's logs keep the beginning alone.
    private func isClassic(_ packet: HCIPacket, of host: Int) -> Bool {
        guard packet.bytes.count > 2, packet.bytes[0] == 2 else { return false }
        let handle = UInt16(packet.bytes[1]) | UInt16(packet.bytes[2] & 0x0F) << 8
        return hosts[host].connections[handle].map { $0.link == nil } ?? false
    }

    /// The end of the capture: what was still awaited may have come.
    package mutating func finish() {
        step += 1
        emit(.runEnded, fields: [Field("reason", .text("cut"))])
    }

    /// A clock that was set back stands still until it is where it was.
    mutating func pass(to time: UInt64) {
        let first = beginning ?? time
        beginning = first
        if time < first || VirtualTime(nanoseconds: time - first) < now {
            gaps.setBack += 1
        } else {
            now = VirtualTime(nanoseconds: time - first)
        }
    }
}

// Who it is, and what is emitted.
extension CapturedAir {
    func identity(of address: UInt64) -> CapturedParties.Identity {
        addresses[address].map { .host($0) } ?? .peer(address)
    }

    func name(_ device: Int) -> String { participants.all[device].name }

    /// The device that somebody is in a role, who may be it from now on.
    mutating func appear(_ identity: CapturedParties.Identity, as role: DeviceRole) -> Int {
        if let known = participants.place(of: identity, as: role) { return known }
        let host: HostState? = if case .host(let place) = identity { hosts[place] } else { nil }
        var address = host?.address
        if case .peer(let own) = identity { address = own }
        let device = start(
            identity, as: role, named: host?.name, address: address,
            isHost: host?.isSeen ?? false)
        if role == .accessory, host?.isAdvertising == true {
            emit(.airAdvertising, on: device, fields: [Field("on", true)])
        }
        if role == .appleDevice, host?.isScanning == true {
            emit(.airScanning, on: device, fields: [Field("on", true)])
        }
        return device
    }

    mutating func tellWanted(_ host: Int, device: Int, peer: Int, _ address: UInt64) {
        guard hosts[host].wanted == address, participants.all[device].role == .appleDevice else {
            return
        }
        hosts[host].wanted = nil
        emit(.airConnecting, on: device, fields: [Field("peer", .text(name(peer)))])
    }

    mutating func start(
        _ identity: CapturedParties.Identity, as role: DeviceRole, named own: String?,
        address: UInt64?, isHost: Bool
    ) -> Int {
        let device = participants.add(
            identity, as: role, named: own, address: address, isHost: isHost)
        var fields = [Field("incarnation", .number(0))]
        if let address = participants.all[device].address {
            fields.append(Field("address", .text("\(address)")))
        }
        emit(
            .deviceStarted, on: device, fields: fields + [Field("role", .text(role.rawValue))])
        return device
    }

    /// Notes what a host is told of one of its links, and what the other end is then taken to know.
    mutating func note(
        _ kind: EventKind, _ handle: UInt16, of host: Int, _ fields: [Field],
        alsoInferred: Bool = false
    ) {
        guard let (place, side) = hosts[host].connections[handle]?.link else { return }
        if alsoInferred, !links[place].isSeen[side.other] {
            note(kind, place, at: side.other, fields)
        }
        note(kind, place, at: side, fields)
    }

    mutating func note(_ kind: EventKind, _ place: Int, at end: Side, _ fields: [Field]) {
        let link = links[place]
        let about = [
            Field("link", .number(Int64(link.number))),
            Field("peer", .text(name(link.ends[end.other]))),
        ]
        emit(kind, on: link.ends[end], fields: about + fields)
    }

    mutating func emit(_ kind: EventKind, on device: Int? = nil, fields: [Field]) {
        let about = device.map { participants.all[$0] }
        events.append(
            TraceEvent(
                number: eventCount, time: now, step: step, kind: kind, device: about?.name ?? "",
                role: about?.role, fields: fields))
        eventCount += 1
    }
}
