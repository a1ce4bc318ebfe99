import AccessoryProtocol
import DeviceKit

// The accessory on the network.
extension Accessory {
    private var offered: NetworkService {
        NetworkService(type: NetworkMessages.type, name: context.name)
    }

    /// Lets phones find it, while a session is free.
    func offer() {
        network.publish(offered) { [weak self] in self?.accept($0) }
    }

    /// A phone has opened a connection: it gets the first free session.
    private func accept(_ stream: NetworkConnection) {
        guard let session = sessions.first(where: { !$0.isTaken }) else { return stream.close() }
        session.stream = stream
        if occupied == sessions.count || parameters.has(.advertisesOnce) {
            network.withdraw(offered)
        }
        stream.didReceive = { [weak self, weak session] bytes in
            if let origin = session?.origin { self?.receive(bytes, from: origin) }
        }
        stream.didEnd = { [weak self, weak session] _ in
            if let session { self?.didLoseStream(of: session) }
        }
    }

    /// A phone is gone: its ranging ends, and others may connect.
    private func didLoseStream(of session: Session) {
        drive(session, with: .disconnected)
        if let origin = session.origin, inbox.forget(link: origin) == .idle {
            context.cancelTimer(Timer.handling)
        }
        session.stream = nil
        services.publish([], for: session.index)
        if !parameters.has(.advertisesOnce) { offer() }
    }
}
