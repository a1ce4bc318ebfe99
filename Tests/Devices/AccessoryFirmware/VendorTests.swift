import AccessoryFirmware
import AccessoryProtocol
import DeviceKit
import TestSupport
import Testing

/// What the profiles of vendors do otherwise than the reference.
@Suite struct VendorTests {
    @Test(arguments: ["qni-2.0.5", "qni-3.0.0"])
    func qorvosFirmwareSaysThatItRangesBeforeItsRadioIsOn(profile: String) throws {
        let bench = try Bench(profile)
        bench.connect()
        _ = bench.say(initialize)
        #expect(bench.say(configureAndStart) == [didStart])
    }

    @Test(arguments: ["qni-2.0.5", "qni-3.0.0", "nxp"])
    func whatTheMiddlewareRejectsGetsNoAnswer(profile: String) throws {
        let bench = try Bench(profile)
        bench.connect()
        _ = bench.say(initialize)
        let old = configureAndStart.enumerated().map { $0 == 1 ? 9 : $1 }  // Version 9.
        #expect(bench.say(old) == [])
        #expect(bench.radio.isEmpty)
    }

    @Test func theNearbyInteractionServiceCameWithQNI3() throws {
        for (profile, count) in [("qni-2.0.5", 0), ("qni-3.0.0", 1)] {
            let bench = try Bench(profile)
            bench.connect()
            let single = NearbyInteractionService.singleConfigurationData
            #expect(bench.handles(of: single).count == count)
        }
    }

    @Test func nxpsDemoLooksAtNoLength() throws {
        let bench = try Bench("nxp")
        bench.connect()
        #expect(bench.say(initialize + [1, 2, 3]).count == 1)
        // The last two bytes, the clock drift, are zero then.
        _ = bench.say(configureAndStart.dropLast(2))
        #expect(bench.radio.count == 1)
        #expect(bench.say(stop + [9]) == [didStop])
        #expect(bench.notes.filter { $0.hasPrefix("accessory.error") } == [])
    }

    @Test func elsewhereAByteTooManyIsAnError() throws {
        let bench = try Bench()
        bench.connect()
        #expect(bench.say(initialize + [1]) == [])
        #expect(bench.notes.count == 1)
    }

    @Test func aBeaconAdvertisesEstimotesServiceWithAnIdentifier() throws {
        let bench = try Bench("estimote-like")
        guard case .advertise(_, let data, _) = bench.controller[0] else {
            Issue.record("it does not advertise")
            return
        }
        let identifier = "0000000000 0000000000 C00000000001"
        #expect(data == bytes("020106 03039AFE 14169AFE 00 \(identifier)"))
    }

    @Test func aServiceOfTheTopologysCarriesTheMessages() throws {
        let own = "A0B40001-926D-4D61-98DF-8C5C62EE53B3/A0B4/A0B5"
        let bench = try Bench("qorvo", [Pair("service", "own"), Pair("services", own)])
        bench.connect(subscribes: false)
        #expect(bench.handles(of: 0xA0B4).count == 1)
        #expect(bench.handles(of: QorvoService.receive) == [])
    }

    @Test func withoutServicesThereIsNoneOfTheTopologys() {
        let sentence = #"the parameter "service" is "own", but the topology has no services"#
        #expect(throws: Refusal(sentence)) {
            try Bench("qorvo", [Pair("service", "own")])
        }
    }

    @Test func anEndInBandStopsTheSession() throws {
        let bench = try Bench()
        bench.connect()
        bench.range()
        bench.give(.command(name: "uwb-ended", arguments: [Pair("session", "1")]))
        #expect(bench.heard() == [didStop])
        #expect(bench.ranging == [])
    }
}
