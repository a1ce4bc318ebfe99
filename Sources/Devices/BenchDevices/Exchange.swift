import AccessoryProtocol
import Bluetooth
import BluetoothHost
import DeviceKit

/// Advertises, and answers one write by one notification; its four services are the same on both systems that are
/// measured.
final class ExchangePeripheral: Device, HostDelegate {
    private let host: Host

    init(_ reset: Reset, in context: Context) {
        host = Host(in: context, stored: reset.stored, limits: HostLimits(mtu: 247))
        host.server.addGenericServices(name: reset.name)
        host.server.addService(NordicUARTService.service)
        // The notification characteristic's handle is known only once it has been added.
        var send: GATTServer.Characteristic?
        host.server.addCharacteristic(
            NordicUARTService.receive, properties: [.write, .writeWithoutResponse],
            onWrite: { [unowned host] connection, _ in
                if let send {
                    _ = host.server.notify([1] + Array(0..<31), of: send, to: connection)
                }
            })
        send = host.server.addCharacteristic(NordicUARTService.transmit, properties: [.notify])
        host.server.addService(NearbyInteractionService.service)
        host.server.addCharacteristic(
            NearbyInteractionService.singleConfigurationData, properties: [.read], read: .encrypted)
        host.delegate = self
    }

    func handle(_ event: DeviceEvent) {
        if host.handle(event) { return }
        if event == .boot { advertise() }
    }

    func host(_ host: Host, didDisconnect connection: Connection, reason: UInt8) { advertise() }

    private func advertise() {
        try? host.advertise(
            AdvertisingData(
                flags: AdvertisingData.generalDiscoverable, services: [NordicUARTService.service]),
            interval: 32)
    }
}

/// Connects, exchanges the MTU, discovers everything, subscribes, writes, waits for the notification,
/// disconnects, and begins anew.
final class ExchangeCentral: Device, HostDelegate {
    private let host: Host
    private let context: Context
    private var peer: Address?

    init(_ reset: Reset, in context: Context) {
        self.context = context
        host = Host(in: context, stored: reset.stored, limits: HostLimits(mtu: 247))
        host.delegate = self
    }

    func handle(_ event: DeviceEvent) {
        if host.handle(event) { return }
        if event == .boot { host.scan(isActive: false, period: 1) }
    }

    func host(_ host: Host, didReceive report: AdvertisingReport) {
        guard peer == nil else { return }
        peer = report.peer
        host.stopScanning()
        connect()
    }

    private func connect() {
        guard let peer else { return }
        host.connect(to: peer, ConnectionParameters(interval: 6, latency: 0, timeout: 72))
    }

    func host(_ host: Host, didConnect connection: Connection) {
        let client = connection.client
        client.onValue = { [unowned connection, context] _, _, _ in
            context.observe(.appReceived)
            connection.disconnect(reason: 0x13)
        }
        client.exchangeMTU(247) { [unowned self] _ in
            client.discoverServices { [unowned self] services in
                discover(try? services.get(), by: client)
            }
        }
    }

    func host(_ host: Host, didDisconnect connection: Connection, reason: UInt8) { connect() }

    /// All characteristics of all services, then the descriptors of the one that notifies.
    private func discover(_ services: [RemoteService]?, by client: GATTClient) {
        var receive: RemoteCharacteristic?
        for service in services ?? [] {
            let isLast = service == services?.last
            client.discoverCharacteristics(of: service) { [unowned self] found in
                let characteristics = (try? found.get()) ?? []
                receive = characteristics.first { $0.uuid == NordicUARTService.receive } ?? receive
                if let send = characteristics.first(where: { $0.uuid == NordicUARTService.transmit }
                ) {
                    self.send = send
                }
                if isLast, let receive { subscribe(by: client, writingTo: receive) }
            }
        }
    }

    private var send: RemoteCharacteristic?

    private func subscribe(by client: GATTClient, writingTo receive: RemoteCharacteristic) {
        guard let send else { return }
        client.discoverDescriptors(of: send) { found in
            guard
                let descriptor = ((try? found.get()) ?? []).first(where: {
                    $0.uuid == .clientConfiguration
                })
            else { return }
            client.subscribe(.notifications, descriptor: descriptor.handle) { _ in
                _ = client.writeWithoutResponse([0x0A], to: receive.value)
            }
        }
    }
}
