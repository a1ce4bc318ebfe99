import Bluetooth
import DeviceKit

/// The Bluetooth host of one device: everything above the controller.
///
/// It takes the controller's events and timers out of the device's turns, and says what it wants to
/// the context. It belongs to one incarnation of the device.
package final class Host {
    /// The device's hands.
    package let context: Context
    /// Who is told; the host does not keep it alive.
    package weak var delegate: (any HostDelegate)?
    /// How much it takes.
    package let limits: HostLimits
    /// The attribute database that every peer sees.
    ///
    /// Build it before the first connection.
    package let server: GATTServer
    /// All connections, oldest first.
    package private(set) var connections: [Connection] = []
    /// Whether it wants to be found (advertising ends by itself when a connection is made).
    package private(set) var isAdvertising = false
    /// Whether it is scanning.
    package private(set) var isScanning = false
    /// The peers it is trying to connect to, oldest first.
    package private(set) var connecting: [Address] = []

    /// A host for an incarnation; `stored` is what earlier incarnations kept (`Reset.stored`).
    package init(
        in context: Context, stored: [StoredPair] = [], limits: HostLimits = HostLimits()
    ) {
        self.context = context
        self.limits = limits
        server = GATTServer()
    }

    /// Takes an event of the device's turn; false where it is none of the host's (a timer of the
    /// device's own, a command, the radio).
    @discardableResult
    package func handle(_ event: DeviceEvent) -> Bool { preconditionFailure("unbuilt") }

    /// Advertises, connectable and scannable, until stopped or connected.
    ///
    /// `interval` is in units of 0.625 ms. Advertising already is replaced.
    ///
    /// - Throws: `MalformedBytes` where either data needs more than 31 bytes.
    package func advertise(
        _ data: AdvertisingData, scanResponse: AdvertisingData = AdvertisingData(),
        interval: UInt16
    ) throws(MalformedBytes) { preconditionFailure("unbuilt") }

    /// Stops advertising; nothing happens where it is not.
    package func stopAdvertising() { preconditionFailure("unbuilt") }

    /// Scans.
    ///
    /// `period` is the time in units of 1.28 s for which an advertiser is reported only once; 0
    /// reports all.
    package func scan(isActive: Bool = true, period: UInt16 = 0) { preconditionFailure("unbuilt") }

    /// Stops scanning; nothing happens where it is not.
    package func stopScanning() { preconditionFailure("unbuilt") }

    /// Connects to a peer as soon as it advertises; pending until then or until cancelled.
    package func connect(to peer: Address, _ parameters: ConnectionParameters) {
        preconditionFailure("unbuilt")
    }

    /// Gives up a pending connection; `didFailToConnect` with status 0x02 follows.
    package func cancelConnection(to peer: Address) { preconditionFailure("unbuilt") }

    /// Bluetooth is switched off: stops advertising, scanning and connecting, and ends every
    /// connection with reason 0x15.
    package func powerOff() { preconditionFailure("unbuilt") }

    /// The connection with a peer, where there is one.
    package func connection(to peer: Address) -> Connection? {
        connections.first { $0.peer == peer }
    }

    /// Whether there is a key for a peer (stored under `bond/<address>`).
    package func isBonded(to peer: Address) -> Bool { preconditionFailure("unbuilt") }

    /// Forgets the key of a peer and what it had subscribed to.
    package func forgetBond(with peer: Address) { preconditionFailure("unbuilt") }
}
