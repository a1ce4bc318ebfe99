import Bluetooth
import BluetoothHost
import CoreBluetooth
import DeviceKit
import Testing

/// Apple's central API against a real GATT server.
struct CoreBluetoothTests {
    private let bond = [UInt8](repeating: 7, count: 16)

    private func bench(
        isBonded: Bool = false, mtu: UInt16 = 100,
        _ build: @escaping (GATTServer) -> Void = { _ in }
    ) throws -> BluetoothBench {
        try BluetoothBench(
            stored: isBonded ? [StoredPair("bond/00:00:00:00:00:B0", bond)] : [],
            serverStored: isBonded ? [StoredPair("bond/00:00:00:00:00:A0", bond)] : [], mtu: mtu
        ) { host in
            host.server.addService("AAAA")
            build(host.server)
        }
    }

    // MARK: Scanning

    @Test func theStateIsToldAndNothingWorksBefore() throws {
        let bench = try bench()
        bench.app {
            let central = CBCentralManager(delegate: bench, queue: nil)
            #expect(central.state == .unknown)
            central.scanForPeripherals(withServices: nil)
            #expect(!central.isScanning)
        }
        #expect(bench.chamber.logs.contains { $0.contains("API MISUSE: scanForPeripherals") })
        bench.start()
        #expect(bench.heard == ["state poweredOn"])
    }

    @Test(arguments: [
        (BluetoothAccess.denied, "unauthorized"), (.restricted, "unauthorized"),
        (.unsupported, "unsupported"),
    ])
    func whoMayNotUseBluetoothIsTold(_ access: BluetoothAccess, state: String) throws {
        let bench = try BluetoothBench(access: access) { _ in }
        var authorization: CBManagerAuthorization?
        bench.app { authorization = CBManager.authorization }
        bench.start()
        bench.app { bench.central?.scanForPeripherals(withServices: nil) }
        #expect(bench.heard == ["state \(state)"])
        #expect(bench.central?.isScanning == false)
        let expected: CBManagerAuthorization =
            switch access {
            case .denied: .denied
            case .restricted: .restricted
            case .allowed, .unsupported: .allowedAlways
            }
        #expect(authorization == expected)
    }

    @Test func aPeripheralIsFoundOnceAndItsNameWithTheScanResponse() throws {
        let bench = try bench()
        bench.start()
        bench.app { bench.central?.scanForPeripherals(withServices: [CBUUID(string: "AAAA")]) }
        bench.wait(5)
        #expect(
            bench.heard == ["state poweredOn", "didDiscover nil -50", "didDiscover lock -50"])
        #expect(bench.discovered[CBAdvertisementDataLocalNameKey] as? String == "lock")
        #expect(
            bench.discovered[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
                == [CBUUID(string: "AAAA")])
    }

    @Test func withDuplicatesItIsHeardAboutEverySecond() throws {
        let bench = try bench()
        bench.start()
        bench.app {
            bench.central?.scanForPeripherals(
                withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        }
        bench.wait(5)
        #expect((4...6).contains(bench.heard.count { $0.hasPrefix("didDiscover lock") }))
    }

    @Test func anotherServiceIsNotFound() throws {
        let bench = try bench()
        bench.start()
        bench.app { bench.central?.scanForPeripherals(withServices: [CBUUID(string: "BBBB")]) }
        bench.wait()
        #expect(bench.heard == ["state poweredOn"])
    }

    @Test func identifiersAreTheSameInEveryRunAndCanBeRetrieved() throws {
        let first = try bench()
        first.connect()
        let second = try bench()
        second.connect()
        let identifier = try #require(first.peripheral?.identifier)
        #expect(identifier == second.peripheral?.identifier)
        let later = try BluetoothBench(stored: first.chamber.stored[0] ?? []) { _ in }
        later.start()
        later.app {
            let known = later.central?.retrievePeripherals(withIdentifiers: [identifier])
            #expect(known?.map(\.identifier) == [identifier])
        }
    }

    // MARK: Links

    @Test func aPeripheralThatNobodyHoldsLosesItsLink() throws {
        let bench = try bench()
        bench.connect()
        #expect(bench.server?.host.connections.count == 1)
        bench.letGoOfPeripheral()
        bench.wait()
        #expect(bench.server?.host.connections.count == 0)
        #expect(bench.chamber.logs.contains { $0.contains("did you forget to keep a reference?") })
    }

    @Test(arguments: [false, true])
    func whatIsAskedForBeforeTheAppHearsThatBluetoothIsOffIsLost(isOnAgain: Bool) throws {
        let bench = try bench()
        bench.connect()
        let central = try #require(bench.central)
        let peripheral = try #require(bench.peripheral)
        bench.app { central.cancelPeripheralConnection(peripheral) }
        bench.wait()
        bench.system { system in
            system.setPower(false)
            system.setPower(isOnAgain)
            central.scanForPeripherals(withServices: nil)
            central.connect(peripheral)
        }
        bench.wait(5)
        #expect(!central.isScanning)
        #expect(peripheral.state == .disconnected)
        #expect(bench.server?.host.connections.count == 0)
    }

    @Test func howStrongAPeripheralIsHeardComesInATurnOfItsOwn() throws {
        let bench = try bench()
        bench.connect()
        _ = bench.heard
        bench.app {
            bench.peripheral?.readRSSI()
            #expect(bench.heard == [])
        }
        #expect(bench.heard == ["rssi -50"])
    }

    @Test func descriptorsAreDiscoveredAndReadAsWhatTheyAre() throws {
        let bench = try bench { server in
            _ = server.addCharacteristic("1111", properties: [.read, .notify])
            _ = server.addDescriptor("2901", value: Array("light".utf8))
            _ = server.addDescriptor("2904", value: [1, 2])
        }
        bench.discover()
        let characteristic = try bench.characteristic("1111")
        bench.app { bench.peripheral?.discoverDescriptors(for: characteristic) }
        bench.wait()
        #expect(bench.heard == ["descriptors 2902 2901 2904"])
        bench.app {
            for descriptor in characteristic.descriptors ?? [] {
                bench.peripheral?.readValue(for: descriptor)
            }
        }
        bench.wait()
        #expect(
            bench.heard == [
                "descriptor 2902 0", "descriptor 2901 light", "descriptor 2904 2 bytes",
            ])
    }

    @Test func theSystemAgreesOnTheMTUByItself() throws {
        let bench = try bench(mtu: 100)
        bench.connect()
        let peripheral = try #require(bench.peripheral)
        #expect(peripheral.state == .connected)
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 97)
        #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
        let sent = bench.chamber.air.frames.first { $0.device == 0 }
        #expect(sent?.bytes == [3, 0, 4, 0, 0x02, 185, 0])
    }

    @Test func aPendingConnectionNeverTimesOutAndCanBeCancelled() throws {
        let bench = try bench()
        bench.start()
        bench.app { bench.central?.scanForPeripherals(withServices: nil) }
        bench.wait()
        bench.chamber.air.isQuiet = true
        bench.app { bench.peripheral.map { bench.central?.connect($0) } }
        _ = bench.heard
        bench.wait(600)
        #expect(bench.heard == [])
        #expect(bench.peripheral?.state == .connecting)
        bench.app { bench.peripheral.map { bench.central?.cancelPeripheralConnection($0) } }
        #expect(bench.heard == ["didDisconnect"])
        bench.app { bench.peripheral.map { bench.central?.connect($0) } }
        bench.chamber.air.isQuiet = false
        bench.wait()
        #expect(bench.heard == ["didConnect"])
    }

    @Test(arguments: [
        (UInt8(0x08), " connectionTimeout"), (0x13, " peripheralDisconnected"),
    ])
    func aLostLinkHasTheErrorOfItsReason(_ reason: UInt8, _ error: String) throws {
        let bench = try bench()
        bench.connect()
        _ = bench.heard
        bench.chamber.air.cut(reason: reason)
        bench.wait()
        #expect(bench.heard == ["didDisconnect" + error])
        #expect(bench.peripheral?.services == nil)
    }

    @Test func theAppsOwnDisconnectionHasNoError() throws {
        let bench = try bench()
        bench.connect()
        _ = bench.heard
        bench.app { bench.peripheral.map { bench.central?.cancelPeripheralConnection($0) } }
        bench.wait()
        #expect(bench.heard == ["didDisconnect"])
    }

    @Test func switchingOffEndsLinksAfterTheState() throws {
        let bench = try bench()
        bench.connect()
        _ = bench.heard
        bench.power(false)
        bench.wait()
        #expect(bench.heard == ["state poweredOff", "didDisconnect unknown"])
        bench.power(true)
        #expect(bench.heard == ["state poweredOn"])
    }

    @Test func aManagerThatIsLetGoEndsItsLinks() throws {
        let bench = try bench()
        bench.connect()
        weak let central = bench.central
        bench.letGo()
        #expect(central == nil)
        bench.wait()
        #expect(bench.server?.host.connections.isEmpty == true)
    }

    // MARK: Attributes

    @Test func onlyAppsServicesAreShown() throws {
        let bench = try bench { server in
            server.addService("48FE3E40-0817-4BB2-8633-3073689C2DBA")
            server.addService("BBBB")
        }
        bench.connect()
        _ = bench.heard
        bench.app { bench.peripheral?.discoverServices([CBUUID(string: "BBBB")]) }
        bench.wait()
        bench.app { bench.peripheral?.discoverServices(nil) }
        bench.wait()
        #expect(bench.heard == ["services BBBB", "services AAAA BBBB"])
    }

    @Test(arguments: [(FollowedPeers.all, ["didModifyServices [AAAA]"]), (.appleDevices, [])])
    func anAccessorysChangesAreHeardOfWhereTheyAreFollowed(
        _ follows: FollowedPeers, _ heard: [String]
    ) throws {
        let bench = try BluetoothBench(follows: follows) { $0.server.addService("AAAA") }
        bench.discover()
        let server = try #require(bench.server)
        let connection = try #require(server.host.connections.first)
        server.script = { server.host.server.indicateChange(of: .all, to: connection) }
        bench.chamber.turn(1, .command(name: "script", arguments: []))
        bench.wait()
        #expect(bench.heard == heard)
    }

    @Test func valuesAreReadWrittenAndNotified() throws {
        var written: [[UInt8]] = []
        var notify: GATTServer.Characteristic?
        let bench = try bench { server in
            server.addCharacteristic(
                "A001", properties: [.read, .write], value: [UInt8](1...150),
                onWrite: { _, value in written.append(value) })
            notify = server.addCharacteristic("A002", properties: [.notify])
        }
        bench.discover()
        let value = try bench.characteristic("A001")
        bench.app { bench.peripheral?.readValue(for: value) }
        bench.wait()
        #expect(bench.heard == ["value A001 \([UInt8](1...150))"])
        let long = [UInt8](repeating: 9, count: 300)
        bench.app { bench.peripheral?.writeValue(Data(long), for: value, type: .withResponse) }
        bench.wait()
        #expect(bench.heard == ["wrote A001"])
        #expect(written == [long])

        let updates = try bench.characteristic("A002")
        bench.app { bench.peripheral?.setNotifyValue(true, for: updates) }
        bench.wait()
        let server = try #require(bench.server)
        bench.notify(server, notify, [1, 2], [3])
        bench.wait()
        #expect(bench.heard == ["notifying A002 true", "value A002 [1, 2]", "value A002 [3]"])
    }

    @Test func refusalsHaveATTsNumbers() throws {
        let bench = try bench { server in
            server.addCharacteristic(
                "A001", properties: [.read, .write], read: .encrypted,
                onWrite: { _, _ throws(ATTErrorCode) in throw .valueNotAllowed })
        }
        bench.discover()
        let value = try bench.characteristic("A001")
        bench.app {
            bench.peripheral?.readValue(for: value)
            bench.peripheral?.writeValue(Data([1]), for: value, type: .withResponse)
        }
        bench.wait()
        #expect(bench.heard == ["value A001 nil ATT 15", "wrote A001 ATT 19"])
    }

    @Test func aBondedLinkIsEncryptedAtOnce() throws {
        let bench = try bench(isBonded: true) { server in
            server.addCharacteristic("A001", properties: [.read], read: .encrypted, value: [5])
        }
        bench.discover()
        let value = try bench.characteristic("A001")
        bench.app { bench.peripheral?.readValue(for: value) }
        bench.wait()
        #expect(bench.heard == ["value A001 [5]"])
    }

    @Test func aForgottenBondEndsTheLink() throws {
        let bench = try BluetoothBench(stored: [StoredPair("bond/00:00:00:00:00:B0", bond)]) { _ in
        }
        bench.connect()
        #expect(bench.heard.last == "didDisconnect peerRemovedPairingInformation")
    }

    @Test func writesWithoutResponseAreCutAndTellWhenThereIsRoom() throws {
        var written: [[UInt8]] = []
        let bench = try bench(mtu: 23) { server in
            server.addCharacteristic(
                "A001", properties: [.writeWithoutResponse],
                onWrite: { _, value in written.append(value) })
        }
        bench.discover()
        let value = try bench.characteristic("A001")
        bench.app {
            #expect(bench.peripheral?.canSendWriteWithoutResponse == true)
            for _ in 0..<30 {
                bench.peripheral?.writeValue(
                    Data([UInt8](repeating: 1, count: 40)), for: value, type: .withoutResponse)
            }
            #expect(bench.peripheral?.canSendWriteWithoutResponse == false)
        }
        bench.wait()
        #expect(bench.heard == ["ready"])
        #expect(written.count < 30)
        #expect(written.allSatisfy { $0.count == 20 })
    }

    @Test func whatAnAppAsksForLeavesInTheOrderOfItsCalls() throws {
        let bench = try bench { server in
            server.addCharacteristic("A001", properties: [.write, .writeWithoutResponse])
            server.addCharacteristic("A002", properties: [.notify])
        }
        bench.discover()
        let before = bench.chamber.air.frames.count
        let (value, updates) = (
            try bench.characteristic("A001"), try bench.characteristic("A002")
        )
        bench.app {
            bench.peripheral?.setNotifyValue(true, for: updates)
            bench.peripheral?.writeValue(Data([1]), for: value, type: .withResponse)
            bench.peripheral?.writeValue(Data([2]), for: value, type: .withoutResponse)
            bench.peripheral?.readValue(for: updates)
        }
        bench.wait()
        let sent = bench.chamber.air.frames.dropFirst(before).filter { $0.device == 0 }
        // Find Information, Write Request (configuration), Write Request, Write Command, Read Request.
        #expect(sent.map { $0.bytes[4] } == [0x04, 0x12, 0x12, 0x52, 0x0A])
        #expect(bench.heard == ["notifying A002 true", "wrote A001", "value A002 nil ATT 2"])
    }

    @Test func whoeverSeesThatThereIsNoRoomHearsWhenThereIs() throws {
        let bench = try bench { server in
            server.addCharacteristic("A001", properties: [.writeWithoutResponse])
        }
        bench.discover()
        let value = try bench.characteristic("A001")
        var sent = 0
        bench.app {
            while bench.peripheral?.canSendWriteWithoutResponse == true {
                bench.peripheral?.writeValue(Data([1]), for: value, type: .withoutResponse)
                sent += 1
            }
        }
        bench.wait()
        #expect(sent > 8)
        #expect(bench.heard == ["ready"])
    }

    @Test func uuidsHaveTheirShortestForm() {
        #expect(CBUUID(string: "0000180F-0000-1000-8000-00805f9b34fb").uuidString == "180F")
        #expect(CBUUID(data: Data([0x18, 0x0F])) == CBUUID(string: "180F"))
        let long = "2E938FD0-6A61-11ED-A1EB-0242AC120002"
        #expect(CBUUID(string: long.lowercased()).uuidString == long)
        #expect(UUID(uuidString: long).map(CBUUID.init(nsuuid:)) == CBUUID(string: long))
    }
}

extension BluetoothBench {
    /// Lets the server notify some values in one turn.
    func notify(
        _ server: ServerDevice, _ characteristic: GATTServer.Characteristic?, _ values: [UInt8]...
    ) {
        guard let characteristic, let connection = server.host.connections.first else { return }
        server.script = {
            for value in values {
                _ = server.host.server.notify(value, of: characteristic, to: connection)
            }
        }
        chamber.turn(1, .command(name: "script", arguments: []))
    }
}
