package import Bluetooth
package import BluetoothHost
import DeviceKit

extension Accessory: HostDelegate {
    /// A phone has connected: it gets the first free session.
    package func host(_ host: Host, didConnect connection: Connection) {
        guard advertiser.isPowered, let session = sessions.first(where: { !$0.isTaken })
        else { return connection.disconnect(reason: advertiser.isPowered ? 0x14 : 0x15) }
        session.connection = connection
        session.negotiation = Negotiation(parameters)
        perform(session.negotiation.connected(), on: session)
        perform(advertiser.connected(links: occupied))
        if parameters.requestsSecurity { connection.requestSecurity() }
    }

    /// A phone is gone: its ranging ends, and others may connect.
    package func host(_ host: Host, didDisconnect connection: Connection, reason: UInt8) {
        guard let session = sessions.first(where: { $0.connection === connection }) else { return }
        drive(session, with: .disconnected)
        if parameters.has(.forgetsBond) { host.forgetBonds() }
        if inbox.forget(link: connection.handle) == .idle { context.cancelTimer(Timer.handling) }
        context.cancelTimer(session.negotiationTimer)
        session.outbox.removeAll()
        session.connection = nil
        services.publish([], for: session.index)
        perform(advertiser.disconnected(links: occupied))
    }

    /// A pairing is over.
    package func host(
        _ host: Host, didPair connection: Connection, result: Result<Void, PairingFailure>
    ) {
        guard parameters.has(.keepsOneBond), case .success = result else { return }
        host.forgetBonds(but: connection.identity)
    }

    /// There is room for messages again.
    package func host(_ host: Host, isReadyToSendOn connection: Connection) {
        if let session = sessions.first(where: { $0.connection === connection }) { flush(session) }
    }
}

extension AdvertisingData {
    /// What an app for Estimote's beacons looks for: their service, and data of it whose first byte has a
    /// version in its upper half, with an identifier of 16 bytes behind it.
    fileprivate static func estimote(identifier: Address) -> AdvertisingData {
        let octets = (0..<16).map { UInt8(truncatingIfNeeded: identifier.value >> (8 * (15 - $0))) }
        return AdvertisingData(
            flags: generalDiscoverable, services: [0xFE9A],
            serviceData: [ServiceData(service: 0xFE9A, data: [0] + octets)])
    }
}

// What the values want of Bluetooth.
extension Accessory {
    /// Does what the advertiser wants.
    func perform(_ actions: [Advertiser.Action]) {
        for action in actions {
            switch action {
            case .advertise(let interval): advertise(interval)
            case .slowDown(let time): context.setTimer(Timer.advertising, after: time)
            case .keepPace: context.cancelTimer(Timer.advertising)
            }
        }
    }

    /// Flags and a service's UUID in the advertisement, the name in the scan response, cut to the
    /// 29 bytes that fit there.
    private func advertise(_ interval: UInt16) {
        let data =
            switch parameters.advertised {
            case .messageService:
                AdvertisingData(
                    flags: AdvertisingData.generalDiscoverable, services: [services.messages])
            case .estimote: AdvertisingData.estimote(identifier: host.address)
            }
        let name = String(decoding: context.name.utf8.prefix(29), as: UTF8.self)
        do {
            try host.advertise(
                data, scanResponse: AdvertisingData(localName: name), interval: interval)
        } catch {
            note(.accessoryError, reason: "\(error)")
        }
    }

    /// Does what the negotiation of a link wants.
    func perform(_ actions: [Negotiation.Action], on session: Session) {
        for action in actions {
            switch action {
            case .wait(let time): context.setTimer(session.negotiationTimer, after: time)
            case .ask(let request): ask(request, on: session)
            case .disconnect: session.connection?.disconnect(reason: 0x3B)
            }
        }
    }

    private func ask(_ request: ConnectionParameterRequest, on session: Session) {
        guard let connection = session.connection else { return }
        connection.requestParameters(request) { [weak self, weak session] answer in
            // Without an answer the link has ended or is dead: there is nothing to negotiate.
            guard let self, let session, case .success(let accepted) = answer else { return }
            perform(session.negotiation.answered(accepted: accepted), on: session)
        }
    }
}
