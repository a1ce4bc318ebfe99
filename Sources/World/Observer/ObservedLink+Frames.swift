import AccessoryProtocol
import Bluetooth
import DeviceLink

// The frames of a link, and what the trace shows of them.
extension ObservedLink {
    /// A frame leaves the host of a device.
    mutating func send(
        _ frame: [UInt8], number: Int, from device: String, isSpoilt: Bool,
        maps: inout AttributeMaps, nextSession: inout Int64,
        noting events: inout [AirObserver.ObservedEvent]
    ) {
        let isCentral = device == central
        var pdu = maps.understand(frame, fromCentral: isCentral, on: &self)
        pdu.isSpoilt = isSpoilt
        conversation.send(
            &pdu, fromAccessory: !isCentral, asksFirst: &maps[map].asksFirst, &nextSession)
        if !isCentral {
            announce(pdu)
            maps.noteSessions(after: pdu, ofLink: number, at: map)
        }
        pdu.show(number, to: isCentral ? peripheral : central, phase: .sent, noting: &events)
        underway[isCentral ? .central : .peripheral].append(pdu)
    }

    /// The frame that has been underway to a device for the longest time reaches its host.
    mutating func deliver(
        _ number: Int, to device: String, maps: inout AttributeMaps,
        noting events: inout [AirObserver.ObservedEvent]
    ) {
        let isCentral = device == central
        let sender = isCentral ? Side.peripheral : .central
        guard !underway[sender].isEmpty else { return }
        var pdu = underway[sender].takeFirst()
        let ids = conversation.receive(
            &pdu, fromAccessory: isCentral, asksFirst: &maps[map].asksFirst)
        for id in ids where id == .initialize || id == .stop {
            maps.endSession(ofLink: number, at: map)
        }
        pdu.show(number, to: isCentral ? peripheral : central, phase: .received, noting: &events)
    }
}

extension ObservedPDU {
    /// What a fault made of a message is not one of the manufacturer's.
    mutating func disownOthers() {
        for place in meanings.indices {
            guard case .other(let id, _) = meanings[place] else { continue }
            meanings[place] = .malformed("\(ProtocolError.unknownMessage(id: id))", id: id)
        }
    }

    /// Adds what the trace shows of it at one end of its way, the other end of which is `peer`.
    fileprivate func show(
        _ link: Int, to peer: String, phase: AirObserver.Phase,
        noting events: inout [AirObserver.ObservedEvent]
    ) {
        let (link, peer) = (Field("link", .number(Int64(link))), Field("peer", .text(peer)))
        let (name, length) = (Field("pdu", .text(name)), Field("length", .number(Int64(length))))
        // Most have a handle: no memory is taken twice.
        var fields =
            handle.map { [link, peer, name, length, Field("handle", .number(Int64($0)))] }
            ?? [link, peer, name, length]
        for case .message(let message) in meanings {
            fields.append(Field("message", .text(message.id.name)))
        }
        if isUnresolved { fields.append(Field("unresolved", true)) }
        events.append(
            .init(kind: phase == .sent ? .attSent : .attReceived, fields: fields))
        showMeanings(link, to: peer, phase: phase, noting: &events)
    }

    /// The same for a message on the network.
    func showMessage(
        _ link: Int, to peer: String, phase: AirObserver.Phase, isReliable: Bool,
        noting events: inout [AirObserver.ObservedEvent]
    ) {
        let (link, peer) = (Field("link", .number(Int64(link))), Field("peer", .text(peer)))
        var fields = [
            link, peer, Field("length", .number(Int64(length))),
            Field("reliable", .flag(isReliable)),
        ]
        for case .message(let message) in meanings {
            fields.append(Field("message", .text(message.id.name)))
        }
        events.append(
            .init(kind: phase == .sent ? .networkSent : .networkReceived, fields: fields))
        showMeanings(link, to: peer, phase: phase, noting: &events)
    }

    private func showMeanings(
        _ link: Field, to peer: Field, phase: AirObserver.Phase,
        noting events: inout [AirObserver.ObservedEvent]
    ) {
        for meaning in meanings {
            if let event = event(of: meaning, link: link, peer: peer, phase: phase) {
                events.append(event)
            }
        }
    }

    private func event(
        of meaning: Meaning, link: Field, peer: Field, phase: AirObserver.Phase
    ) -> AirObserver.ObservedEvent? {
        switch meaning {
        case .message(let message):
            return .init(
                kind: message.id.kind(phase),
                fields: [Field](link, peer, message.fields, isSpoilt))
        case .other(let id, let bytes):
            return .init(
                kind: phase == .sent ? .msgOtherSent : .msgOtherReceived,
                fields: [Field](
                    link, peer,
                    [
                        Field("length", .number(Int64(bytes.count + 1))),
                        Field("id", .number(Int64(id))), Field("bytes", .bytes(bytes)),
                    ], isSpoilt))
        case .malformed(let problem, let id, let isUnasked):
            return .init(
                kind: phase == .sent ? .msgMalformedSent : .msgMalformedReceived,
                fields: [Field](
                    link, peer,
                    [Field("problem", .text(problem))]
                        + (id.map { [Field("id", .number(Int64($0)))] } ?? [])
                        + (isUnasked ? [Field("unasked", true)] : []), isSpoilt))
        case .told(let told, let own):
            return phase == .sent ? nil : .init(kind: told, fields: [Field](link, peer, own))
        }
    }
}

extension MessageID {
    /// The kind of its event at one end of its way.
    fileprivate func kind(_ phase: AirObserver.Phase) -> EventKind {
        let isSent = phase == .sent
        return switch self {
        case .accessoryConfigurationData:
            isSent
                ? .msgAccessoryConfigurationDataSent : .msgAccessoryConfigurationDataReceived
        case .accessoryUwbDidStart:
            isSent ? .msgAccessoryUwbDidStartSent : .msgAccessoryUwbDidStartReceived
        case .accessoryUwbDidStop:
            isSent ? .msgAccessoryUwbDidStopSent : .msgAccessoryUwbDidStopReceived
        case .initialize: isSent ? .msgInitializeSent : .msgInitializeReceived
        case .configureAndStart: isSent ? .msgConfigureAndStartSent : .msgConfigureAndStartReceived
        case .stop: isSent ? .msgStopSent : .msgStopReceived
        case .getReserved: isSent ? .msgGetReservedSent : .msgGetReservedReceived
        case .setReserved: isSent ? .msgSetReservedSent : .msgSetReservedReceived
        case .iOSNotify: isSent ? .msgIOSNotifySent : .msgIOSNotifyReceived
        }
    }
}

extension [Field] {
    /// A link, its other end, what else there is to show, and where the frame was spoilt that it was.
    fileprivate init(_ link: Field, _ peer: Field, _ others: [Field], _ isSpoilt: Bool = false) {
        self = []
        reserveCapacity(others.count + 3)
        append(link)
        append(peer)
        self += others
        if isSpoilt { append(Field("spoilt", true)) }
    }
}
