import Bluetooth
import DeviceKit

/// One connection, from its beginning to its end; a new one with the same peer is a new object.
package final class Connection {
    /// The controller's handle.
    package let handle: UInt16
    /// Which connection of this host it is, from 0; the names of its timers carry it.
    package let number: UInt32
    /// Whether this host is the central.
    package let isCentral: Bool
    /// The peer.
    package let peer: Address
    /// Its timing.
    package private(set) var parameters: ConnectionParameters
    /// Its protection.
    package private(set) var security: LinkSecurity = .open
    /// Whether anything can still be sent: false from `disconnect` on.
    package private(set) var isOpen = true
    /// What can be asked of the peer's attributes.
    package let client: GATTClient

    init(
        handle: UInt16, number: UInt32, isCentral: Bool, peer: Address,
        parameters: ConnectionParameters
    ) {
        self.handle = handle
        self.number = number
        self.isCentral = isCentral
        self.peer = peer
        self.parameters = parameters
        client = GATTClient()
    }

    /// The longest ATT PDU on this connection: 23 until exchanged.
    package var mtu: UInt16 { preconditionFailure("unbuilt") }

    /// The longest value of a notification or a write command.
    package var maximumValueLength: Int { Int(mtu) - 3 }

    /// Whether there is a key for the peer.
    package var isBonded: Bool { preconditionFailure("unbuilt") }

    /// Encrypts the link with the bond's key (central only); the delegate hears of the outcome.
    ///
    /// False where there is no bond: nothing happens then.
    package func encrypt() -> Bool { preconditionFailure("unbuilt") }

    /// Ends the connection; the delegate hears of the end with reason 0x16.
    package func disconnect(reason: UInt8 = 0x13) { preconditionFailure("unbuilt") }

    /// Asks the central for other timing (peripheral only).
    ///
    /// Completes with whether the central accepts; the delegate hears of the change itself.
    package func requestParameters(
        _ request: ConnectionParameterRequest, completion: @escaping Completion<Bool>
    ) { preconditionFailure("unbuilt") }

    /// Changes the timing (central only).
    package func updateParameters(_ parameters: ConnectionParameters) {
        preconditionFailure("unbuilt")
    }
}
