package import Bluetooth
package import BluetoothHost
package import DeviceKit

package import class BluetoothHost.Host

/// What the user of a phone does about pairing requests.
package struct PairingUser: Equatable, Sendable {
    /// What the user answers; nobody is asked, and nothing is paired, where there is no answer.
    package enum Answer: String, CaseIterable, Sendable {
        case accept
        case refuse
        /// This phone does not pair.
        case none
    }

    package var answer: Answer
    /// How long the user takes.
    package var delay: Nanoseconds

    package init(answer: Answer = .none, delay: Nanoseconds = .seconds(1)) {
        self.answer = answer
        self.delay = delay
    }

    /// A phone shows digits, asks, and offers both kinds of pairing.
    var policy: PairingPolicy? {
        answer == .none ? nil : PairingPolicy(interface: .displayYesNo, asksUser: true)
    }
}

// The system asks its user, and tells what became of it.
extension BluetoothSystem {
    /// A pairing wants an answer: the user is asked.
    package func host(_ host: Host, asks question: Pairing.Question, of connection: Connection) {
        var fields = [Field("peripheral", .text(connection.identity.description))]
        if case .comparison(let digits) = question {
            fields.append(Field("digits", .number(Int64(digits))))
        }
        host.context.observe(.systemPairing, fields: fields)
        host.context.setTimer(
            Self.promptTimer + String(connection.number), after: pairingUser.delay)
    }

    /// The user has answered; false where the timer is another one.
    func answerPairing(_ event: DeviceEvent) -> Bool {
        guard case .timer(let name) = event, name.hasPrefix(Self.promptTimer) else { return false }
        let number = UInt32(name.dropFirst(Self.promptTimer.count))
        let connection = host?.connections.first { $0.number == number }
        connection?.answerPairing(pairingUser.answer == .accept)
        return true
    }

    /// A pairing is over: what waited for it goes on, and the device is known by its real address from now on.
    package func host(
        _ host: Host, didPair connection: Connection, result: Result<Void, PairingFailure>
    ) {
        // A connection that ends takes its prompt with it, and nobody is told.
        if connection.isOpen {
            var fields = [Field("peripheral", .text(connection.identity.description))]
            if case .failure(let reason) = result {
                fields.append(Field("reason", .number(Int64(reason.rawValue))))
            }
            host.context.observe(.systemPaired, fields: fields)
        }
        guard connection.isCentral else { return }
        let device = device(connection.peer)
        if case .success = result { identify(device, as: connection.identity) }
        if device.link?.connection === connection { device.link?.encryptionEnded() }
    }

    /// The user forgets all paired devices.
    package func forgetBonds() {
        host?.forgetBonds()
        for device in devices { device.keep(nil, beyondDeath: false) }
    }

    private static let promptTimer = "bluetooth/pairing/"
}
