package import Bluetooth
package import DeviceKit

/// The Bluetooth host of one device: everything above the controller.
///
/// It takes the controller's events and its own timers out of the device's turns, and makes its
/// requests through the context. It belongs to one incarnation of the device, and reports everything
/// to its delegate within the turn that caused it.
package final class Host {
    /// What the host answers, sets timers and logs through.
    package let context: Context
    /// Hears of everything that happens to the host, which does not keep it alive.
    package weak var delegate: (any HostDelegate)?
    /// How much is queued and prepared, and which timing is accepted.
    package let limits: HostLimits
    /// The attribute database that every peer sees.
    ///
    /// Build it before the first connection.
    package let server: GATTServer
    /// All connections, oldest first.
    package private(set) var connections: [Connection] = []
    /// Whether it wants to be found (advertising ends by itself when a central connects).
    package private(set) var isAdvertising = false
    package private(set) var isScanning = false
    /// The peers it is trying to connect to, oldest first.
    package private(set) var connecting: [Address] = []
    /// What it wants of a pairing; nil where it does not pair.
    package var pairing: PairingPolicy?
    /// The address of its controller, and the one that it shows.
    let ownAddress: Address
    package var address: Address
    var bonds: BondStore
    private var nextNumber: UInt32 = 0

    /// A host for an incarnation; `stored` is what earlier incarnations kept (`Reset.stored`).
    package init(
        in context: Context, at address: Address = Address(0), stored: [StoredPair] = [],
        limits: HostLimits = HostLimits()
    ) {
        ownAddress = address
        self.address = address
        self.context = context
        self.limits = limits
        server = GATTServer()
        bonds = BondStore(in: context, stored: stored)
    }

    /// Takes an event of the device's turn; false where it is none of the host's (a timer of the
    /// device's own, a command, the radio).
    @discardableResult
    package func handle(_ event: DeviceEvent) -> Bool {
        switch event {
        case .bluetooth(let event):
            handle(event)
            return true
        case .timer(let name): return connections.contains { $0.handleTimer(name) }
        case .boot, .queue, .command, .uwb, .camera, .network: return false
        }
    }

    package func handle(_ event: BluetoothEvent) {
        switch event {
        case .advertisingReport(let peer, let isScanResponse, let isConnectable, let rssi, let data):
            let report = AdvertisingReport(
                peer: peer, isScanResponse: isScanResponse, isConnectable: isConnectable,
                rssi: rssi, bytes: data)
            delegate?.host(self, didReceive: report)
        case .connectionComplete(let status, let handle, let isCentral, let peer, let parameters):
            guard status == 0 else { return didFailToConnect(to: peer, status: status) }
            didConnect(to: peer, as: handle, isCentral: isCentral, parameters: parameters)
        case .disconnectionComplete(let handle, let reason): didDisconnect(handle, reason: reason)
        case .acl(let handle, let bytes): connection(handle)?.receive(bytes)
        case .completedPackets(let handle, let count): connection(handle)?.complete(Int(count))
        case .longTermKeyRequest(let handle, let random, let diversifier):
            connection(handle)?.sendLongTermKey(random: random, diversifier: diversifier)
        case .encryptionChange(let status, let handle, let isEncrypted):
            connection(handle)?.encryptionDidChange(
                status: status, isEncrypted: isEncrypted)
        case .connectionUpdateComplete(let status, let handle, let parameters):
            connection(handle)?.parametersDidChange(to: parameters, status: status)
        }
    }

    /// The address that a peer really has: a private one is resolved by the keys of bonded peers.
    package func identity(of peer: Address) -> Address { bonds.identity(of: peer) }

    /// Forgets every key, or all but that of one peer; a link that is encrypted stays so until it ends.
    package func forgetBonds(but kept: Address? = nil) {
        for peer in bonds.peers where peer != kept { forgetBond(with: peer) }
    }

    /// Shows a new resolvable private address from now on, in advertisements and in new connections.
    package func changeAddress() {
        address = Address(
            resolvedBy: identity.key, random: context.random("private-address").value)
        context.answer(.bluetooth(.setAddress(address)))
    }

    /// Forgets the key of a peer, what it had subscribed to, and what it knew.
    package func forgetBond(with peer: Address) {
        bonds[bond: peer] = nil
        bonds[database: peer] = nil
        bonds[subscriptions: peer] = []
    }

    /// The connection of a handle; an event may come for one that the host does not know.
    private func connection(_ handle: UInt16) -> Connection? {
        let connection = connections.first { $0.handle == handle }
        if connection == nil { context.log("bluetooth: no connection has the handle \(handle)") }
        return connection
    }

    private func didConnect(
        to peer: Address, as handle: UInt16, isCentral: Bool, parameters: ConnectionParameters
    ) {
        if isCentral { connecting.removeAll { $0 == peer } } else { isAdvertising = false }
        let connection = Connection(
            of: self, handle: handle, number: nextNumber, isCentral: isCentral, peer: peer,
            parameters: parameters)
        nextNumber += 1
        connections.append(connection)
        delegate?.host(self, didConnect: connection)
    }

    private func didFailToConnect(to peer: Address, status: UInt8) {
        connecting.removeAll { $0 == peer }
        delegate?.host(self, didFailToConnect: peer, status: status)
    }

    private func didDisconnect(_ handle: UInt16, reason: UInt8) {
        guard let connection = connection(handle) else { return }
        connections.removeAll { $0 === connection }
        connection.close(reason)
        delegate?.host(self, didDisconnect: connection, reason: reason)
    }
}

extension Host {
    /// Advertises, connectable and scannable, until stopped or connected.
    ///
    /// `interval` is in units of 0.625 ms. What was advertised before is replaced.
    ///
    /// - Throws: `MalformedBytes` where either data needs more than 31 bytes.
    package func advertise(
        _ data: AdvertisingData, scanResponse: AdvertisingData = AdvertisingData(),
        interval: UInt16
    ) throws(MalformedBytes) {
        let command = BluetoothCommand.advertise(
            interval: interval, data: try data.encoded(), scanResponse: try scanResponse.encoded())
        isAdvertising = true
        context.answer(.bluetooth(command))
    }

    /// Stops advertising; nothing happens where it is not.
    package func stopAdvertising() {
        guard isAdvertising else { return }
        isAdvertising = false
        context.answer(.bluetooth(.stopAdvertising))
    }

    /// Scans.
    ///
    /// `period` is the time in units of 1.28 s for which an advertiser is reported only once; 0
    /// reports all. Scanning that ran before is replaced.
    package func scan(isActive: Bool = true, period: UInt16 = 0) {
        isScanning = true
        context.answer(.bluetooth(.scan(active: isActive, period: period)))
    }

    /// Stops scanning; nothing happens where it is not.
    package func stopScanning() {
        guard isScanning else { return }
        isScanning = false
        context.answer(.bluetooth(.stopScan))
    }

    /// Connects to a peer as soon as it advertises; pending until then or until cancelled.
    ///
    /// Nothing happens where that is pending already.
    package func connect(to peer: Address, _ parameters: ConnectionParameters) {
        guard !connecting.contains(peer) else { return }
        connecting.append(peer)
        context.answer(.bluetooth(.connect(peer: peer, parameters)))
    }

    /// Gives up a pending connection; `didFailToConnect` with status 0x02 follows.
    ///
    /// Nothing happens where none is pending.
    package func cancelConnection(to peer: Address) {
        guard connecting.contains(peer) else { return }
        context.answer(.bluetooth(.cancelConnect(peer: peer)))
    }

    /// Bluetooth is switched off: stops advertising, scanning and connecting, and ends every
    /// connection with reason 0x15 (remote device terminated due to power off).
    package func powerOff() {
        stopAdvertising()
        stopScanning()
        for peer in connecting { cancelConnection(to: peer) }
        for connection in connections { connection.disconnect(reason: 0x15) }
    }
}
