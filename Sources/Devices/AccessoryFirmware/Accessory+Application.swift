import AccessoryProtocol
import BluetoothHost
import DeviceKit

// The way of a message: written by a phone, waiting, handled, answered.
extension Accessory {
    /// A phone wrote a message.
    func receive(_ bytes: [UInt8], on connection: Connection) {
        // Who sends configuration data by itself knows no request for it.
        if parameters.configuration == .subscribed, bytes == initialize { return }
        receive(bytes, from: connection.handle)
    }

    /// A phone subscribed to messages, which may be as good as asking.
    func subscribed(_ connection: Connection) {
        guard parameters.configuration == .subscribed else { return }
        receive(initialize, from: connection.handle)
    }

    private var initialize: [UInt8] {
        Message.initialize.bytes(by: parameters.messageNumbers)
    }

    /// A phone sent a message, by whatever it has a session for.
    func receive(_ bytes: [UInt8], from origin: UInt16) {
        let ranges = sessions.contains { $0.application.isRunning }
        if parameters.has(.goesDeaf), ranges { return }
        switch inbox.receive(bytes, on: origin) {
        case .begin: beginHandling()
        case .wait, .dropped, .idle: break
        }
    }

    private func beginHandling() {
        context.setTimer(
            Timer.handling, after: parameters.handlingTime, slack: parameters.handlingSlack)
    }

    /// The time it takes to handle a message is over: this is its effect.
    func handleMessage() {
        let (entry, next) = inbox.finish()
        if next == .begin { beginHandling() }
        guard let entry,
            let session = sessions.first(where: { $0.origin == entry.link })
        else { return }
        drive(session, with: .received(entry.bytes))
    }

    /// Lets a session's application handle an event, and those that follow from what it wants.
    func drive(_ session: Session, with event: EmbeddedApplication.Event?) {
        if let event, loses(event) { return }
        var next = event
        while let event = next {
            next = nil
            for action in session.application.handle(event) {
                if let outcome = perform(action, for: session) { next = outcome }
            }
        }
    }

    /// Does what an application wants; gives the outcome where it awaits one.
    private func perform(
        _ action: EmbeddedApplication.Action, for session: Session
    ) -> EmbeddedApplication.Event? {
        switch action {
        case .populate: return .populated(session.middleware.populateConfigData())
        case .configureAndStart(let payload):
            do { try session.middleware.configureAndStart(payload) } catch {
                return .rejected(error.sentence)
            }
            return .accepted
        case .reinitialize, .stop: session.middleware.stop()
        case .stopEveryone:
            for other in sessions { other.middleware.stop() }
        case .abandon: session.middleware.abandon()
        case .publish(let configuration): services.publish(configuration, for: session.index)
        case .notify(.accessoryUwbDidStart) where parameters.acknowledgement == .never: break
        case .notify(.accessoryUwbDidStop) where parameters.acknowledgement == .never: break
        case .notify(let message): send(parameters.spoilt(message: message), from: session)
        case .sendReserved: send(parameters.spoilt(message: .getReserved(reserved)), from: session)
        case .keepReserved(let bytes): keepReserved(bytes)
        case .note(let kind, let reason): note(kind, reason: reason, on: session.connection)
        }
        return nil
    }

    private func keepReserved(_ bytes: [UInt8]) {
        reserved = bytes
        context.answer(.store(key: Self.reservedKey, value: bytes))
    }

    /// Notes something for the trace and the log.
    func note(_ kind: EventKind, reason: String?, on connection: Connection? = nil) {
        var fields: [Field] = []
        if let connection { fields.append(Field("link-handle", .number(Int64(connection.handle)))) }
        if let reason {
            fields.append(Field("reason", .text(reason)))
            context.log("\(kind.rawValue.dropFirst("accessory.".count)): \(reason)")
        }
        context.observe(kind, fields: fields)
    }
}

// Notifications.
extension Accessory {
    /// Notifies a message after those that already wait.
    ///
    /// Where the phone has not subscribed the message is lost, as in the vendors' firmware. A message
    /// that does not fit the MTU is not sent at all rather than cut.
    private func send(_ bytes: [UInt8], from session: Session) {
        let isMisrouted = parameters.has(.notifiesWrongLink)
        if session.stream != nil {
            let target = isMisrouted ? sessions.last { $0.stream != nil } : session
            target?.stream?.send(bytes)
            return
        }
        guard let connection = isMisrouted ? host.connections.last : session.connection else {
            return
        }
        guard bytes.count <= connection.maximumValueLength else {
            let room = connection.maximumValueLength
            return note(
                .accessoryError,
                reason: "a message of \(bytes.count) bytes does not fit in \(room)",
                on: connection)
        }
        let target = sessions.first { $0.connection === connection } ?? session
        target.outbox.append(bytes)
        flush(target)
    }

    /// Hands waiting messages to the host while it has room.
    func flush(_ session: Session) {
        guard let connection = session.connection,
            host.server.isSubscribed(connection, to: services.transmit), connection.isOpen
        else { return session.outbox.removeAll() }
        while let bytes = session.outbox.first,
            host.server.notify(bytes, of: services.transmit, to: connection)
        {
            session.outbox.removeFirst()
        }
    }
}
