import Testing

/// Mistakes in `expect:`, each with all that is printed.
struct ExpectationMistakeTests {
    @Test func aSlipInAnExpectationNamesTheOneThatWasMeant() {
        expect(
            phoneAndLock(
                """
                expect:
                  - eventualy: link.up
                """),
            isRefusedWith: """
                t.yaml:3:5: error: `eventualy` is not an expectation
                 3 |   - eventualy: link.up
                   |     ^~~~~~~~~
                expected: eventually [within TIME], never, exactly N, at least N, at most N, in \
                order [within TIME], violated
                did you mean: eventually
                """)
    }

    @Test func anUnknownPromiseNamesTheNearestOne() {
        expect(
            phoneAndLock(
                """
                expect:
                  - violated: fresh-configuraton
                """),
            isRefusedWith: """
                t.yaml:3:15: error: there is no promise `fresh-configuraton`
                 3 |   - violated: fresh-configuraton
                   |               ^~~~~~~~~~~~~~~~~~
                expected: one that `anechoic promises` lists
                did you mean: fresh-configuration
                """)
    }

    @Test func aPromiseInATextHasItsColumn() {
        expect(
            phoneAndLock(
                "expect: violated fresh-config"),
            isRefusedWith: """
                t.yaml:2:18: error: there is no promise `fresh-config`
                 2 | expect: violated fresh-config
                   |                  ^~~~~~~~~~~~
                expected: one that `anechoic promises` lists
                did you mean: fresh-configuration
                """)
    }

    @Test func aPromiseIsBrokenOnce() {
        expect(
            phoneAndLock(
                """
                expect:
                  - violated: quiet
                  - violated: quiet
                """),
            isRefusedWith: """
                t.yaml:4:15: error: `violated: quiet` stands twice
                 4 |   - violated: quiet
                   |               ^~~~~
                """)
    }

    @Test func aTextIsAnExpectationOnlyAfterViolated() {
        expect(
            phoneAndLock(
                "expect: nothing at all"),
            isRefusedWith: """
                t.yaml:2:9: error: `nothing at all` is not an expectation
                 2 | expect: nothing at all
                   |         ^~~~~~~~~~~~~~
                expected: eventually [within TIME], never, exactly N, at least N, at most N, in \
                order [within TIME], violated
                """)
    }

    @Test func expectationsAreAList() {
        expect(
            phoneAndLock(
                """
                expect:
                  never: link.up
                """),
            isRefusedWith: """
                t.yaml:3:3: error: `expect` cannot be a mapping
                 3 |   never: link.up
                   |   ^
                expected: a list, like - eventually within 10s: ni.didUpdate on ben
                """)
    }

    @Test func anExpectationHasOneKey() {
        expect(
            phoneAndLock(
                """
                expect:
                  - never: link.up
                    exactly 2: link.down
                """),
            isRefusedWith: """
                t.yaml:4:5: error: an expectation has one key, this one has 2
                 4 |     exactly 2: link.down
                   |     ^~~~~~~~~
                expected: a `-` before each expectation
                """)
    }

    @Test func aCountIsANumber() {
        expect(
            phoneAndLock(
                """
                expect:
                  - exactly two: link.up
                """),
            isRefusedWith: """
                t.yaml:3:13: error: `exactly` cannot be `two`
                 3 |   - exactly two: link.up
                   |             ^~~
                expected: a whole number from 0 to 1000000000
                """)
    }

    @Test func aCountIsThere() {
        expect(
            phoneAndLock(
                """
                expect:
                  - at least: link.up
                """),
            isRefusedWith: """
                t.yaml:3:5: error: `at least` needs a number
                 3 |   - at least: link.up
                   |     ^~~~~~~~
                expected: at least 2
                """)
    }

    @Test func nothingStandsAfterNever() {
        expect(
            phoneAndLock(
                """
                expect:
                  - never ever: link.up
                """),
            isRefusedWith: """
                t.yaml:3:11: error: nothing stands after `never`
                 3 |   - never ever: link.up
                   |           ^~~~
                """)
    }

    @Test func eventuallyIsWithinATime() {
        expect(
            phoneAndLock(
                """
                expect:
                  - eventually in 10s: link.up
                """),
            isRefusedWith: """
                t.yaml:3:16: error: `in 10s` cannot stand here
                 3 |   - eventually in 10s: link.up
                   |                ^~~~~~
                expected: within and a time, like within 10s
                """)
    }

    @Test func aTimeLimitHasAUnit() {
        expect(
            phoneAndLock(
                """
                expect:
                  - eventually within 10: link.up
                """),
            isRefusedWith: """
                t.yaml:3:23: error: `10` has no unit
                 3 |   - eventually within 10: link.up
                   |                       ^~
                expected: a number and ns, us, ms, s or min, like 200ms
                """)
    }

    @Test func aTimeLimitIsWithinTheRun() {
        expect(
            phoneAndLock(
                """
                expect:
                  - eventually within 70s: link.up
                """),
            isRefusedWith: """
                t.yaml:3:23: error: `within` is after the run's length
                 3 |   - eventually within 70s: link.up
                   |                       ^~~
                expected: at most 1min
                """)
    }

    @Test func anOrderHasSeveralEvents() {
        expect(
            phoneAndLock(
                """
                expect:
                  - in order: [link.up]
                """),
            isRefusedWith: """
                t.yaml:3:15: error: one event has no order
                 3 |   - in order: [link.up]
                   |               ^
                expected: a list of at least two events
                """)
    }

    @Test func anOrderIsAList() {
        expect(
            phoneAndLock(
                """
                expect:
                  - in order: link.up
                """),
            isRefusedWith: """
                t.yaml:3:15: error: `in order` cannot be `link.up`
                 3 |   - in order: link.up
                   |               ^~~~~~~
                expected: a list of at least two events
                """)
    }

    @Test func everyInAnExpectationNeedsAGroup() {
        expect(
            """
            devices: {tag: {profile: qorvo, count: 2}}
            expect:
              - never: link.up on every tagg
            """,
            isRefusedWith: """
                t.yaml:3:12: error: there is no group of devices `tagg`
                 3 |   - never: link.up on every tagg
                   |            ^~~~~~~~~~~~~~~~~~~~~
                expected: tag
                did you mean: tag
                """)
    }

    @Test func anExpectationNamesAKnownEvent() {
        expect(
            phoneAndLock(
                """
                expect:
                  - never: ni.didUpdat on ben
                """),
            isRefusedWith: """
                t.yaml:3:12: error: there is no event `ni.didUpdat`
                 3 |   - never: ni.didUpdat on ben
                   |            ^~~~~~~~~~~
                expected: the kind of an event, like link.up or msg.initialize
                did you mean: ni.didUpdate
                """)
    }

    @Test func anExpectationIsNotEmpty() {
        expect(
            phoneAndLock(
                """
                expect:
                  - never:
                """),
            isRefusedWith: """
                t.yaml:3:11: error: `an expectation` cannot be nothing
                 3 |   - never:
                   |           ^
                expected: an event, like ni.didUpdate on ben
                """)
    }
}
