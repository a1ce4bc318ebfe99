import Testing

/// Mistakes in `steps:`, `faults:`, `links:` and `air:`, each with all that is printed.
struct ScriptMistakeTests {
    @Test func aSlipInAVerbNamesTheVerbThatWasMeant() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 3s, disconect: [ben, lock]}
                """),
            isRefusedWith: """
                t.yaml:3:14: error: a step has no key `disconect`
                 3 |   - {at: 3s, disconect: [ben, lock]}
                   |              ^~~~~~~~~
                did you mean: disconnect
                """)
    }

    @Test func aStepNeedsAVerb() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 3s}
                """),
            isRefusedWith: """
                t.yaml:3:5: error: nothing says what this step does
                 3 |   - {at: 3s}
                   |     ^
                expected: a verb: disconnect, loss, uwb-loss, delay, throttle, hold, release, \
                partition, repair, move, obstruct, clear, refuse-uwb, kill, restart, freeze, thaw, \
                busy, garble, truncate, extend, corrupt, background, foreground, lock, unlock, \
                suspend, resume, allow, deny, bluetooth-off, bluetooth-on, terminate, launch, start, \
                stop, invalidate, peer-ended, exhaust, replenish, command
                """)
    }

    @Test func aStepHasOneVerb() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 3s, kill: lock, freeze: ben}
                """),
            isRefusedWith: """
                t.yaml:3:26: error: a step does one thing: `kill` or `freeze`
                 3 |   - {at: 3s, kill: lock, freeze: ben}
                   |                          ^~~~~~
                expected: a step for each
                """)
    }

    @Test func aStepNeedsAMoment() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:5: error: nothing says when this step is done
                 3 |   - {kill: lock}
                   |     ^
                expected: at: 3s, or when: link.up on lock
                """)
    }

    @Test func aStepHasOneMoment() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 3s, when: link.up, kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:6: error: a step has `at` or `when`, not both
                 3 |   - {at: 3s, when: link.up, kill: lock}
                   |      ^~
                """)
    }

    @Test func afterBelongsToWhen() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 3s, after: 1s, kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:14: error: `after` belongs to `when`
                 3 |   - {at: 3s, after: 1s, kill: lock}
                   |              ^~~~~
                expected: `when:` instead of `at:`
                """)
    }

    @Test func aStepIsWithinTheRun() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 90s, disconnect: [ben, lock]}
                """),
            isRefusedWith: """
                t.yaml:3:10: error: `at` is after the run's length
                 3 |   - {at: 90s, disconnect: [ben, lock]}
                   |          ^~~
                expected: at most 1min
                """)
    }

    @Test func aStepEndsWithinTheRun() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 59s, freeze: lock, for: 2s}
                """),
            isRefusedWith: """
                t.yaml:3:34: error: `for` is after the run's length
                 3 |   - {at: 59s, freeze: lock, for: 2s}
                   |                                  ^~
                expected: at most 1min
                """)
    }

    @Test func aTimeIsNotNegative() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: -3s, kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:10: error: `at` cannot be `-3s`
                 3 |   - {at: -3s, kill: lock}
                   |          ^~~
                expected: a duration from 0s to 10080min
                """)
    }

    @Test func anUnknownDeviceNamesTheNearestOne() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 3s, disconnect: [ben, lok]}
                """),
            isRefusedWith: """
                t.yaml:3:32: error: there is no device `lok`
                 3 |   - {at: 3s, disconnect: [ben, lok]}
                   |                                ^~~
                expected: ben, lock
                did you mean: lock
                """)
    }

    @Test func aPairHasTwoDevices() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 3s, disconnect: [ben]}
                """),
            isRefusedWith: """
                t.yaml:3:26: error: `disconnect` has one device
                 3 |   - {at: 3s, disconnect: [ben]}
                   |                          ^
                expected: two devices, like [ben, lock]
                """)
    }

    @Test func aPairHasDifferentDevices() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 3s, disconnect: [ben, ben]}
                """),
            isRefusedWith: """
                t.yaml:3:26: error: `disconnect` has the same device twice
                 3 |   - {at: 3s, disconnect: [ben, ben]}
                   |                          ^
                expected: two devices, like [ben, lock]
                """)
    }

    @Test func aGroupNeedsTheWordEvery() {
        expect(
            """
            devices: {tag: {profile: qorvo, count: 2}}
            steps:
              - {at: 3s, kill: tag}
            """,
            isRefusedWith: """
                t.yaml:3:20: error: `tag` is a group of devices
                 3 |   - {at: 3s, kill: tag}
                   |                    ^~~
                expected: every tag, or tag-1
                """)
    }

    @Test func everyNeedsAGroup() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 3s, kill: every lock}
                """),
            isRefusedWith: """
                t.yaml:3:20: error: there is no group of devices `lock`
                 3 |   - {at: 3s, kill: every lock}
                   |                    ^~~~~~~~~~
                expected: a device made with `count:`
                """)
    }

    @Test func aVerbThatNeedsASettingSaysSo() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 1s, loss: [ben, lock]}
                """),
            isRefusedWith: """
                t.yaml:3:14: error: `loss` needs `ratio`
                 3 |   - {at: 1s, loss: [ben, lock]}
                   |              ^~~~
                expected: `ratio:` beside it
                """)
    }

    @Test func aVerbRefusesASettingOfAnother() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 1s, kill: lock, ratio: 1/2}
                """),
            isRefusedWith: """
                t.yaml:3:26: error: `kill` takes no `ratio`
                 3 |   - {at: 1s, kill: lock, ratio: 1/2}
                   |                          ^~~~~
                expected: after-answers, for
                """)
    }

    @Test func aCommandIsForDevicesThatKnowIt() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 3s, background: lock}
                """),
            isRefusedWith: """
                t.yaml:3:26: error: `lock` does not understand `background`
                 3 |   - {at: 3s, background: lock}
                   |                          ^~~~
                expected: an Apple device
                """)
    }

    @Test func anAccessorysStopHasNoPeer() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 3s, stop: lock, peer: ben}
                """),
            isRefusedWith: """
                t.yaml:3:26: error: an accessory's `stop` takes no `peer`
                 3 |   - {at: 3s, stop: lock, peer: ben}
                   |                          ^~~~
                """)
    }

    @Test func anErrorIsOneOfApples() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 3s, invalidate: ben, error: sessionFailure}
                """),
            isRefusedWith: """
                t.yaml:3:38: error: `error` cannot be `sessionFailure`
                 3 |   - {at: 3s, invalidate: ben, error: sessionFailure}
                   |                                      ^~~~~~~~~~~~~~
                expected: unsupportedPlatform, invalidConfiguration, sessionFailed, \
                resourceUsageTimeout, activeSessionsLimitExceeded, userDidNotAllow, \
                invalidARConfiguration, accessoryPeerDeviceUnavailable, incompatiblePeerDevice, \
                activeExtendedDistanceSessionsLimitExceeded
                did you mean: sessionFailed
                """)
    }

    @Test func aMessageIsOneOfTheProtocol() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 3s, garble: lock, message: configurationData}
                """),
            isRefusedWith: """
                t.yaml:3:37: error: `message` cannot be `configurationData`
                 3 |   - {at: 3s, garble: lock, message: configurationData}
                   |                                     ^~~~~~~~~~~~~~~~~
                expected: initialize, configureAndStart, stop, getReserved, setReserved, \
                accessoryConfigurationData, accessoryUwbDidStart, accessoryUwbDidStop, iOSNotify
                """)
    }

    @Test func aReasonIsANumberOfHCI() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 3s, disconnect: [ben, lock], reason: 0x146}
                """),
            isRefusedWith: """
                t.yaml:3:47: error: `reason` cannot be `0x146`
                 3 |   - {at: 3s, disconnect: [ben, lock], reason: 0x146}
                   |                                               ^~~~~
                expected: a whole number from 1 to 69
                """)
    }

    @Test func anUnknownEventNamesTheNearestOne() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {when: link.upp on lock, kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:12: error: there is no event `link.upp`
                 3 |   - {when: link.upp on lock, kill: lock}
                   |            ^~~~~~~~
                expected: the kind of an event, like link.up or msg.initialize
                did you mean: link.up
                """)
    }

    @Test func anEventOnAnUnknownDeviceNamesTheNearestOne() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {when: link.up on lok, kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:23: error: there is no device `lok`
                 3 |   - {when: link.up on lok, kill: lock}
                   |                       ^~~
                expected: ben, lock
                did you mean: lock
                """)
    }

    @Test func anUnknownFieldListsTheFields() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {when: link.down with reson = 3, kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:27: error: `link.down` has no field `reson`
                 3 |   - {when: link.down with reson = 3, kill: lock}
                   |                           ^~~~~
                expected: link, peer, reason
                did you mean: reason
                """)
    }

    @Test func aFieldOfTheWrongKindSaysWhatItHolds() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {when: link.up with interval = none and role = 3, kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:45: error: `role` is a text
                 3 |   - {when: link.up with interval = none and role = 3, kill: lock}
                   |                                             ^~~~
                expected: a word, or a text in double quotes
                """)
    }

    @Test func onlyNumbersHaveAnOrder() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {when: link.up with peer > lock, kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:32: error: `>` compares numbers only
                 3 |   - {when: link.up with peer > lock, kill: lock}
                   |                                ^~~~
                expected: a number, or one of = and !=
                """)
    }

    @Test func aComparisonIsOneOfSix() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {when: link.up with link == 3, kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:30: error: `==` compares nothing
                 3 |   - {when: link.up with link == 3, kill: lock}
                   |                              ^~
                expected: =, !=, <, <=, > or >=
                """)
    }

    @Test func aDistanceInAPatternHasAUnit() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {when: ni.didUpdate with distance > 3, kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:41: error: `distance` is a length and needs a unit
                 3 |   - {when: ni.didUpdate with distance > 3, kill: lock}
                   |                                         ^
                expected: a number and mm, cm or m
                """)
    }

    @Test func aPeerInAPatternIsADevice() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {when: ni.didUpdate with peer = loc, kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:37: error: there is no device `loc`
                 3 |   - {when: ni.didUpdate with peer = loc, kill: lock}
                   |                                     ^~~
                expected: ben, lock
                did you mean: lock
                """)
    }

    @Test func aPatternInQuotesHasItsColumnsToo() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {when: "link.up on lok", kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:24: error: there is no device `lok`
                 3 |   - {when: "link.up on lok", kill: lock}
                   |                        ^~~
                expected: ben, lock
                did you mean: lock
                """)
    }

    @Test func aPatternEndsWhereItShould() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {when: link.up at lock, kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:20: error: this does not belong to the pattern
                 3 |   - {when: link.up at lock, kill: lock}
                   |                    ^~
                expected: `on`, `with` or the end
                """)
    }

    @Test func aPatternDoesNotEndTooEarly() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {when: link.up on lock with, kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:32: error: the pattern ends too early
                 3 |   - {when: link.up on lock with, kill: lock}
                   |                                ^
                expected: the name of a field
                """)
    }

    @Test func stepsAreAList() {
        expect(
            phoneAndLock(
                "steps: {at: 3s, kill: lock}"),
            isRefusedWith: """
                t.yaml:2:8: error: `steps` cannot be a mapping
                 2 | steps: {at: 3s, kill: lock}
                   |        ^
                expected: a list of steps, like - {at: 3s, kill: lock}
                """)
    }

    @Test func aRatioIsExact() {
        expect(
            phoneAndLock(
                "air: {loss: 0.1}"),
            isRefusedWith: """
                t.yaml:2:13: error: `loss` cannot be `0.1`
                 2 | air: {loss: 0.1}
                   |             ^~~
                expected: a ratio from 0 to 1, like 1/20, 5% or 0
                """)
    }

    @Test func aRatioIsAtMostOne() {
        expect(
            phoneAndLock(
                "air: {loss: 3/2}"),
            isRefusedWith: """
                t.yaml:2:13: error: `loss` cannot be `3/2`
                 2 | air: {loss: 3/2}
                   |             ^~~
                expected: a ratio from 0 to 1, like 1/20, 5% or 0
                """)
    }

    @Test func aHostDelayIsAboveZero() {
        expect(
            phoneAndLock(
                "air: {host-delay: 0s}"),
            isRefusedWith: """
                t.yaml:2:19: error: `host-delay` cannot be `0s`
                 2 | air: {host-delay: 0s}
                   |                   ^~
                expected: a duration from 1ns to 10s
                """)
    }

    @Test func aSlipInTheAirNamesTheKeyThatWasMeant() {
        expect(
            phoneAndLock(
                "air: {uwb-nose: 1cm}"),
            isRefusedWith: """
                t.yaml:2:7: error: the air has no key `uwb-nose`
                 2 | air: {uwb-nose: 1cm}
                   |       ^~~~~~~~
                expected: bluetooth-range, loss, host-delay, queue-delay, event-capacity, \
                uwb-range, uwb-field-of-view, uwb-noise, uwb-loss
                did you mean: uwb-noise
                """)
    }

    @Test func aPairHasOneLink() {
        expect(
            phoneAndLock(
                "links: [{between: [ben, lock]}, {between: [lock, ben]}]"),
            isRefusedWith: """
                t.yaml:2:33: error: there is a second link between `lock` and `ben`
                 2 | links: [{between: [ben, lock]}, {between: [lock, ben]}]
                   |                                 ^
                expected: one item for each pair
                """)
    }

    @Test func aLinkIsBetweenDevices() {
        expect(
            phoneAndLock(
                "links: [{loss: 1/2}]"),
            isRefusedWith: """
                t.yaml:2:9: error: a link needs `between`
                 2 | links: [{loss: 1/2}]
                   |         ^
                expected: two devices, like [ben, lock]
                """)
    }

    @Test func aRandomFaultNeedsARatio() {
        expect(
            phoneAndLock(
                "faults: {disconnect: {}}"),
            isRefusedWith: """
                t.yaml:2:22: error: a random `disconnect` needs `ratio`
                 2 | faults: {disconnect: {}}
                   |                      ^
                expected: how likely in a second, like 1/20
                """)
    }

    @Test func anUnknownRandomFaultNamesTheNearestOne() {
        expect(
            phoneAndLock(
                "faults: {backgrounds: {ratio: 1/2}}"),
            isRefusedWith: """
                t.yaml:2:10: error: `faults` has no key `backgrounds`
                 2 | faults: {backgrounds: {ratio: 1/2}}
                   |          ^~~~~~~~~~~
                expected: between, swarm, heal, disconnect, loss, partition, hold, freeze, kill, corrupt, \
                background, suspend, bluetooth, delay, throttle, uwb-loss, refuse-uwb, busy, terminate
                did you mean: background
                """)
    }

    @Test func aRandomFaultHitsWhomItCan() {
        expect(
            phoneAndLock(
                "faults: {background: {ratio: 1/2, devices: [lock]}}"),
            isRefusedWith: """
                t.yaml:2:44: error: `background` cannot hit `lock`
                 2 | faults: {background: {ratio: 1/2, devices: [lock]}}
                   |                                            ^
                expected: an Apple device
                """)
    }

    @Test func aRandomFaultWithoutLengthHasNoFor() {
        expect(
            phoneAndLock(
                "faults: {disconnect: {ratio: 1/2, for: 3s}}"),
            isRefusedWith: """
                t.yaml:2:35: error: a random `disconnect` has no key `for`
                 2 | faults: {disconnect: {ratio: 1/2, for: 3s}}
                   |                                   ^~~
                expected: ratio, devices
                """)
    }

    @Test func aRangeEndsAfterItBegan() {
        expect(
            phoneAndLock(
                "faults: {between: 5s..1s}"),
            isRefusedWith: """
                t.yaml:2:19: error: `between` ends before it begins
                 2 | faults: {between: 5s..1s}
                   |                   ^~~~~~
                expected: a range of durations, like 200ms..2s
                """)
    }

    @Test func bothEndsOfARangeHaveUnits() {
        expect(
            phoneAndLock(
                "faults: {between: 5..10s}"),
            isRefusedWith: """
                t.yaml:2:19: error: `5` has no unit
                 2 | faults: {between: 5..10s}
                   |                   ^
                expected: a number and ns, us, ms, s or min, like 200ms
                """)
    }

    @Test func randomFaultsAreWithinTheRun() {
        expect(
            phoneAndLock(
                "faults: {between: 5s..90s}"),
            isRefusedWith: """
                t.yaml:2:19: error: `between` is after the run's length
                 2 | faults: {between: 5s..90s}
                   |                   ^~~~~~~
                expected: at most 1min
                """)
    }
}
