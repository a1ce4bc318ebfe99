import AccessoryFirmware
import AccessoryProtocol
import DeviceKit
import TestSupport
import Testing
import Vocabulary

/// Every defect shows at the device itself, beside what the healthy accessory does.
@Suite struct DefectTests {
    @Test func reusedConfiguration() throws {
        let bench = try Bench(defects: [.reusedConfiguration])
        bench.connect()
        let first = bench.range()
        #expect(bench.say(stop) == [didStop])
        #expect(bench.say(initialize) == [[0x01] + first])
        _ = bench.say(configureAndStart)
        #expect(bench.ranging == [2])
    }

    @Test func stopAnswersDidStart() throws {
        let bench = try Bench(defects: [.stopAnswersDidStart])
        bench.connect()
        bench.range()
        #expect(bench.say(stop) == [didStart])
        #expect(bench.ranging == [])
    }

    @Test func ignoresInitializeWhileRanging() throws {
        let bench = try Bench(defects: [.ignoresInitializeWhileRanging])
        bench.connect()
        bench.range()
        #expect(bench.say(initialize) == [])
        #expect(bench.ranging == [1])
    }

    @Test func silentRejection() throws {
        let bench = try Bench(
            "qorvo", [Pair("start-failure", "at-once")], defects: [.silentRejection])
        bench.connect()
        _ = bench.say(initialize)
        #expect(bench.say(configureAndStart) == [])
        #expect(bench.notes == ["accessory.rejected: the radio refused at once"])
    }

    @Test(arguments: [([AccessoryDefect](), [didStop, [0x01]]), ([.lostRequest], [didStop])])
    func lostRequest(defects: [AccessoryDefect], answers: [[UInt8]]) throws {
        let bench = try Bench(defects: defects)
        bench.connect()
        bench.write(stop)
        bench.write(initialize)
        bench.pass(.milliseconds(4))
        #expect(bench.heard().map { $0[0] } == answers.map { $0[0] })
        #expect(bench.say(initialize).count == 1)
    }

    @Test func rangesAfterDisconnect() throws {
        let bench = try Bench(defects: [.rangesAfterDisconnect])
        bench.connect()
        bench.range()
        bench.disconnect()
        #expect(bench.ranging == [1])
        bench.connect()
        bench.range()
        #expect(bench.say(stop) == [didStop])
        #expect(bench.ranging == [1])
    }

    @Test func startsAfterStop() throws {
        let bench = try Bench(
            "qorvo", [Pair("start-delay", "100000000")], defects: [.startsAfterStop])
        bench.connect()
        _ = bench.say(initialize)
        _ = bench.say(configureAndStart)
        #expect(bench.say(stop) == [didStop])
        #expect(bench.radio == [])
        bench.pass(.seconds(1))
        #expect(bench.radio.count == 1)
    }

    @Test func advertisesOnce() throws {
        let bench = try Bench("multi", defects: [.advertisesOnce])
        bench.connect()
        bench.disconnect()
        bench.pass(.seconds(60))
        #expect(bench.controller.filter(\.isAdvertising).count == 1)
    }

    @Test func didStartWithoutRadio() throws {
        let bench = try Bench(defects: [.didStartWithoutRadio])
        bench.connect()
        _ = bench.say(initialize)
        #expect(bench.say(configureAndStart) == [didStart])
        bench.startRadio(status: 1)
        #expect(bench.heard() == [])
    }

    @Test func doubleDidStart() throws {
        let bench = try Bench(defects: [.doubleDidStart])
        bench.connect()
        _ = bench.say(initialize)
        _ = bench.say(configureAndStart)
        bench.startRadio()
        #expect(bench.heard() == [didStart, didStart])
        _ = bench.say(initialize)
        _ = bench.say(configureAndStart)
        bench.startRadio(status: 1)
        #expect(bench.heard() == [didStop, didStart])
    }

    @Test func replayedStart() throws {
        let bench = try Bench(defects: [.replayedStart])
        bench.connect()
        bench.range()
        _ = bench.say(configureAndStart)
        #expect(bench.ranging == [1, 2])
    }

    @Test func replaysAtMalformed() throws {
        let bench = try Bench(defects: [.replaysAtMalformed])
        bench.connect()
        bench.range()
        _ = bench.say([])
        #expect(bench.ranging == [1, 2])
    }

    @Test func stopAcknowledgedThoughRunning() throws {
        let bench = try Bench(defects: [.stopAcknowledgedThoughRunning])
        bench.connect()
        bench.range()
        #expect(bench.say(stop) == [didStop])
        #expect(bench.ranging == [1])
        bench.disconnect()
        #expect(bench.ranging == [])
    }

    @Test func configurationErasedAfterStart() throws {
        let bench = try Bench(defects: [.configurationErasedAfterStart, .unencryptedConfiguration])
        bench.connect()
        let handle = bench.handle(of: NearbyInteractionService.singleConfigurationData)
        let configuration = bench.say(initialize)[0].dropFirst()
        #expect(bench.att([0x0A] + handle.bytes) == [0x0B] + configuration)
        _ = bench.say(configureAndStart)
        #expect(bench.att([0x0A] + handle.bytes) == [0x0B] + Array(repeating: 0, count: 50))
    }

    @Test func unencryptedConfiguration() throws {
        let bench = try Bench(defects: [.unencryptedConfiguration])
        bench.connect()
        let handle = bench.handle(of: NearbyInteractionService.singleConfigurationData)
        #expect(bench.att([0x0A] + handle.bytes) == [0x0B])
    }

    @Test func badSupervision() throws {
        let bench = try Bench(defects: [.badSupervision])
        bench.connect()
        bench.pass(.seconds(5))
        #expect(bench.signals() == [bytes("12 01 0800 1400 C800 0600 4006")])
        bench.refuseParameters(identifier: 1)
        bench.pass(.seconds(30))
        #expect(bench.signals() == [bytes("12 02 0800 1400 C800 0600 4006")])
        bench.refuseParameters(identifier: 2)
        #expect(bench.controller.last == .disconnect(handle: 1, reason: 0x3B))
    }

    @Test func notifiesWrongLink() throws {
        let bench = try Bench("multi", defects: [.notifiesWrongLink])
        bench.connect(1)
        bench.connect(2)
        #expect(bench.say(initialize, 1) == [])
        #expect(bench.heard(2).count == 1)
    }

    @Test func stopStopsEveryone() throws {
        let bench = try Bench("multi", defects: [.stopStopsEveryone])
        for phone in 1...2 as ClosedRange<UInt16> {
            bench.connect(phone)
            bench.range(phone)
        }
        #expect(bench.say(stop, 1) == [didStop])
        #expect(bench.ranging == [])
        #expect(bench.heard(2) == [])
    }

    /// What a defect changes in configuration data, and from which byte; all before it stays.
    @Test(
        arguments: [
            (.bigEndianVersion, 0, bytes("0001 0000")), (.reservedUpdateRate, 4, [15]),
            (.fillsReservedBytes, 5, Array(repeating: 0xFF, count: 10)),
            (.padsConfiguration, 37, Array(repeating: 0, count: 27)), (.noUWBData, 15, [0]),
        ] as [(AccessoryDefect, Int, [UInt8])])
    func spoiltConfiguration(defect: AccessoryDefect, offset: Int, bytes: [UInt8]) throws {
        let healthy = try Bench()
        let spoilt = try Bench(defects: [defect])
        for bench in [healthy, spoilt] { bench.connect() }
        let right = healthy.say(initialize)[0].dropFirst()
        let wrong = spoilt.say(initialize)[0].dropFirst()
        #expect(wrong.dropFirst(offset).prefix(bytes.count) == bytes[...])
        #expect(wrong.prefix(offset) == right.prefix(offset))
    }

    @Test func doubleConfiguration() throws {
        let bench = try Bench(defects: [.doubleConfiguration])
        bench.connect()
        let answers = bench.say(initialize)
        #expect(answers.map { $0[0] } == [0x01, 0x01])
        #expect(answers.first == answers.last)
    }

    @Test func rangesUnasked() throws {
        let bench = try Bench(defects: [.rangesUnasked])
        bench.connect()
        _ = bench.say(initialize)
        #expect(bench.ranging == [1])
        bench.startRadio()
        #expect(bench.heard() == [])
        _ = bench.say(configureAndStart)
        bench.startRadio()
        #expect(bench.say(stop) == [didStart, didStop])
        #expect(bench.ranging == [1])
    }

    @Test func multipleOnly() throws {
        let single = NearbyInteractionService.singleConfigurationData
        let parameters = [Pair("multiples", "1")]
        for (defects, isInside) in [([], true), ([.multipleOnly], false)]
            as [([AccessoryDefect], Bool)]
        {
            let bench = try Bench("qorvo", parameters, defects: defects)
            bench.connect()
            let service = NearbyInteractionService.service.bytes
            let found = bench.att([0x06, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28] + service)
            let start = UInt16(found[1]) | UInt16(found[2]) << 8
            #expect((bench.handle(of: single) > start) == isInside)
        }
    }

    @Test func unreadableService() throws {
        let bench = try Bench(defects: [.unreadableService])
        bench.connect()
        let handle = bench.handle(of: NearbyInteractionService.singleConfigurationData)
        #expect(bench.att([0x0A] + handle.bytes) == [0x01, 0x0A] + handle.bytes + [0x02])
    }

    @Test func aHealthyStopEndsTheOwnSessionOnly() throws {
        let bench = try Bench("multi")
        for phone in 1...2 as ClosedRange<UInt16> {
            bench.connect(phone)
            bench.range(phone)
        }
        #expect(bench.say(stop, 1) == [didStop])
        #expect(bench.ranging == [2])
    }
}
