import AccessoryProtocol
import DeviceLink

/// The messages that two devices exchange, by whatever carries them: which sessions they belong to, and what the
/// accessory has announced of its radio.
struct Conversation: Sendable {
    private(set) var sessions = SessionNumbers()
    /// What the accessory's latest configuration data announced of its radio, and for which session.
    private var latestRadio: (session: Int64, fields: [Field])?

    /// Something that carries messages leaves a device: they get their sessions.
    ///
    /// `asksFirst` says whether the accessory sends configuration data only when it is asked: what it does first decides,
    /// and nil is for nothing yet. An answer that comes late, over the next link, does not make it one that needs no asking.
    mutating func send(
        _ pdu: inout ObservedPDU, fromAccessory: Bool, asksFirst: inout Bool?,
        _ next: inout Int64
    ) {
        if pdu.isSpoilt { pdu.disownOthers() }
        for index in pdu.meanings.indices {
            if fromAccessory, pdu.isSpoilt, asksFirst != true,
                case .malformed(let problem, let id, _) = pdu.meanings[index]
            {
                // Nobody can tell any more that it was no configuration data.
                asksFirst = false
                pdu.meanings[index] = .malformed(problem, id: id, isUnasked: true)
            }
            guard case .message(var message) = pdu.meanings[index] else { continue }
            let isConfiguration = fromAccessory && message.id == .accessoryConfigurationData
            if isConfiguration { asksFirst = asksFirst ?? false }
            let isUnasked = isConfiguration && asksFirst == false
            message.session = sessions.session(
                ofSent: message.id, isUnasked: isUnasked, next: &next)
            message.show(mtu: pdu.mtu)
            if pdu.isRemembered { message.fields.append(Field("old-handle", number: pdu.handle)) }
            if isUnasked { message.fields.append(Field("unasked", true)) }
            if message.id == .configureAndStart {
                message.fields += radio(ofSession: message.session)
            }
            pdu.meanings[index] = .message(message)
            if isConfiguration, !pdu.isSpoilt, let session = message.session {
                latestRadio = (session, message.radio)
            }
        }
    }

    /// It reaches the other device; gives the ids of its messages.
    mutating func receive(
        _ pdu: inout ObservedPDU, fromAccessory: Bool, asksFirst: inout Bool?
    ) -> [MessageID] {
        disownOldRadio(in: &pdu)
        if !fromAccessory, pdu.mayAsk { asksFirst = asksFirst ?? true }
        var ids: [MessageID] = []
        for case .message(let message) in pdu.meanings {
            sessions.received(message)
            ids.append(message.id)
        }
        return ids
    }

    /// The radio that the configuration data of a session announced; empty where nobody knows, or the
    /// accessory has sent other data since, and so may have another radio in mind.
    private func radio(ofSession session: Int64?) -> [Field] {
        latestRadio.flatMap { $0.session == session ? $0.fields : nil } ?? []
    }

    /// Shareable data says nothing of what the accessory announced where other data of its own crossed it: it may
    /// have another radio in mind since.
    private func disownOldRadio(in pdu: inout ObservedPDU) {
        for index in pdu.meanings.indices {
            guard case .message(var message) = pdu.meanings[index],
                message.id == .configureAndStart, radio(ofSession: message.session).isEmpty
            else { continue }
            message.fields.removeAll { $0.name.hasPrefix("announced-") }
            pdu.meanings[index] = .message(message)
        }
    }
}
