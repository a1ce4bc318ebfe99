import Testing

/// Files with several mistakes: an author sees all of them at once, and none that follows from another.
struct ManyMistakesTests {
    @Test func allMistakesAreToldInTheOrderOfTheFile() {
        expect(
            """
            length: 20
            devices: {ben: {model: iPhone 15}, lock: {profile: qorva}}
            steps:
              - {at: 3, kill: lock}
              - {at: 1s, kill: dor}
            """,
            isRefusedWith: """
                t.yaml:1:9: error: `20` has no unit
                 1 | length: 20
                   |         ^~
                expected: a number and ns, us, ms, s or min, like 200ms

                t.yaml:2:52: error: `profile` cannot be `qorva`
                 2 | devices: {ben: {model: iPhone 15}, lock: {profile: qorva}}
                   |                                                    ^~~~~
                expected: qorvo, multi
                did you mean: qorvo

                t.yaml:4:10: error: `3` has no unit
                 4 |   - {at: 3, kill: lock}
                   |          ^
                expected: a number and ns, us, ms, s or min, like 200ms

                t.yaml:5:20: error: there is no device `dor`
                 5 |   - {at: 1s, kill: dor}
                   |                    ^~~
                expected: ben, lock
                """)
    }

    @Test func whoNamesADeviceWithAMistakeIsNotWrong() {
        expect(
            """
            devices: {ben: {model: iPhone 15, heading: x}, lock: {profile: qorvo}}
            steps: [{at: 1s, disconnect: [ben, lock]}, {at: 2s, background: ben}]
            expect: [eventually: ni.didUpdate on ben]
            """,
            isRefusedWith: """
                t.yaml:1:44: error: `heading` cannot be `x`
                 1 | devices: {ben: {model: iPhone 15, heading: x}, lock: {profile: qorvo}}
                   |                                            ^
                expected: a number and deg, like 60deg
                """)
    }

    @Test func aPromiseWithAMistakeIsAPromise() {
        expect(
            phoneAndLock(
                """
                promises: [{promise: mine, never: link.dwon}]
                expect: [violated: mine]
                """),
            isRefusedWith: """
                t.yaml:2:35: error: there is no event `link.dwon`
                 2 | promises: [{promise: mine, never: link.dwon}]
                   |                                   ^~~~~~~~~
                expected: the kind of an event, like link.up or msg.initialize
                did you mean: link.down
                """)
    }

    @Test func ofVeryManyMistakesTwentyAreShown() {
        let steps = (1...25).map { "  - {at: \($0), kill: lock}" }.joined(separator: "\n")
        let words = mistake(in: Array(phoneAndLock("steps:\n" + steps).utf8))
        #expect(words.split(separator: "error:").count == 21)
        #expect(words.hasSuffix("\n\nt.yaml: 5 more mistakes"))
    }
}

/// Patterns that no event can match: what never happens cannot be expected, and not forbidden either.
struct ImpossiblePatternTests {
    @Test(arguments: [
        (
            "ni.didRemove on ben with reason = peer-ended", "`reason` is never `peer-ended`",
            "timeout, peerEnded\ndid you mean: peerEnded"
        ),
        (
            "ni.didInvalidate with error != userDidNotAlow", "`error` is never `userDidNotAlow`",
            "did you mean: userDidNotAllow"
        ),
        (
            "link.down with reason = 0x888", "`reason = 2184` never happens",
            "a number from 0 to 255"
        ),
        (
            "link.down with reason >= 0", "`reason >= 0` is decided whatever happens",
            "a number from 0 to 255"
        ),
        (
            "ni.didInvalidate on lock", "`ni.didInvalidate` never happens on an accessory",
            "`on` an Apple device, or another event"
        ),
        (
            "msg.initialize.received on apple-device",
            "`msg.initialize.received` never happens on an Apple device",
            "`on` an accessory, or another event"
        ),
        (
            "att.sent with pdu = write-reqest", "`pdu` is never `write-reqest`",
            "did you mean: write-request"
        ),
    ])
    func itIsRefused(pattern: String, problem: String, advice: String) {
        let words = mistake(in: Array(phoneAndLock("expect: [never: \(pattern)]").utf8))
        #expect(words.contains("error: \(problem)\n"))
        #expect(words.contains(advice))
    }

    @Test func aValueOfAnotherKindBelowAFamilyIsPossible() throws {
        _ = try topology(phoneAndLock("expect: [never: ni with reason = timeout]"))
        _ = try topology(phoneAndLock("expect: [never: link with reason < 255]"))
    }
}
