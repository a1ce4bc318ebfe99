package import Bluetooth
package import DeviceKit

/// An advertisement or a scan response that was heard.
package struct AdvertisingReport: Equatable, Sendable {
    package var peer: Address
    package var isScanResponse: Bool
    package var isConnectable: Bool
    /// Received signal strength in dBm.
    package var rssi: Int8
    /// Its data as sent; it may be malformed.
    package var bytes: [UInt8]

    /// Its data; what came before the first malformed structure is lost where there is one.
    package var data: AdvertisingData { (try? AdvertisingData(bytes)) ?? AdvertisingData() }
}

/// What a host reports to its owner.
///
/// All of it happens within the turn that caused it.
package protocol HostDelegate: AnyObject {
    /// An advertisement or a scan response was heard.
    func host(_ host: Host, didReceive report: AdvertisingReport)
    /// There is a connection, as central or peripheral. Advertising that led to it has ended.
    ///
    /// It may come after `cancelConnection` where the two crossed: who does not want it disconnects.
    func host(_ host: Host, didConnect connection: Connection)
    /// An attempt to connect ended without a connection: 0x02 is a cancelled one.
    func host(_ host: Host, didFailToConnect peer: Address, status: UInt8)
    /// A connection ended, with its HCI reason (0x08 supervision timeout, 0x13 remote, 0x16 local).
    /// All its procedures have failed before.
    func host(_ host: Host, didDisconnect connection: Connection, reason: UInt8)
    /// Encryption began (`status` 0), or could not (0x06: the peer has no key).
    func host(_ host: Host, encryptionDidChange connection: Connection, status: UInt8)
    /// The connection's timing changed (`status` 0), or could not.
    func host(_ host: Host, parametersDidChange connection: Connection, status: UInt8)
    /// The bearer of a connection died by a timeout; nothing more can be asked of the peer.
    func host(_ host: Host, bearerDidTimeOut connection: Connection)
    /// After a refused notification or write command there is room again.
    func host(_ host: Host, isReadyToSendOn connection: Connection)
    /// A pairing needs its user; `answerPairing` follows, at once or later.
    func host(_ host: Host, asks question: Pairing.Question, of connection: Connection)
    /// A pairing is over; where it succeeded, its keys are kept.
    func host(_ host: Host, didPair connection: Connection, result: Result<Void, PairingFailure>)
}

extension HostDelegate {
    package func host(_ host: Host, didReceive report: AdvertisingReport) {}
    package func host(_ host: Host, didConnect connection: Connection) {}
    package func host(_ host: Host, didFailToConnect peer: Address, status: UInt8) {}
    package func host(_ host: Host, didDisconnect connection: Connection, reason: UInt8) {}
    package func host(_ host: Host, encryptionDidChange connection: Connection, status: UInt8) {}
    package func host(_ host: Host, parametersDidChange connection: Connection, status: UInt8) {}
    package func host(_ host: Host, bearerDidTimeOut connection: Connection) {}
    package func host(_ host: Host, isReadyToSendOn connection: Connection) {}
    /// Somebody agrees at once.
    package func host(_ host: Host, asks question: Pairing.Question, of connection: Connection) {
        connection.answerPairing(true)
    }
    package func host(
        _ host: Host, didPair connection: Connection, result: Result<Void, PairingFailure>
    ) {}
}

/// How much a host can take, and what it accepts.
package struct HostLimits: Sendable {
    /// The longest ATT PDU it can receive: 23 … 517.
    package var mtu: UInt16 = 247
    /// How many notifications and write commands of one connection may wait for the controller's
    /// buffers before more are refused.
    package var queue = 4
    /// How many prepared writes a server keeps for one connection.
    package var preparedWrites = 32
    /// How many bytes of prepared writes a server keeps for all connections.
    package var preparedBytes = 2048
    /// Which timing a central accepts.
    package var parameterRules = ConnectionParameterRules.apple

    package init(mtu: UInt16 = 247) { self.mtu = mtu }
}
