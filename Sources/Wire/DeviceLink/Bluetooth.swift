/// The timing of a Bluetooth LE connection, in the specification's own units (Core Specification
/// Vol 4 Part E 7.8.12).
public struct ConnectionParameters: Equatable, Hashable, Sendable {
    /// Connection interval in units of 1.25 ms: 6 … 3200.
    public var interval: UInt16
    /// Peripheral latency in connection events: 0 … 499.
    public var latency: UInt16
    /// Supervision timeout in units of 10 ms: 10 … 3200.
    public var timeout: UInt16

    public init(interval: UInt16, latency: UInt16, timeout: UInt16) {
        self.interval = interval
        self.latency = latency
        self.timeout = timeout
    }
}

/// A request to the virtual Bluetooth controller.
///
/// Each maps onto the HCI command named with it.
///
/// The controller answers no command by itself (no Command Complete): a request that fails is
/// answered by the event of the procedure with a status, as documented in DEVICE-LINK.md.
public enum BluetoothCommand: Equatable, Sendable {
    /// LE Set Advertising Parameters, Data, Scan Response Data and Enable. The interval is in units of
    /// 0.625 ms; `data` and `scanResponse` are at most 31 bytes. Advertising ends by itself when a
    /// connection is made.
    case advertise(interval: UInt16, data: [UInt8], scanResponse: [UInt8])
    /// LE Set Advertising Enable (disable).
    case stopAdvertising
    /// LE Set Scan Parameters and Enable. `period` is the time in units of 1.28 s for which one
    /// advertiser is reported only once (Filter_Duplicates 0x02); 0 reports every advertisement.
    case scan(active: Bool, period: UInt16)
    /// LE Set Scan Enable (disable).
    case stopScan
    /// LE Create Connection. Stays pending until the peer advertises or it is cancelled; one may be
    /// pending for each peer.
    case connect(peer: Address, ConnectionParameters)
    /// LE Create Connection Cancel. Answered by `connectionComplete` with status 0x02.
    case cancelConnect(peer: Address)
    /// HCI ACL Data: one L2CAP frame, basic header included, on a connection.
    case acl(handle: UInt16, [UInt8])
    /// Disconnect with an HCI reason (0x13 remote user terminated, 0x15 power off, …).
    case disconnect(handle: UInt16, reason: UInt8)
    /// LE Enable Encryption (central): the key of the bond, and by what the peripheral may find it among its own:
    /// Random_Number and Encrypted_Diversifier, which are 0 with LE Secure Connections and with a key that
    /// pairing has just made (Core Specification Vol 3 Part H 2.4.4).
    case encrypt(handle: UInt16, key: [UInt8], random: UInt64 = 0, diversifier: UInt16 = 0)
    /// LE Long Term Key Request Reply (peripheral); nil is the negative reply.
    case longTermKey(handle: UInt16, [UInt8]?)
    /// LE Connection Update (central).
    case updateConnection(handle: UInt16, ConnectionParameters)
    /// LE Set Random Address: what advertisements, scan requests and new connections show from now on; a
    /// connection keeps the address with which it began. A reset brings back the device's own address.
    case setAddress(Address)
}

/// An event of the virtual Bluetooth controller.
///
/// Each maps onto the HCI event named with it.
public enum BluetoothEvent: Equatable, Sendable {
    /// LE Advertising Report: an advertisement or (where `isScanResponse`) a scan response.
    case advertisingReport(
        peer: Address, isScanResponse: Bool, isConnectable: Bool, rssi: Int8, data: [UInt8])
    /// LE Connection Complete. `status` 0 is success; 0x02 a cancelled attempt.
    case connectionComplete(
        status: UInt8, handle: UInt16, isCentral: Bool, peer: Address, ConnectionParameters)
    /// Disconnection Complete, with the HCI reason (0x08 supervision timeout, 0x13 remote, 0x16 local).
    case disconnectionComplete(handle: UInt16, reason: UInt8)
    /// HCI ACL Data: one L2CAP frame.
    case acl(handle: UInt16, [UInt8])
    /// Number Of Completed Packets: the controller's buffers are free again.
    case completedPackets(handle: UInt16, count: UInt16)
    /// LE Long Term Key Request (peripheral), with the Random_Number and the Encrypted_Diversifier that the central gave.
    case longTermKeyRequest(handle: UInt16, random: UInt64 = 0, diversifier: UInt16 = 0)
    /// Encryption Change. `status` 0x06 is a missing key.
    case encryptionChange(status: UInt8, handle: UInt16, isEncrypted: Bool)
    /// LE Connection Update Complete.
    case connectionUpdateComplete(status: UInt8, handle: UInt16, ConnectionParameters)
}

/// How many ACL packets a host may have outstanding on one connection before the controller
/// completed some (LE Read Buffer Size, Total_Num_LE_ACL_Data_Packets).
///
/// The controller reports completed packets in lots of half of it; a host behind HCI hears of them at each connection
/// event.
public let aclBufferCount = 16
