import Bluetooth
package import BluetoothHost
package import DeviceKit

package import class BluetoothHost.Host

// Links: wanted by managers, made and ended by the host stack.
extension BluetoothSystem {
    /// A manager wants a link.
    ///
    /// It is made as soon as the peripheral is heard, however long that takes.
    func claim(_ device: RemoteDevice, for manager: CBCentralManager) {
        guard !device.claims.contains(manager.ordinal) else { return }
        device.claims.append(manager.ordinal)
        guard let link = device.link else {
            host?.connect(to: device.address, timing)
            if device.address.isResolvable { updateScan() }
            return
        }
        if !link.isEnding { manager.connected(device) }
    }

    /// A manager no longer wants a link.
    func unclaim(_ device: RemoteDevice, for ordinal: Int) {
        guard device.claims.contains(ordinal) else { return }
        device.claims.removeAll { $0 == ordinal }
        if device.claims.isEmpty { dropLink(to: device) }
    }

    func dropLink(to device: RemoteDevice) {
        host?.cancelConnection(to: device.address)
        device.link?.isEnding = true
        device.link?.connection.disconnect()
    }

    /// Ends a link that is of no use any more.
    private func fail(_ link: PeerLink?, with code: CBError.Code, reason: UInt8) {
        link?.failure = CBError(code)
        link?.connection.disconnect(reason: reason)
    }
}

extension BluetoothSystem: HostDelegate {
    /// An advertisement or a scan response was heard.
    package func host(_ host: Host, didReceive report: AdvertisingReport) {
        let device = device(report.peer)
        if device.address != report.peer { move(device, to: report.peer) }
        device.rssi = report.rssi
        let data = report.data
        if report.isScanResponse {
            guard data != device.scanResponse else { return }
            device.scanResponse = data
        } else {
            device.advertisement = data
        }
        for manager in managers.living {
            manager.heard(device, in: report, isNew: report.isScanResponse)
        }
        if !managers.preserved.isEmpty { notePreserved(device, in: report) }
    }

    /// A known device shows another address: who waits for it waits for that.
    private func move(_ device: RemoteDevice, to address: Address) {
        let old = device.address
        device.address = address
        // The end of that attempt begins the next one.
        host?.cancelConnection(to: old)
    }

    /// There is a link: the system agrees on the MTU by itself, and encrypts where there is a bond
    /// (an inspection does that in its course).
    package func host(_ host: Host, didConnect connection: Connection) {
        guard connection.isCentral else { return peripheral.connected(connection) }
        let device = device(connection.peer)
        guard !device.claims.isEmpty else { return connection.disconnect() }
        let link = PeerLink(connection, to: device, follows: follows, caching: caching)
        device.link = link
        link.onOutOfSync = { [weak self, weak device] in
            if let device { self?.servicesChanged(of: device, in: .all) }
        }
        connection.client.onValue = { [weak self, weak device] handle, value, _ in
            guard let self, let device else { return }
            if handle == device.link?.serviceChanged { return servicesChanged(of: device, value) }
            remember(value, from: device.address)
            forEachManager(of: device) { $0.peripheral(device).notified(value, of: handle) }
        }
        if inspected == nil { link.encrypt() }
        connection.client.exchangeMTU(host.limits.mtu) { _ in }
        if device.advertised.localName ?? device.name == nil { readName(of: device, on: link) }
        if let inspected { Inspection(of: inspected, on: link).begin() }
        keep(device)
        forEachManager(of: device) { $0.connected(device) }
    }

    /// Of a peer that advertises no name the system asks for it (Core Specification Vol 3 Part C 12.1).
    private func readName(of device: RemoteDevice, on link: PeerLink) {
        link.connection.client.read(.deviceName) { [weak self, weak device] result in
            guard let self, let device, let value = (try? result.get())?.first?.value else {
                return
            }
            let name = String(decoding: value, as: UTF8.self)
            forEachManager(of: device) { $0.peripheral(device).named(name) }
        }
    }

    /// A peer says which of its handles mean something else now.
    private func servicesChanged(of device: RemoteDevice, _ value: [UInt8]) {
        guard value.count == 4 else { return }
        let range = HandleRange(
            UInt16(value[0]) | UInt16(value[1]) << 8, UInt16(value[2]) | UInt16(value[3]) << 8)
        servicesChanged(of: device, in: range)
    }

    private func servicesChanged(of device: RemoteDevice, in range: HandleRange) {
        device.link?.forget(range)
        forEachManager(of: device) { $0.peripheral(device).servicesChanged(in: range) }
    }

    /// A link could not be made, or was no longer wanted.
    package func host(_ host: Host, didFailToConnect peer: Address, status: UInt8) {
        let device = device(peer)
        guard status != 0x02 else {
            // Somebody may have changed their mind meanwhile.
            if isWorking, device.link == nil, !device.claims.isEmpty {
                host.connect(to: device.address, timing)
            }
            return
        }
        forEachManager(of: device) { $0.failedToConnect(device) }
        device.claims = []
    }

    /// A link ended: by the app, by the peer, or by the supervision timeout.
    package func host(_ host: Host, didDisconnect connection: Connection, reason: UInt8) {
        guard connection.isCentral else { return peripheral.disconnected(connection) }
        let device = device(connection.peer)
        guard let link = device.link, link.connection === connection else { return }
        device.link = nil
        link.encryptionEnded()
        linkEnded(device.address)
        let wanted = device.claims
        if link.isEnding {
            // Those who want a link now have asked since the old one was given up.
            if isWorking, !wanted.isEmpty { host.connect(to: device.address, timing) }
            return
        }
        forEachManager(of: device) {
            $0.disconnected(device, error: link.failure ?? CBError(reason: reason))
        }
        device.claims = []
    }

    /// Encryption began, or could not: then the link is of no use.
    package func host(_ host: Host, encryptionDidChange connection: Connection, status: UInt8) {
        guard let link = device(connection.peer).link, link.connection === connection else {
            return
        }
        link.encryptionEnded()
        if status != 0 { fail(link, with: .peerRemovedPairingInformation, reason: 0x13) }
    }

    /// Nothing more can be asked of the peer, so the link is of no use.
    package func host(_ host: Host, bearerDidTimeOut connection: Connection) {
        guard connection.isCentral else { return connection.disconnect() }
        guard let link = device(connection.peer).link, link.connection === connection else {
            return
        }
        fail(link, with: .connectionTimeout, reason: 0x13)
    }

    /// There is room again for values without a response.
    package func host(_ host: Host, isReadyToSendOn connection: Connection) {
        guard connection.isCentral else { return peripheral.becameReady() }
        let device = device(connection.peer)
        forEachManager(of: device) { $0.peripheral(device).becameReady() }
    }
}

// What the system itself reads.
extension BluetoothSystem {
    /// Reads the values of all characteristics of these types in a service that apps cannot see;
    /// nil where there is no such service, or a value cannot be read.
    ///
    /// `preferred` types are read alone where there are any; but a lab, which inspects, then looks at the others, too.
    package func readHidden(
        _ service: CBUUID, preferred: CBUUID, otherwise: CBUUID, of address: Address,
        completion: @escaping ((isPreferred: Bool, values: [[UInt8]])?) -> Void
    ) {
        guard let link = device(address).link else { return completion(nil) }
        link.discoverServices { result in
            guard let found = (try? result.get())?.first(where: { $0.uuid == service.uuid }) else {
                return completion(nil)
            }
            link.discoverCharacteristics(of: found) { result in
                let all = (try? result.get()) ?? []
                let best = all.filter { $0.uuid == preferred.uuid }
                let others = all.filter { $0.uuid == otherwise.uuid }.map(\.value)
                Self.read(best.isEmpty ? others : best.map(\.value), on: link) { values in
                    completion(values.map { (!best.isEmpty, $0) })
                    guard self.inspected != nil, !best.isEmpty else { return }
                    Self.read(others, on: link) { _ in }
                }
            }
        }
    }

    private static func read(
        _ handles: [UInt16], on link: PeerLink, after values: [[UInt8]] = [],
        completion: @escaping ([[UInt8]]?) -> Void
    ) {
        guard let handle = handles.first else { return completion(values) }
        let next: Completion<[UInt8]> = { result in
            guard let value = try? result.get() else { return completion(nil) }
            read(
                Array(handles.dropFirst()), on: link, after: values + [value],
                completion: completion)
        }
        link.perform(endingWith: next) { $0.readLong(handle, completion: $1) }
    }
}
