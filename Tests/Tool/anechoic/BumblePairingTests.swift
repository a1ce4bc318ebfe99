import Foundation
import TestSupport
import Testing

/// Pairings with a host that nobody here wrote, Bumble 0.0.236, in each role; its keys last as long as it lives.
@Suite struct BumblePairingTests {
    /// A way to pair: what our accessory is told, what goes over the air, and what others compute of it.
    struct Way: Sendable {
        let name: String
        let accessory: String
        let codes: String
        let recomputed: String

        static let legacy = Way(
            name: "legacy", accessory: "pairing: legacy",
            codes: "01 02 03 03 04 04 06 07 08 09 08 09",
            recomputed: """
                two confirm values and the short-term key agree
                the key of the next link is the one that was given

                """)
        static let secure = Way(name: "secure-connections", accessory: "")
        static let compared = Way(
            name: "compared", accessory: ", pairing-interface: display-yes-no")

        private init(name: String, accessory: String) {
            self.init(
                name: name, accessory: "pairing: secure-connections" + accessory,
                codes: "01 02 0c 0c 03 04 04 0d 0d 08 09 08 09",
                recomputed: "the commitment agrees\nthe key of the next link is the same\n")
        }

        private init(name: String, accessory: String, codes: String, recomputed: String) {
            self.name = name
            self.accessory = accessory
            self.codes = codes
            self.recomputed = recomputed
        }

        /// A lock on Bumble that pairs in this way, and finds its legacy key again.
        var lock: String { Guests.bumble(name == "legacy" ? "legacy-mended" : name) }
        var phone: String { Guests.bumblePhone(name) }
    }

    private static let ours =
        "model: iPhone 15, pairs: true, background-sessions: true, permission: allowed"
    private static let drop = "steps:\n  - {at: 5s, disconnect: [ben, lock]}\n"
    /// On both links the phone reads configuration data that it was also notified of.
    private static let readTwice = """
        expect:
          - in order:
              - gatt.refused on ben with encrypted = false
              - link.encrypted on ben with status = 0
              - gatt.compared on ben with own = true
              - link.down on ben
              - link.encrypted on ben with status = 0
              - gatt.compared on ben with own = true
        """

    @Test(arguments: isWhole ? [Way.secure, .legacy, .compared] : [.secure])
    func aPhoneOfOursPairsWithALockOnBumbleOnceAndRangesTwice(way: Way) throws {
        let guests = try Guests()
        try guests.topology(
            way.lock, phone: Self.ours, length: "12s",
            more: Self.drop + Self.readTwice + """

                  - in order: [app.subscribed on ben, ni.didUpdate on ben, link.down on ben, ni.didUpdate on ben]
                  - exactly 1: system.pairing on ben with digits \(way.name == "compared" ? "> 0" : "= none")
                """)
        try play(guests)
        let pairing = CapturedPairing(
            place: guests.place, run: "out/t/1", publicDevices: ["lock"])
        #expect(try pairing.codes() == way.codes)
        #expect(try pairing.recomputed() == way.recomputed)
    }

    @Test(arguments: isWhole ? [Way.secure, .legacy, .compared] : [.secure])
    func aPhoneOnBumblePairsOnceWithAnAccessoryOfOurs(way: Way) throws {
        let guests = try Guests()
        try guests.topology(
            "profile: qorvo, \(way.accessory)", phone: way.phone, length: "8s",
            more: Self.drop + Self.readTwice)
        try play(guests)
        let pairing = CapturedPairing(
            place: guests.place, run: "out/t/1", publicDevices: ["ben"])
        #expect(try pairing.codes() == way.codes)
        #expect(
            try pairing.recomputed(privateKey: Self.privateKey(in: guests.log(of: "ben")))
                == way.recomputed + way.proof)
    }

    /// Bumble's central gives a key of its own in legacy pairing, too.
    @Test(arguments: isWhole ? [Way.secure, .legacy, .compared] : [.secure])
    func aPhoneOnBumblePairsOnceWithALockOnBumble(way: Way) throws {
        let guests = try Guests()
        try guests.topology(
            way.lock, phone: way.phone, length: "10s", more: Self.drop + Self.readTwice)
        try play(guests)
        let pairing = CapturedPairing(
            place: guests.place, run: "out/t/1", publicDevices: ["ben", "lock"])
        let more = way.name == "legacy" ? " 06 07 08 09" : " 08 09"
        #expect(try pairing.codes() == way.codes.dropLast(6) + more)
        #expect(
            try pairing.recomputed(privateKey: Self.privateKey(in: guests.log(of: "ben")))
                == way.recomputed + way.proof)
    }

    /// Unchanged, it asks its store for the key of the other side (github.com/google/bumble/pull/890).
    @Test func aLockOnBumbleLosesItsLegacyBondAndIsAccused() throws {
        let guests = try Guests()
        try guests.topology(
            Guests.bumble("legacy"), phone: Self.ours, length: "12s", more: Self.drop)
        let outcome = try guests.anechoic("run", "t.yaml")
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("promise bond-kept, kept by the accessory"))
    }

    @Test(.long) func aPairingOfTwoBumblesIsTheSameInTwentyOfTwentyRuns() throws {
        let guests = try Guests()
        try guests.topology(
            Way.secure.lock, phone: Way.secure.phone, length: "10s",
            more: Self.drop + Self.readTwice)
        let outcome = try guests.anechoic(
            "run", "t.yaml", "--seeds", "1..\(isWhole ? 20 : 4)", "--twice", "--quiet")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    /// Its user takes 0.4 s to start, and when the link has dropped meanwhile, it starts on the next one.
    @Test(.enabled(if: isNight)) func aRaceInAPhoneOnBumbleIsFoundShrunkAndNamed() throws {
        let guests = try Guests()
        try guests.topology(
            "profile: qorvo, \(Way.secure.accessory)",
            phone: Guests.bumblePhone("secure-connections", "0.4"), length: "3s",
            more: "steps:\n  - {at: 1990ms, disconnect: [ben, lock]}")
        let search = try guests.anechoic("explore", "t.yaml", "--runs", "20", "--out", "out")
        #expect(search.status == 1, "\(search.output)\(search.errors)")
        let seed = try #require(
            FileManager.default.contentsOfDirectory(atPath: guests.place.path + "/out/t").first {
                Int($0) != nil
            })
        let replay = "out/t/\(seed)/replay.json"
        for _ in 1...100 {
            #expect(try guests.anechoic("replay", replay, "--trust").status == 1)
        }
        let smaller = try guests.anechoic("shrink", replay, "--trust", "--out", "small")
        #expect(
            smaller.output.contains("promise configure-after-configuration, kept by the app")
                && smaller.output.contains(/afters \d+ → 0/), "\(smaller.output)\(smaller.errors)")
        let why = try guests.anechoic("explain", replay, "--trust", "--runs", "20")
        #expect(
            why.output.contains("race: ")
                && why.output.contains("the step \"disconnect: [ben, lock]\""),
            "\(why.output)\(why.errors)")
    }

    private func play(_ guests: Guests) throws {
        let outcome = try guests.anechoic("run", "t.yaml", "--twice")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    private static func privateKey(in log: String) throws -> String {
        String(try #require(log.firstMatch(of: /private key: (\w+)/)).1)
    }
}

extension BumblePairingTests.Way {
    /// What the central's private key proves besides.
    fileprivate var proof: String {
        name == "legacy" ? "" : "two checks and the long-term key agree\n"
    }
}
