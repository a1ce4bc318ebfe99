import Bluetooth
import BluetoothHost
import DeviceKit

import class BluetoothHost.Host

/// This device as a peripheral: what its apps' peripheral managers share.
final class PeripheralRole {
    /// Who has connected, in the order of connecting.
    private(set) var centrals: [CBCentral] = []
    private unowned let system: BluetoothSystem
    private var managers: [Reference] = []
    /// Managers that wait for their app, which the system has ended.
    private(set) var preserved: [PreservedPeripheralManager] = []

    private struct Reference {
        let ordinal: Int
        weak var manager: CBPeripheralManager?
    }

    init(of system: BluetoothSystem) { self.system = system }

    var server: GATTServer? { system.host?.server }

    /// A new manager; one that is restored has its ordinal already.
    func register(_ manager: CBPeripheralManager, as ordinal: Int? = nil) -> Int {
        let ordinal = ordinal ?? system.takeOrdinal()
        managers.append(Reference(ordinal: ordinal, manager: manager))
        return ordinal
    }

    /// Tells a manager; one whose app the system has ended is told when it is there again.
    func tell(_ ordinal: Int, _ body: @escaping (CBPeripheralManager) -> Void) {
        if let manager = managers.first(where: { $0.ordinal == ordinal })?.manager {
            body(manager)
        } else if let record = preserved.first(where: { $0.ordinal == ordinal }) {
            record.note(body)
            system.wake()
        }
    }

    /// Whether what a manager of this ordinal had is another one's now, or waits for one.
    func keeps(_ ordinal: Int) -> Bool {
        preserved.contains { $0.ordinal == ordinal }
            || managers.contains { $0.ordinal == ordinal && $0.manager != nil }
    }

    /// The app has let go of a manager, which had published these services.
    func release(_ ordinal: Int, _ services: [PublishedService]) {
        managers.removeAll { $0.ordinal == ordinal }
        for service in services { withdraw(service) }
        advertise()
    }

    /// The app is gone, and all that it had published; links are their centrals'.
    func terminateApp() {
        for reference in managers {
            reference.manager?.withdrawEverything()
            reference.manager?.appHasEnded()
        }
        managers = []
        forgetPreserved()
        advertise()
    }

    /// The system ends the app: what managers with a restore identifier had is kept.
    func preserveApp() {
        for reference in managers {
            if let record = reference.manager?.preserved {
                preserved.append(record)
            } else {
                reference.manager?.withdrawEverything()
            }
            reference.manager?.appHasEnded()
        }
        managers = []
        advertise()
    }

    /// Nothing of an app that has ended is kept any more.
    func forgetPreserved() {
        let services = preserved.flatMap(\.services)
        preserved = []
        for service in services { withdraw(service) }
    }

    /// What was kept under an identifier, which is kept no longer.
    func takePreserved(_ options: [String: Any]?) -> PreservedPeripheralManager? {
        guard let name = options?[CBPeripheralManagerOptionRestoreIdentifierKey] as? String,
            let place = preserved.firstIndex(where: { $0.identifier == name })
        else { return nil }
        return preserved.remove(at: place)
    }

    func stateChanged() {
        for reference in managers { reference.manager?.stateChanged() }
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
        let all = managers.map { $0.manager?.advertisement } + preserved.map(\.advertisement)
        for case let one? in all {
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
        for reference in managers { reference.manager?.lost(central) }
        for record in preserved { record.note { $0.lost(central) } }
    }

    func becameReady() {
        for reference in managers { reference.manager?.becameReady() }
    }
}
