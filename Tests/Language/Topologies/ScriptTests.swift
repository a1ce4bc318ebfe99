import Basics
import DeviceLink
import Promises
import Scenarios
import Testing
import Traces
import YAML

/// What `steps:`, `faults:` and `expect:` can say.
struct ScriptTests {
    private static let pair = DevicePair("ben", "lock")

    @Test(
        arguments: [
            ("disconnect: [ben, lock]", .pair(pair, .disconnect(reason: 0x13))),
            ("disconnect: [ben, lock], reason: 0x08", .pair(pair, .disconnect(reason: 8))),
            (
                "loss: [ben, lock], ratio: 1/4, for: 2s",
                .pair(pair, .loss(Ratio(1, 4), duration: .seconds(2)))
            ),
            (
                "uwb-loss: [ben, lock], ratio: 1/3",
                .pair(pair, .uwbLoss(Ratio(1, 3), duration: nil))
            ),
            (
                "busy: lock, by: 20ms, for: 1s",
                .device("lock", .busy(by: .milliseconds(20), duration: .seconds(1)))
            ),
            (
                "delay: [ben, lock], by: 100ms",
                .pair(pair, .delay(by: .milliseconds(100), duration: nil))
            ),
            ("throttle: [ben, lock], to: 1", .pair(pair, .throttle(to: 1, duration: nil))),
            ("hold: [lock, ben]", .pair(DevicePair("lock", "ben"), .hold)),
            ("release: [lock, ben]", .pair(DevicePair("lock", "ben"), .release)),
            ("partition: [ben, lock]", .pair(pair, .partition(oneWay: false, duration: nil))),
            (
                "partition: [ben, lock], one-way: true",
                .pair(pair, .partition(oneWay: true, duration: nil))
            ),
            ("repair: [ben, lock]", .pair(pair, .repair)),
            ("obstruct: [ben, lock]", .pair(pair, .obstruct(on: true))),
            ("clear: [ben, lock]", .pair(pair, .obstruct(on: false))),
            (
                "move: ben, to: [1m, 2m, 3m], over: 2s",
                .device("ben", .move(to: Position(x: 1_000, y: 2_000, z: 3_000), over: .seconds(2)))
            ),
            (
                "turn: ben, to: -90deg, pitch: 10.5deg, over: 1s",
                .device("ben", .turn(heading: -9_000, pitch: 1_050, over: .seconds(1)))
            ),
            ("rotate: ben, to: landscape", .device("ben", .rotate(isUpright: false))),
            ("light: ben, to: 20", .device("ben", .light(lux: 20))),
            ("refuse-uwb: lock, count: 3", .device("lock", .refuseUWB(count: 3, status: 1))),
            ("refuse-uwb: lock, status: 17", .device("lock", .refuseUWB(count: 1, status: 17))),
            ("kill: lock", .device("lock", .kill(afterAnswers: 0))),
            ("kill: lock, after-answers: 2", .device("lock", .kill(afterAnswers: 2))),
            ("restart: lock", .device("lock", .restart)),
            ("freeze: lock", .device("lock", .freeze)),
            ("thaw: lock", .device("lock", .thaw)),
            ("garble: lock", .device("lock", .corrupt(message: nil, .garbage, count: 1))),
            (
                "truncate: lock, to: 5",
                .device("lock", .corrupt(message: nil, .truncate(to: 5), count: 1))
            ),
            (
                "extend: lock, by: 40",
                .device("lock", .corrupt(message: nil, .extend(by: 40), count: 1))
            ),
            (
                "corrupt: ben, message: initialize, count: 2",
                .device("ben", .corrupt(message: "initialize", .flip, count: 2))
            ),
        ] as [(String, Verb)])
    func aFaultIsAVerb(said: String, verb: Verb) throws {
        let read = try topology(phoneAndLock("steps:\n  - {at: 3s, \(said)}"))
        #expect(
            read.steps == [
                Step(
                    moment: .at(.seconds(3)), verb: verb, text: said,
                    source: SourcePosition(line: 3, column: 5))
            ])
    }

    @Test(
        arguments: [
            ("background: ben", "background", []), ("foreground: ben", "foreground", []),
            ("lock: ben", "lock", []), ("unlock: ben", "unlock", []),
            ("suspend: ben", "suspend", []), ("resume: ben", "resume", []),
            ("allow: ben", "permission", [Pair("answer", "allow")]),
            ("deny: ben", "permission", [Pair("answer", "deny")]),
            ("bluetooth-off: ben", "bluetooth", [Pair("power", "off")]),
            ("bluetooth-on: ben", "bluetooth", [Pair("power", "on")]),
            ("bluetooth-reset: ben", "bluetooth", [Pair("power", "reset")]),
            ("terminate: ben", "terminate", []), ("launch: ben", "launch", []),
            ("jetsam: ben", "jetsam", []),
            ("start: ben", "start", []),
            ("stop: ben, peer: lock", "stop", [Pair("peer", "lock")]),
            (
                "invalidate: ben, peer: lock, error: resourceUsageTimeout", "invalidate",
                [Pair("peer", "lock"), Pair("error", "resourceUsageTimeout")]
            ),
            ("peer-ended: ben", "peer-ended", []),
            ("exhaust: ben", "exhaust", [Pair("on", "true")]),
            ("replenish: ben", "exhaust", [Pair("on", "false")]),
        ] as [(String, String, [Pair])])
    func aCommandIsAVerb(said: String, name: String, arguments: [Pair]) throws {
        let read = try topology(phoneAndLock("steps:\n  - {at: 3s, \(said)}"))
        #expect(
            read.steps.map(\.verb) == [.device("ben", .command(name: name, arguments: arguments))])
        #expect(read.steps.map(\.text) == [said])
    }

    @Test func somebodyElsesProgramUnderstandsAnyCommand() throws {
        let read = try topology(
            """
            devices: {mine: {run: ./firmware}}
            steps: [{at: 1s, command: mine, name: open, arguments: {door: 3, slowly: true}}]
            """)
        let arguments = [Pair("door", "3"), Pair("slowly", "true")]
        #expect(
            read.steps.map(\.verb) == [
                .device("mine", .command(name: "open", arguments: arguments))
            ])
    }

    @Test(arguments: [
        ("freeze: lock", "thaw: lock"), ("kill: lock", "restart: lock"),
        ("hold: [lock, ben]", "release: [lock, ben]"),
        ("obstruct: [ben, lock]", "clear: [ben, lock]"), ("suspend: ben", "resume: ben"),
        ("background: ben", "foreground: ben"), ("lock: ben", "unlock: ben"),
        ("bluetooth-off: lock", "bluetooth-on: lock"), ("terminate: ben", "launch: ben"),
        ("jetsam: ben", "launch: ben"), ("exhaust: ben", "replenish: ben"),
    ])
    func forIsAStepThatUndoesTheFirst(said: String, undone: String) throws {
        let short = try topology(phoneAndLock("steps: [{at: 3s, \(said), for: 2s}]"))
        let long = try topology(phoneAndLock("steps: [{at: 3s, \(said)}, {at: 5s, \(undone)}]"))
        #expect(short.steps.map(\.verb) == long.steps.map(\.verb))
        #expect(short.steps.map(\.moment) == long.steps.map(\.moment))
        #expect(short.steps.map(\.text) == [said, undone])
    }

    @Test func whenWaitsForAnEvent() throws {
        let read = try topology(
            phoneAndLock(
                """
                steps:
                  - {when: link.up on lock, kill: lock}
                  - {when: ni.didUpdate with distance < 1m, after: 1ms, skip: 2, times: 3, suspend: ben}
                  - {when: link.down, times: always, kill: lock, after-answers: 1}
                """))
        let update = EventPattern(
            kind: "ni.didUpdate",
            conditions: [.init(field: "distance", comparison: .less, value: 1_000)])
        #expect(
            read.steps.map(\.moment) == [
                .when(EventPattern(kind: "link.up", device: "lock"), after: 0, skip: 0, times: 1),
                .when(update, after: .milliseconds(1), skip: 2, times: 3),
                .when(EventPattern(kind: "link.down"), after: 0, skip: 0, times: .max),
            ])
        #expect(
            read.steps.map(\.text) == [
                "kill: lock", "suspend: ben", "kill: lock, after-answers: 1",
            ])
    }

    @Test func everyStandsForAllOfAGroup() throws {
        let read = try topology(
            """
            devices:
              ben: {model: iPhone 15}
              tag: {profile: qorvo, count: 3}
            steps:
              - {at: 1s, kill: every tag}
              - {at: 2s, partition: [ben, every tag], for: 1s}
            """)
        #expect(
            read.steps.map(\.text) == [
                "kill: tag-1", "kill: tag-2", "kill: tag-3",
                "partition: [ben, tag-1], for: 1s", "partition: [ben, tag-2], for: 1s",
                "partition: [ben, tag-3], for: 1s",
            ])
    }

    @Test func faultsAtRandomHaveARatioEach() throws {
        let read = try topology(
            phoneAndLock(
                """
                length: 20s
                faults:
                  between: 1s..20s
                  swarm: true
                  heal: true
                  disconnect: {ratio: 1/20}
                  freeze: {ratio: 1/50, for: 200ms..2s, devices: [lock]}
                  suspend: {ratio: 1%, for: 3s}
                  bluetooth: {ratio: 0}
                """))
        let both = ["ben", "lock"]
        #expect(
            read.randomFaults
                == RandomFaults(
                    between: .seconds(1)...Nanoseconds.seconds(20),
                    rates: [
                        .init(
                            kind: "disconnect", ratio: Ratio(1, 20), duration: 0...0, devices: both),
                        .init(
                            kind: "freeze", ratio: Ratio(1, 50),
                            duration: .milliseconds(200)...Nanoseconds.seconds(2),
                            devices: ["lock"]),
                        .init(
                            kind: "suspend", ratio: Ratio(1, 100),
                            duration: .seconds(3)...Nanoseconds.seconds(3), devices: ["ben"]),
                        .init(
                            kind: "bluetooth", ratio: Ratio(0, 1),
                            duration: .milliseconds(500)...Nanoseconds.seconds(2), devices: both),
                    ], isSwarm: true, heals: true))
    }

    @Test(
        arguments: [
            ("eventually: link.up", .existence([[EventPattern(kind: "link.up")]])),
            (
                "eventually within 10s: link.up",
                .existence(
                    [[EventPattern(kind: "link.up")]], within: Property.TimeBound(.seconds(10)))
            ),
            ("never: ni", .never([EventPattern(kind: "ni")])),
            (
                "exactly 2: link.up",
                .count([EventPattern(kind: "link.up")], range: 2...2, over: nil)
            ),
            (
                "at least 2: link.up",
                .count([EventPattern(kind: "link.up")], range: 2...Int.max, over: nil)
            ),
            (
                "at most 2: link.up",
                .count([EventPattern(kind: "link.up")], range: 0...2, over: nil)
            ),
            (
                "in order: [link.up, link.down]",
                .existence([[EventPattern(kind: "link.up")], [EventPattern(kind: "link.down")]])
            ),
            (
                "in order within 5s: [link.up, link.down]",
                .existence(
                    [[EventPattern(kind: "link.up")], [EventPattern(kind: "link.down")]],
                    within: Property.TimeBound(.seconds(5)))
            ),
        ] as [(String, Property.Body)])
    func anExpectationIsASentence(said: String, body: Property.Body) throws {
        let read = try topology(phoneAndLock("expect:\n  - \(said)"))
        #expect(
            read.expectations == [
                Scenarios.Expectation(
                    Property("expected in line 3", body: body), text: said,
                    source: SourcePosition(line: 3, column: 5))
            ])
    }

    @Test func everyMakesAnExpectationForEach() throws {
        let read = try topology(
            """
            devices:
              phone: {model: iPhone 15, count: 2}
              tag: {profile: qorvo, count: 2}
            expect:
              - never: ni.didUpdate on every phone with peer = every tag
              - in order: [link.up on every tag, link.down on every tag]
            """)
        #expect(
            read.expectations.map(\.text) == [
                "never: ni.didUpdate on phone-1 with peer = tag-1",
                "never: ni.didUpdate on phone-1 with peer = tag-2",
                "never: ni.didUpdate on phone-2 with peer = tag-1",
                "never: ni.didUpdate on phone-2 with peer = tag-2",
                "in order: [link.up on tag-1, link.down on tag-1]",
                "in order: [link.up on tag-2, link.down on tag-2]",
            ])
    }

    @Test(arguments: [
        "expect: violated quiet", "expect: [violated quiet]", "expect: [violated: quiet]",
        "expect:\n  - violated: quiet",
    ])
    func aPromiseToBeBrokenIsNoExpectation(said: String) throws {
        let read = try topology(phoneAndLock(said))
        #expect(read.mustViolate == ["quiet"])
        #expect(read.expectations.isEmpty)
    }

    @Test func somebodyElsesProgramMayObserveWhatItLikes() throws {
        let read = try topology(
            """
            devices: {mine: {run: ./firmware}}
            expect: [eventually: motor.started on mine with speed > 3]
            """)
        #expect(
            read.expectations.map(\.text) == ["eventually: motor.started on mine with speed > 3"])
    }
}
