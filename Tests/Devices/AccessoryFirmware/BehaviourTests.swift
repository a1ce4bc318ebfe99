import AccessoryFirmware
import DeviceKit
import TestSupport
import Testing

/// What parameters change.
@Suite struct BehaviourTests {
    @Test func aStartThatFailsAtOnceIsAnsweredByDidStop() throws {
        let bench = try Bench("qorvo", [Pair("start-failure", "at-once")])
        bench.connect()
        _ = bench.say(initialize)
        #expect(bench.say(configureAndStart) == [didStop])
        #expect(bench.radio == [])
    }

    @Test func aStartCanFailLaterThanTheAcknowledgement() throws {
        let bench = try Bench(
            "qorvo",
            [
                Pair("acknowledge", "accepted"), Pair("start-failure", "later"),
                Pair("start-delay", "500000000"),
            ])
        bench.connect()
        _ = bench.say(initialize)
        #expect(bench.say(configureAndStart) == [didStart])
        bench.pass(.milliseconds(499))
        #expect(bench.heard() == [])
        bench.pass(.milliseconds(1))
        #expect(bench.heard() == [didStop])
        #expect(bench.radio == [])
    }

    @Test func onlySoManyStartsFail() throws {
        let bench = try Bench(
            "qorvo", [Pair("start-failure", "at-once"), Pair("start-failures", "2")])
        bench.connect()
        for _ in 1...2 {
            _ = bench.say(initialize)
            #expect(bench.say(configureAndStart) == [didStop])
        }
        bench.range()
        #expect(bench.ranging == [1])
    }

    @Test func aDelayedStartIsForgottenByAStop() throws {
        let bench = try Bench("qorvo", [Pair("start-delay", "100000000")])
        bench.connect()
        _ = bench.say(initialize)
        _ = bench.say(configureAndStart)
        #expect(bench.say(stop) == [didStop])
        bench.pass(.seconds(1))
        #expect(bench.radio == [])
    }

    @Test func comingNearIsNotifiedOnce() throws {
        let bench = try Bench("qorvo", [Pair("notify-distance", "1000")])
        bench.connect()
        bench.range()
        for distance in [3000, 900, 800, 1000, 500] as [UInt32] {
            bench.give(
                .uwb(
                    .round(
                        session: 1,
                        UWBMeasurement(
                            distance: distance, azimuth: nil, elevation: nil, isLineOfSight: true)))
            )
        }
        #expect(bench.heard() == [bytes("2F 06 09 6E656172"), bytes("2F 06 05 6E656172")])
    }

    @Test func theConnectionIsAskedForOnceWhereAccepted() throws {
        let bench = try Bench()
        bench.connect()
        bench.pass(.seconds(5))
        #expect(bench.signals() == [bytes("12 01 0800 1800 2400 0400 F401")])
        bench.send(bytes("0600 0500 13 01 0200 0000"))
        bench.pass(.seconds(60))
        #expect(bench.signals() == [])
    }

    @Test func twoRefusalsOfTheConnectionAreBorne() throws {
        let bench = try Bench()
        bench.connect()
        for identifier in 1...2 as ClosedRange<UInt8> {
            bench.pass(.seconds(30))
            #expect(bench.signals().count == 1)
            bench.refuseParameters(identifier: identifier)
        }
        bench.pass(.seconds(120))
        #expect(bench.signals() == [])
        #expect(bench.say(initialize).count == 1)
    }

    @Test func fivePhonesFindItAndASixthDoesNot() throws {
        let bench = try Bench("multi")
        for phone in 1...5 as ClosedRange<UInt16> {
            #expect(bench.controller.last?.isAdvertising == true)
            let count = bench.controller.count
            bench.connect(phone)
            #expect(bench.controller.count == (phone < 5 ? count + 1 : count))
        }
        bench.disconnect(3)
        #expect(bench.controller.last?.isAdvertising == true)
    }

    @Test func aPhoneThatLeavesTakesItsMessagesAlong() throws {
        let bench = try Bench("multi")
        bench.connect(1)
        bench.connect(2)
        bench.write(initialize, 1)
        bench.write(initialize, 2)
        bench.disconnect(1)
        bench.connect(1)
        bench.pass(.milliseconds(4))
        #expect(bench.heard(1) == [])
        #expect(bench.heard(2).count == 1)
    }

    @Test func aPhoneThatConnectsAsBluetoothGoesOffKeepsNobodyOut() throws {
        let bench = try Bench()
        bench.give(.command(name: "bluetooth", arguments: [Pair("power", "off")]))
        bench.connect(subscribes: false)
        #expect(bench.controller.last == .disconnect(handle: 1, reason: 0x15))
        bench.give(.command(name: "bluetooth", arguments: [Pair("power", "on")]))
        bench.disconnect(reason: 0x16)
        #expect(bench.controller.last?.isAdvertising == true)
    }

    @Test func nothingKeepsItAliveAfterItsRun() throws {
        weak var accessory: Accessory?
        do {
            let bench = try Bench()
            accessory = bench.accessory
            bench.connect()
            bench.range()
            bench.pass(.seconds(5))
        }
        #expect(accessory == nil)
    }

    @Test(arguments: [("1.0", 36), ("1.1", 38), ("2.0", 49)])
    func theVersionDecidesTheLength(version: String, length: Int) throws {
        let bench = try Bench("qorvo", [Pair("uwb-version", version)])
        bench.connect()
        #expect(bench.say(initialize).map(\.count) == [length])
    }
}

extension Bench {
    /// The phone answers a connection parameter request: no.
    func refuseParameters(identifier: UInt8) {
        send([0x06, 0, 0x05, 0, 0x13, identifier, 0x02, 0, 0x01, 0])
    }
}
