import Bluetooth
import DeviceLink
import Observer
import Traces

// What a host asks for, and what it is told of links.
extension CapturedAir {
    static let timeout: UInt8 = 0x08

    mutating func learn(_ address: UInt64, of host: Int) {
        hosts[host].address = address
        addresses[address] = host
    }

    mutating func advertise(_ isOn: Bool, _ host: Int) {
        turn(\.isAdvertising, isOn, host, as: .accessory, telling: .airAdvertising)
    }

    mutating func scan(_ isOn: Bool, _ host: Int) {
        turn(\.isScanning, isOn, host, as: .appleDevice, telling: .airScanning)
    }

    private mutating func turn(
        _ what: WritableKeyPath<HostState, Bool>, _ isOn: Bool, _ host: Int, as role: DeviceRole,
        telling kind: EventKind
    ) {
        defer { hosts[host][keyPath: what] = isOn }
        guard let device = participants.place(of: .host(host), as: role),
            isOn != hosts[host][keyPath: what]
        else { return }
        emit(kind, on: device, fields: [Field("on", .flag(isOn))])
    }

    mutating func connect(to address: UInt64, _ host: Int) {
        guard let device = participants.place(of: .host(host), as: .appleDevice),
            let peer = participants.place(of: identity(of: address), as: .accessory)
        else { return hosts[host].wanted = address }
        emit(.airConnecting, on: device, fields: [Field("peer", .text(name(peer)))])
    }

    /// A host is told of a link; gives its place.
    mutating func linkUp(
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
            switch peer {
            case .peer: isSeen[side.other] = false
            case .host(let place): isSeen[side.other] = hosts[place].isSeen
            }
            place = begin(ends, isSeen: isSeen)
        }
        for end in [side.other, side] where end == side || !links[place].isSeen[end] {
            links[place].isUp[end] = true
            note(.linkUp, place, at: end, [Field("role", .text(end.name))] + parameters.fields)
        }
        return place
    }

    mutating func begin(_ ends: Sides<Int>, isSeen: Sides<Bool>) -> Int {
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
    mutating func end(_ handle: UInt16, of host: Int, reason: UInt8) {
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
    static func field(reason: UInt8, _ side: Side, _ end: Side) -> Field {
        let mirrored: [UInt8: UInt8] = [0x16: 0x13, 0x13: 0x16]
        return Field("reason", .number(Int64(end == side ? reason : mirrored[reason] ?? reason)))
    }

    mutating func encrypt(_ handle: UInt16, of host: Int, status: UInt8, isOn: Bool) {
        guard let (place, side) = hosts[host].connections[handle]?.link else { return }
        note(
            .linkEncrypted, handle, of: host, [Field("status", .number(Int64(status)))],
            alsoInferred: true)
        guard status == 0 else { return }
        let ends = links[place].ends
        if isOn { bonds.insert([ends.central, ends.peripheral]) }
        for end in [side, side.other] where end == side || !links[place].isSeen[end] {
            observer.encryptionChanged(link: links[place].number, at: name(ends[end]), to: isOn)
        }
    }
}

extension Side {
    var role: DeviceRole { self == .central ? .appleDevice : .accessory }
    var name: String { self == .central ? "central" : "peripheral" }
}
