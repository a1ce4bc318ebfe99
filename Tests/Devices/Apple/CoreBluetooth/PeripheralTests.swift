import AppleFoundation
import CoreBluetooth
import DeviceKit
import Testing

/// Apple's peripheral API, with another phone's central.
struct PeripheralTests {
    @Test func twoPhonesFindEachOtherAndTalk() throws {
        let phones = try TwoPhones()
        let updates = characteristic("1111", .notify)
        phones.ann { $0.publish("AAAA", [updates, characteristic("2222", [.read, .write])]) }
        phones.ben { $0.manager?.scanForPeripherals(withServices: [CBUUID(string: "AAAA")]) }
        phones.wait(3)
        phones.ann { $0.value = [7] }
        phones.ben {
            $0.subscribe("1111")
            $0.write([1, 2, 3], to: "2222")
            $0.read("2222")
        }
        phones.wait()
        phones.ann {
            #expect($0.update(updates, [9]))
            #expect(updates.subscribedCentrals?.count == 1)
        }
        phones.wait()
        phones.ben { $0.subscribe("1111", false) }
        phones.wait()
        #expect(
            phones.heard == [
                "0 ann state poweredOn", "0 ben state poweredOn", "0 ann didAdd AAAA",
                "0 ann didStartAdvertising", "100 ben didDiscover Ann [AAAA] []",
                "200 ben didConnect Ann", "350 ben services [AAAA]",
                "470 ben characteristics of AAAA [1111, 2222]",
                "3045 ann didSubscribeTo 1111 up to 182", "3060 ben notifying 1111 true",
                "3075 ann didReceiveWrite 2222 from 0 3 bytes", "3090 ben wrote 2222",
                "3105 ann didReceiveRead 2222 from 0", "3120 ben value 2222 [7]",
                "4015 ben value 1111 [9]", "5015 ann didUnsubscribeFrom 1111",
                "5030 ben notifying 1111 false",
            ])
        #expect(updates.subscribedCentrals == nil)
    }

    // MARK: Values

    @Test func aValueThatIsGivenIsServedWithoutTheApp() throws {
        let phones = try TwoPhones()
        phones.connect(characteristic("1111", .read, .readable, value: [UInt8](1...200)))
        phones.ben { $0.read("1111") }
        phones.wait()
        #expect(
            phones.heard == [
                "3060 ben value 1111 200 bytes"
            ])
    }

    @Test func whatIsNotPermittedTheAppIsNotAsked() throws {
        let phones = try TwoPhones()
        phones.connect(
            characteristic("1111", [.read, .write], []),
            characteristic("2222", [], [.readable, .writeable]),
            characteristic("3333", [.read, .write], [.readEncryptionRequired]))
        phones.ben { app in
            for uuid in ["1111", "2222", "3333"] {
                app.read(uuid)
                app.write([1], to: uuid)
                app.write([1], to: uuid, .withoutResponse)
            }
        }
        phones.wait()
        #expect(
            phones.heard == [
                "3030 ben value 1111 [] ATT 2", "3060 ben wrote 1111 ATT 3",
                "3090 ben value 2222 [] ATT 2", "3120 ben wrote 2222 ATT 3",
                "3150 ben value 3333 [] ATT 15", "3180 ben wrote 3333 ATT 3",
            ])
    }

    @Test func longValuesAreReadAndWrittenInParts() throws {
        let phones = try TwoPhones()
        phones.connect(characteristic("1111", [.read, .write, .writeWithoutResponse]))
        phones.ann { $0.value = [UInt8](repeating: 5, count: 400) }
        phones.ben {
            $0.read("1111")
            $0.write([UInt8](repeating: 6, count: 400), to: "1111")
            $0.write([6], to: "1111", .withoutResponse)
        }
        phones.wait()
        #expect(
            phones.heard == [
                "3015 ann didReceiveRead 1111 from 0", "3045 ann didReceiveRead 1111 from 184",
                "3075 ann didReceiveRead 1111 from 368", "3090 ben value 1111 400 bytes",
                "3195 ann didReceiveWrite 1111 from 0 180 bytes, 1111 from 180 180 bytes, 1111 from 360 40 bytes",
                "3195 ann didReceiveWrite 1111 from 0 1 bytes", "3210 ben wrote 1111",
            ])
    }

    @Test func theAppRefuses() throws {
        let phones = try TwoPhones()
        phones.connect(characteristic("1111", [.read, .write]))
        phones.ann { $0.answer = .insufficientAuthorization }
        phones.ben {
            $0.read("1111")
            $0.write([UInt8](repeating: 6, count: 400), to: "1111")
            $0.write([1], to: "1111")
        }
        phones.wait()
        #expect(
            phones.heard == [
                "3015 ann didReceiveRead 1111 from 0", "3030 ben value 1111 [] ATT 8",
                "3135 ann didReceiveWrite 1111 from 0 180 bytes, 1111 from 180 180 bytes, 1111 from 360 40 bytes",
                "3150 ben wrote 1111 ATT 8", "3165 ann didReceiveWrite 1111 from 0 1 bytes",
                "3180 ben wrote 1111 ATT 8",
            ])
    }

    @Test func whoGetsNoAnswerWaitsForThirtySeconds() throws {
        let phones = try TwoPhones()
        phones.connect(characteristic("1111", .read))
        phones.ann { $0.answer = nil }
        phones.ben { $0.read("1111") }
        phones.wait(40)
        phones.ann { $0.respondToLast(.success) }
        phones.wait()
        #expect(
            phones.heard == [
                "3015 ann didReceiveRead 1111 from 0", "33000 ben value 1111 [] connectionTimeout",
                "33030 ben didDisconnect connectionTimeout",
            ])
    }

    // MARK: Updates

    @Test func aFullQueueSaysNoAndTellsWhenThereIsRoom() throws {
        let phones = try TwoPhones()
        let updates = characteristic("1111", .notify)
        phones.connect(updates)
        phones.ben { $0.subscribe("1111") }
        phones.wait()
        _ = phones.heard
        var sent = 0
        phones.ann { while $0.update(updates, [1]) { sent += 1 } }
        phones.wait()
        #expect(sent == 20)
        #expect(
            phones.heard.filter { !$0.contains("value") } == [
                "4016 ann isReady"
            ])
        phones.ann { #expect($0.update(updates, [2])) }
    }

    @Test func whoIsGoneWantsNothing() throws {
        let phones = try TwoPhones()
        let updates = characteristic("1111", .indicate)
        phones.connect(updates)
        phones.ben { $0.subscribe("1111") }
        phones.wait()
        phones.ann { #expect($0.update(updates, [1])) }
        phones.wait()
        phones.ben { $0.disconnect() }
        phones.wait()
        phones.ann { #expect($0.update(updates, [2])) }
        #expect(
            phones.heard == [
                "3045 ann didSubscribeTo 1111 up to 182", "3060 ben notifying 1111 true",
                "4015 ben value 1111 [1]", "5000 ben didDisconnect",
                "5030 ann didUnsubscribeFrom 1111",
            ])
    }

    // MARK: Services that come and go

    @Test func theCentralHearsOfServicesThatComeAndGo() throws {
        let phones = try TwoPhones()
        phones.connect(characteristic("1111", .read, .readable, value: [1]))
        phones.ann { $0.publish("BBBB", [characteristic("2222", .read, .readable, value: [2])]) }
        phones.wait()
        phones.ben { $0.peripheral?.discoverServices(nil) }
        phones.wait()
        phones.ann { $0.manager?.removeAllServices() }
        phones.wait()
        phones.ben {
            #expect($0.characteristic("1111") == nil)
            $0.peripheral?.discoverServices(nil)
        }
        phones.wait()
        #expect(
            phones.heard == [
                "3000 ann didAdd BBBB", "3000 ann didStartAdvertising alreadyAdvertising",
                "3015 ben didModifyServices []", "4120 ben services [AAAA, BBBB]",
                "4120 ben characteristics of AAAA [1111]",
                "4180 ben characteristics of BBBB [2222]", "5015 ben didModifyServices [AAAA]",
                "5045 ben didModifyServices [BBBB]", "6090 ben services []",
            ])
    }

    @Test func oneWithoutANameIsAskedForIt() throws {
        let phones = try TwoPhones()
        phones.ann {
            $0.manager?.startAdvertising([
                CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "AAAA")]
            ])
        }
        phones.ben { $0.manager?.scanForPeripherals(withServices: nil) }
        phones.wait()
        #expect(
            phones.heard == [
                "0 ann state poweredOn", "0 ben state poweredOn", "0 ann didStartAdvertising",
                "100 ben didDiscover nil [AAAA] []", "200 ben didConnect nil", "290 ben named ann",
                "380 ben services []",
            ])
    }

    // MARK: Advertising

    @Test func inTheBackgroundOnlyWhoScansForAServiceFindsIt() throws {
        let phones = try TwoPhones()
        phones.system(0) { $0.isForeground = false }
        phones.ann { $0.publish("AAAA", []) }
        phones.ben { $0.manager?.scanForPeripherals(withServices: [CBUUID(string: "BBBB")]) }
        phones.wait()
        phones.ben {
            $0.manager?.scanForPeripherals(
                withServices: ["BBBB", "AAAA"].map { CBUUID(string: $0) })
        }
        phones.wait()
        #expect(
            phones.heard == [
                "0 ann state poweredOn", "0 ben state poweredOn", "0 ann didAdd AAAA",
                "0 ann didStartAdvertising", "1100 ben didDiscover nil [] [AAAA]",
                "1200 ben didConnect nil", "1290 ben named ann", "1410 ben services [AAAA]",
                "1500 ben characteristics of AAAA []",
            ])
    }

    @Test(arguments: [
        // A name gets what services of 16 and of 128 bits leave of 28 bytes.
        (["AAAA"], "0123456789-0123456789-"), ([long], "01234567"),
        // Where they leave nothing it gets ten bytes of the scan response, or what the overflow area leaves of it.
        (["AAAA", "BBBB", "CCCC", long], "0123456789"), ([long, other], "01234567"),
    ])
    func aNameIsCutToWhatServicesLeave(_ services: [String], _ name: String) throws {
        let phones = try TwoPhones()
        phones.ann {
            $0.manager?.startAdvertising([
                CBAdvertisementDataLocalNameKey: "0123456789-0123456789-0123456789",
                CBAdvertisementDataServiceUUIDsKey: services.map { CBUUID(string: $0) },
                CBAdvertisementDataTxPowerLevelKey: NSNumber(value: 4),
            ])
        }
        phones.ben {
            $0.manager?.scanForPeripherals(withServices: services.map { CBUUID(string: $0) })
        }
        phones.wait()
        let advertised = phones.ben?.advertised
        #expect(advertised?[CBAdvertisementDataLocalNameKey] as? String == name)
        #expect(advertised?[CBAdvertisementDataTxPowerLevelKey] == nil)
        let keys = [CBAdvertisementDataServiceUUIDsKey, CBAdvertisementDataOverflowServiceUUIDsKey]
        let found = keys.flatMap { advertised?[$0] as? [CBUUID] ?? [] }
        #expect(found.map(\.uuidString) == services)
    }

    private static let long = "2E938FD0-6A61-11ED-A1EB-0242AC120002"
    private static let other = "2E938FD1-6A61-11ED-A1EB-0242AC120002"

    @Test func whoIsConnectedCanBeFoundByOthers() throws {
        let phones = try TwoPhones()
        phones.connect()
        phones.ann {
            #expect($0.manager?.isAdvertising == true)
            $0.manager?.startAdvertising(nil)
        }
        phones.ben { $0.manager?.scanForPeripherals(withServices: nil) }
        phones.wait()
        phones.ann {
            $0.manager?.stopAdvertising()
            #expect($0.manager?.isAdvertising == false)
        }
        phones.ben { $0.manager?.scanForPeripherals(withServices: nil) }
        phones.wait()
        #expect(
            phones.heard == [
                "3000 ann didStartAdvertising alreadyAdvertising",
                "3100 ben didDiscover Ann [AAAA] []",
            ])
    }

    @Test func bluetoothOffEndsLinksAndAdvertisingGoesOnAfterwards() throws {
        let phones = try TwoPhones()
        phones.connect(characteristic("1111", .read, .readable, value: [1]))
        phones.system(0) { $0.setPower(false) }
        phones.wait()
        phones.ann {
            #expect($0.manager?.isAdvertising == false)
            $0.manager?.startAdvertising(nil)
        }
        phones.system(0) { $0.setPower(true) }
        phones.ben { $0.manager?.scanForPeripherals(withServices: nil) }
        phones.wait()
        #expect(phones.chamber.logs.contains { $0.contains("API MISUSE: startAdvertising") })
        #expect(
            phones.heard == [
                "3000 ann state poweredOff", "3030 ben didDisconnect peripheralDisconnected",
                "4000 ann state poweredOn", "4100 ben didDiscover Ann [AAAA] []",
                "4200 ben didConnect Ann", "4350 ben services [AAAA]",
                "4470 ben characteristics of AAAA [1111]",
            ])
    }

    @Test func aManagerThatIsLetGoTakesItsServicesAlong() throws {
        let phones = try TwoPhones()
        phones.connect(characteristic("1111", .read))
        weak let manager = phones.ann?.manager
        phones.letGoOfAnn()
        #expect(manager == nil)
        phones.ben { $0.read("1111") }
        phones.wait()
        #expect(
            phones.heard == [
                "3015 ben didModifyServices [AAAA]", "3030 ben value 1111 [] ATT 1",
            ])
    }

    @Test func anAppIsBothAtOnce() throws {
        let phones = try TwoPhones()
        phones.connect(characteristic("1111", .write))
        var other: PeripheralApp?
        phones.ben { _ in
            other = PeripheralApp { _ in }
            #expect(other?.manager?.state == .unknown)
        }
        phones.ben { _ in other?.publish("BBBB", []) }
        phones.ben { $0.write([1], to: "1111") }
        phones.wait()
        #expect(other?.manager?.isAdvertising == true)
        #expect(
            phones.heard == [
                "3015 ann didReceiveWrite 1111 from 0 1 bytes", "3030 ben wrote 1111",
            ])
    }

    // MARK: Restoration

    @Test func managersThatAreRestoredGoOnWhereTheOldOnesWere() throws {
        let phones = try TwoPhones()
        phones.connect(characteristic("1111", .read))
        phones.relaunch()
        phones.wait()
        phones.ann { $0.value = [4] }
        phones.ben { $0.read("1111") }
        phones.wait()
        #expect(
            phones.heard == [
                "3000 ann willRestoreState [\"kCBRestoredAdvertisement\", \"kCBRestoredServices\"]",
                "3000 ann state poweredOn",
                "3000 ben willRestoreState [\"kCBRestoredPeripherals\"]",
                "3000 ben state poweredOn", "4015 ann didReceiveRead 1111 from 0",
                "4030 ben value 1111 [4]",
            ])
    }
}
