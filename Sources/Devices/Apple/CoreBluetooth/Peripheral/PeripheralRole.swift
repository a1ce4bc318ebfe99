import Bluetooth
import BluetoothHost
import DeviceKit

import class BluetoothHost.Host

/// This device as a peripheral: what its apps' peripheral managers share.
final class PeripheralRole {
    /// Who has connected, in the order of connecting.
    private(set) var centrals: [CBCentral] = []
    let managers: Managers<CBPeripheralManager, CBPeripheralManager.Kept>
    private unowned let system: BluetoothSystem

    init(of system: BluetoothSystem) {
        self.system = system
        managers = Managers(of: system)
    }

    var server: GATTServer? { system.host?.server }

    /// The app has let go of a manager, which had published these services.
    func release(_ ordinal: Int, _ services: [PublishedService]) {
        managers.remove([ordinal])
        for service in services { withdraw(service) }
        advertise()
    }

    /// The app is gone, and all that it had published; links are their centrals'.
    func terminateApp() {
        for manager in managers.living { manager.withdrawEverything() }
        managers.appHasEnded()
        forgetPreserved()
        advertise()
    }

    /// The system ends the app: what managers with a restore identifier had is kept.
    func preserveApp() {
        for manager in managers.living {
            if let record = manager.preserved {
                managers.preserved.append(record)
            } else {
                manager.withdrawEverything()
            }
        }
        managers.appHasEnded()
        advertise()
    }

    /// Nothing of an app that has ended is kept any more.
    func forgetPreserved() {
        let services = managers.preserved.flatMap(\.kept.services)
        managers.preserved = []
        for service in services { withdraw(service) }
    }

    func stateChanged() {
        for manager in managers.living { manager.stateChanged() }
    }

    // MARK: Advertising

    /// How often an advertisement is sent, in units of 0.625 ms: 152.5 ms.
    ///
    /// Apple does not say; it is the first interval that it recommends to accessories for the long run (QA1931).
    private static let interval: UInt16 = 244

    /// Advertises what all managers together want.
    func advertise() {
        guard let host = system.host else { return }
        var wanted: Advertisement?
        let all =
            managers.living.compactMap(\.advertisement)
            + managers.preserved.compactMap(\.kept.advertisement)
        for one in all {
            if wanted == nil { wanted = one } else { wanted?.add(one) }
        }
        guard system.isWorking, let wanted else { return host.stopAdvertising() }
        let payloads = wanted.payloads(isForeground: system.isForeground)
        do {
            try host.advertise(
                payloads.data, scanResponse: payloads.scanResponse, interval: Self.interval)
        } catch { host.context.log("\(error)") }
    }

    // MARK: Services

    /// Centrals are told that handles mean something else now.
    func changed(_ range: HandleRange) {
        for case let connection? in centrals.map(\.connection) {
            server?.indicateChange(of: range, to: connection)
        }
    }

    func withdraw(_ service: PublishedService) {
        guard let server else { return }
        let range = server.range(of: service.handle)
        server.remove(service.handle)
        changed(range)
    }

    // MARK: Centrals

    func central(on connection: Connection) -> CBCentral? {
        centrals.first { $0.connection === connection }
    }

    /// Somebody has connected, which has ended advertising on the air; others may connect, too.
    func connected(_ connection: Connection) {
        centrals.append(CBCentral(system.device(connection.peer), on: connection))
        advertise()
    }

    func disconnected(_ connection: Connection) {
        guard let central = central(on: connection) else { return }
        centrals.removeAll { $0 === central }
        for manager in managers.living { manager.lost(central) }
        for record in managers.preserved { record.note { $0.lost(central) } }
    }

    func becameReady() {
        for manager in managers.living { manager.becameReady() }
    }
}
