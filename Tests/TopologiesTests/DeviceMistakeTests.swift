import Testing

/// Mistakes in `devices:`, each with all that is printed.
struct DeviceMistakeTests {
    @Test func aSlipInAKeyNamesTheKeyThatWasMeant() {
        expect(
            "devices: {ben: {modle: iPhone 15}}",
            isRefusedWith: """
                t.yaml:1:17: error: a device has no key `modle`
                 1 | devices: {ben: {modle: iPhone 15}}
                   |                 ^~~~~
                expected: model, profile, run, arguments, environment, dials-in, count, at, grid, \
                heading, path, start, bonded, defects, parameters
                did you mean: model
                """)
    }

    @Test func aSlipInAParameterNamesTheParameterThatWasMeant() {
        expect(
            "devices: {lock: {profile: qorvo, update-rat: fast}}",
            isRefusedWith: """
                t.yaml:1:34: error: a device has no key `update-rat`
                 1 | devices: {lock: {profile: qorvo, update-rat: fast}}
                   |                                  ^~~~~~~~~~
                did you mean: update-rate
                """)
    }

    @Test func aKeyLikeNoOtherListsThemAll() {
        expect(
            "devices: {lock: {profile: qorvo, path: [{when: 3s}]}}",
            isRefusedWith: """
                t.yaml:1:42: error: a leg of a path has no key `when`
                 1 | devices: {lock: {profile: qorvo, path: [{when: 3s}]}}
                   |                                          ^~~~
                expected: from, to, at
                """)
    }

    @Test func anUnknownModelNamesTheNearestOne() {
        expect(
            "devices: {ben: {model: iPhnoe 15}}",
            isRefusedWith: """
                t.yaml:1:24: error: `iPhnoe 15` is not a model
                 1 | devices: {ben: {model: iPhnoe 15}}
                   |                        ^~~~~~~~~
                expected: a model, like iPhone 15 or iPhone15,4
                did you mean: iPhone 15
                """)
    }

    @Test func anUnknownProfileNamesTheKnownOnes() {
        expect(
            "devices: {lock: {profile: quorvo}}",
            isRefusedWith: """
                t.yaml:1:27: error: `profile` cannot be `quorvo`
                 1 | devices: {lock: {profile: quorvo}}
                   |                           ^~~~~~
                expected: qorvo, multi
                did you mean: qorvo
                """)
    }

    @Test func anUnknownDefectNamesTheNearestOne() {
        expect(
            "devices: {ben: {model: iPhone 15, defects: [second-outcom]}}",
            isRefusedWith: """
                t.yaml:1:45: error: `defects` cannot be `second-outcom`
                 1 | devices: {ben: {model: iPhone 15, defects: [second-outcom]}}
                   |                                             ^~~~~~~~~~~~~
                expected: initialize-before-subscription, single-configuration, unbounded-retries, \
                ignores-suspension-ended, ranges-through-suspension, writes-after-invalidation, \
                second-session-per-service, disconnects-on-did-stop, resumes-old-configuration, \
                crashes-on-unknown-message, ignores-removal, keeps-session-after-disconnect, \
                retries-when-denied, truncates-writes, changes-configuration, \
                runs-invalidated-session, retries-when-ended, runs-while-suspended, \
                notifies-in-foreground, keeps-lost-accessories, loses-connected-accessories, \
                keeps-configuration, forgets-to-invalidate, tries-after-giving-up, \
                abandons-lost-link, delays-shareable-data, update-while-suspended, second-outcome, \
                callback-after-invalidation, silent-refusal, update-before-shareable-data, \
                updates-after-removal, resumes-by-itself, ignores-background, \
                starts-in-background, starts-though-denied, ignores-denial, zero-for-miss, \
                repeats-session-id, shares-other-session-id, ignores-update-rate, \
                skips-verification, reads-single-beside-multiple, shows-hidden-service
                did you mean: second-outcome
                """)
    }

    @Test func aDefectOfTheOtherKindSaysWhose() {
        expect(
            "devices: {ben: {model: iPhone 15, defects: [reused-configuration]}}",
            isRefusedWith: """
                t.yaml:1:45: error: `reused-configuration` is a defect of an accessory
                 1 | devices: {ben: {model: iPhone 15, defects: [reused-configuration]}}
                   |                                             ^~~~~~~~~~~~~~~~~~~~
                expected: a defect of an Apple device
                """)
    }

    @Test func aDefectStandsOnce() {
        expect(
            """
            devices: {ben: {model: iPhone 15, defects: [second-outcome, second-outcome]}}
            """,
            isRefusedWith: """
                t.yaml:1:61: error: `second-outcome` stands twice in `defects`
                 1 | devices: {ben: {model: iPhone 15, defects: [second-outcome, second-outcome]}}
                   |                                                             ^~~~~~~~~~~~~~
                """)
    }

    @Test func aChoiceNamesItsWords() {
        expect(
            "devices: {lock: {profile: qorvo, update-rate: fast}}",
            isRefusedWith: """
                t.yaml:1:47: error: `update-rate` cannot be `fast`
                 1 | devices: {lock: {profile: qorvo, update-rate: fast}}
                   |                                               ^~~~
                expected: automatic, infrequent, user-interactive
                """)
    }

    @Test func aNumberOutOfRangeNamesTheRange() {
        expect(
            "devices: {lock: {profile: qorvo, mtu: 22}}",
            isRefusedWith: """
                t.yaml:1:39: error: `mtu` cannot be `22`
                 1 | devices: {lock: {profile: qorvo, mtu: 22}}
                   |                                       ^~
                expected: a whole number from 23 to 517
                """)
    }

    @Test func aDurationOutOfRangeNamesTheRange() {
        expect(
            "devices: {lock: {profile: qorvo, advertising-fast-interval: 1ms}}",
            isRefusedWith: """
                t.yaml:1:61: error: `advertising-fast-interval` cannot be `1ms`
                 1 | devices: {lock: {profile: qorvo, advertising-fast-interval: 1ms}}
                   |                                                             ^~~
                expected: a duration from 20ms to 10.24s
                """)
    }

    @Test func aLengthOutOfRangeNamesTheRange() {
        expect(
            "devices: {lock: {profile: qorvo, notify-distance: 30m}}",
            isRefusedWith: """
                t.yaml:1:51: error: `notify-distance` cannot be `30m`
                 1 | devices: {lock: {profile: qorvo, notify-distance: 30m}}
                   |                                                   ^~~
                expected: a length from 0m to 25.5m
                """)
    }

    @Test func yesIsNoFlag() {
        expect(
            "devices: {ben: {model: iPhone 15, launch: yes}}",
            isRefusedWith: """
                t.yaml:1:43: error: `launch` cannot be `yes`
                 1 | devices: {ben: {model: iPhone 15, launch: yes}}
                   |                                           ^~~
                expected: true or false
                """)
    }

    @Test func aParameterOfTheOtherKindIsUnknown() {
        expect(
            "devices: {ben: {model: iPhone 15, handling-time: 1s}}",
            isRefusedWith: """
                t.yaml:1:35: error: `handling-time` is a parameter of an accessory
                 1 | devices: {ben: {model: iPhone 15, handling-time: 1s}}
                   |                                   ^~~~~~~~~~~~~
                expected: `profile:` beside it
                """)
    }

    @Test func aDeviceIsPlayedByOneThing() {
        expect(
            "devices: {lock: {model: iPhone 15, profile: qorvo}}",
            isRefusedWith: """
                t.yaml:1:36: error: a device cannot have both `model` and `profile`
                 1 | devices: {lock: {model: iPhone 15, profile: qorvo}}
                   |                                    ^~~~~~~
                expected: one of model (an Apple device), profile (an accessory), run, dials-in
                """)
    }

    @Test func aDeviceIsPlayedBySomething() {
        expect(
            "devices: {lock: {at: [0, 0]}}",
            isRefusedWith: """
                t.yaml:1:17: error: nothing says what plays this device
                 1 | devices: {lock: {at: [0, 0]}}
                   |                 ^
                expected: one of model (an Apple device), profile (an accessory), run, dials-in
                """)
    }

    @Test func dialsInFalseSaysNothing() {
        expect(
            "devices: {mine: {dials-in: false}}",
            isRefusedWith: """
                t.yaml:1:17: error: `dials-in: false` says nothing about what plays this device
                 1 | devices: {mine: {dials-in: false}}
                   |                 ^
                expected: dials-in: true, or one of model, profile, run
                """)
    }

    @Test func argumentsNeedAProgram() {
        expect(
            "devices: {ben: {model: iPhone 15, arguments: [--fast]}}",
            isRefusedWith: """
                t.yaml:1:35: error: `arguments` belongs to `run`
                 1 | devices: {ben: {model: iPhone 15, arguments: [--fast]}}
                   |                                   ^~~~~~~~~
                expected: `run:` beside it
                """)
    }

    @Test func anEnvironmentNeedsAProgram() {
        expect(
            "devices: {ben: {model: iPhone 15, environment: [A]}}",
            isRefusedWith: """
                t.yaml:1:35: error: `environment` belongs to `run`
                 1 | devices: {ben: {model: iPhone 15, environment: [A]}}
                   |                                   ^~~~~~~~~~~
                expected: `run:` beside it
                """)
    }

    @Test func anEnvironmentHasVariables() {
        expect(
            "devices: {ben: {run: ./fw, environment: [A B]}}",
            isRefusedWith: """
                t.yaml:1:42: error: `A B` names no variable
                 1 | devices: {ben: {run: ./fw, environment: [A B]}}
                   |                                          ^~~
                expected: a list of variables, like [HTTP_PROXY, MODE=test]
                """)
    }

    @Test func aVariableOfTheEnvironmentStandsOnce() {
        expect(
            "devices: {ben: {run: ./fw, environment: [A=1, A]}}",
            isRefusedWith: """
                t.yaml:1:47: error: `A` stands twice in `environment`
                 1 | devices: {ben: {run: ./fw, environment: [A=1, A]}}
                   |                                               ^
                """)
    }

    @Test func theLinkIsNotForATopologyToSet() {
        expect(
            "devices: {ben: {run: ./fw, environment: [ANECHOIC_LINK=pipes:0]}}",
            isRefusedWith: """
                t.yaml:1:42: error: `ANECHOIC_LINK` is set by the orchestrator
                 1 | devices: {ben: {run: ./fw, environment: [ANECHOIC_LINK=pipes:0]}}
                   |                                          ^~~~~~~~~~~~~~~~~~~~~
                expected: another name
                """)
    }

    @Test func parametersAreForForeignPrograms() {
        expect(
            "devices: {ben: {model: iPhone 15, parameters: {a: b}}}",
            isRefusedWith: """
                t.yaml:1:47: error: `parameters` is for somebody else's program
                 1 | devices: {ben: {model: iPhone 15, parameters: {a: b}}}
                   |                                               ^
                expected: each parameter as a key of the device
                """)
    }

    @Test func aPlaceHasUnits() {
        expect(
            "devices: {lock: {profile: qorvo, at: [1, 2, 3]}}",
            isRefusedWith: """
                t.yaml:1:39: error: `1` has no unit
                 1 | devices: {lock: {profile: qorvo, at: [1, 2, 3]}}
                   |                                       ^
                expected: a number and mm, cm or m, like 1.5m
                """)
    }

    @Test func aPlaceHasKnownUnits() {
        expect(
            "devices: {lock: {profile: qorvo, at: [1m, 2m, 3ft]}}",
            isRefusedWith: """
                t.yaml:1:47: error: `ft` after 3 is not a unit of `at`
                 1 | devices: {lock: {profile: qorvo, at: [1m, 2m, 3ft]}}
                   |                                               ^~~
                expected: a number and mm, cm or m, like 1.5m
                """)
    }

    @Test func aPlaceHasTwoOrThreeLengths() {
        expect(
            "devices: {lock: {profile: qorvo, at: [1m]}}",
            isRefusedWith: """
                t.yaml:1:38: error: `at` has one length
                 1 | devices: {lock: {profile: qorvo, at: [1m]}}
                   |                                      ^
                expected: [right, ahead, up] in mm, cm or m, like [2m, 0, 1m]
                """)
    }

    @Test func aGridIsForManyDevices() {
        expect(
            """
            devices: {lock: {profile: qorvo, grid: {from: [0, 0], columns: 2, spacing: 1m}}}
            """,
            isRefusedWith: """
                t.yaml:1:34: error: `grid` places many devices
                 1 | devices: {lock: {profile: qorvo, grid: {from: [0, 0], columns: 2, spacing: \
                1m}}}
                   |                                  ^~~~
                expected: `count` beside it, or `at`
                """)
    }

    @Test func aPlaceAndAGridExcludeOneAnother() {
        expect(
            """
            devices: {tag: {profile: qorvo, count: 2, at: [0, 0], grid: {from: [0, 0], columns: \
            2, spacing: 1m}}}
            """,
            isRefusedWith: """
                t.yaml:1:61: error: a device has `at` or `grid`, not both
                 1 | devices: {tag: {profile: qorvo, count: 2, at: [0, 0], grid: {from: [0, 0], \
                columns: 2, spacing: 1m}}}
                   |                                                             ^
                """)
    }

    @Test func aWalkEndsAfterItBegan() {
        expect(
            """
            devices: {lock: {profile: qorvo, path: [{from: 5s, to: 3s, at: [1m, 1m]}]}}
            """,
            isRefusedWith: """
                t.yaml:1:56: error: the walk ends before it begins
                 1 | devices: {lock: {profile: qorvo, path: [{from: 5s, to: 3s, at: [1m, 1m]}]}}
                   |                                                        ^~
                expected: a time after `from`
                """)
    }

    @Test func legsAreInOrderOfTime() {
        expect(
            """
            devices: {lock: {profile: qorvo, path: [{from: 1s, to: 3s, at: [1m, 1m]}, {from: 2s, \
            at: [0, 0]}]}}
            """,
            isRefusedWith: """
                t.yaml:1:75: error: this leg begins before the one above has ended
                 1 | devices: {lock: {profile: qorvo, path: [{from: 1s, to: 3s, at: [1m, 1m]}, \
                {from: 2s, at: [0, 0]}]}}
                   |                                                                           ^
                expected: legs in order of time
                """)
    }

    @Test func aWalkIsWithinTheRun() {
        expect(
            """
            length: 10s
            devices: {lock: {profile: qorvo, path: [{from: 11s, at: [1m, 1m]}]}}
            """,
            isRefusedWith: """
                t.yaml:2:48: error: `from` is after the run's length
                 2 | devices: {lock: {profile: qorvo, path: [{from: 11s, at: [1m, 1m]}]}}
                   |                                                ^~~
                expected: at most 10s
                """)
    }

    @Test func aDeviceStartsWithinTheRun() {
        expect(
            """
            length: 10s
            devices: {lock: {profile: qorvo, start: 11s}}
            """,
            isRefusedWith: """
                t.yaml:2:41: error: `start` is after the run's length
                 2 | devices: {lock: {profile: qorvo, start: 11s}}
                   |                                         ^~~
                expected: at most 10s
                """)
    }

    @Test func aHeadingIsAnAngle() {
        expect(
            "devices: {ben: {model: iPhone 15, heading: 90}}",
            isRefusedWith: """
                t.yaml:1:44: error: `90` has no unit
                 1 | devices: {ben: {model: iPhone 15, heading: 90}}
                   |                                            ^~
                expected: a number and deg, like 60deg
                """)
    }

    @Test func aNameIsAWord() {
        expect(
            "devices: {my phone: {model: iPhone 15}}",
            isRefusedWith: """
                t.yaml:1:11: error: `my phone` cannot be the name of a device
                 1 | devices: {my phone: {model: iPhone 15}}
                   |           ^~~~~~~~
                expected: at most 29 letters, digits, - and _, beginning with a letter
                """)
    }

    @Test func aMemberOfAGroupCanCollideWithADevice() {
        expect(
            "devices: {tag: {profile: qorvo, count: 3}, tag-1: {model: iPhone 15}}",
            isRefusedWith: """
                t.yaml:1:44: error: there is a second device `tag-1`
                 1 | devices: {tag: {profile: qorvo, count: 3}, tag-1: {model: iPhone 15}}
                   |                                            ^~~~~
                expected: another name
                """)
    }

    @Test func thereAreAtMost256InAGroup() {
        expect(
            "devices: {tag: {profile: qorvo, count: 300}}",
            isRefusedWith: """
                t.yaml:1:40: error: `count` cannot be `300`
                 1 | devices: {tag: {profile: qorvo, count: 300}}
                   |                                        ^~~
                expected: a whole number from 1 to 256
                """)
    }

    @Test func thereAreAtMost256Devices() {
        expect(
            """
            devices:
              tag: {profile: qorvo, count: 200}
              key: {profile: qorvo, count: 57}
            """,
            isRefusedWith: """
                t.yaml:3:3: error: there are too many devices
                 3 |   key: {profile: qorvo, count: 57}
                   |   ^~~
                expected: at most 256
                """)
    }

    @Test func noDevicesIsNoTopology() {
        expect(
            "about: nothing",
            isRefusedWith: """
                t.yaml:1:1: error: a topology needs `devices`
                 1 | about: nothing
                   | ^
                expected: at least one device
                """)
    }

    @Test func anEmptyMappingOfDevicesIsNoTopology() {
        expect(
            "devices: {}",
            isRefusedWith: """
                t.yaml:1:10: error: `devices` is empty
                 1 | devices: {}
                   |          ^
                expected: at least one device
                """)
    }

    @Test func aListOfDevicesIsNone() {
        expect(
            "devices: [ben, lock]",
            isRefusedWith: """
                t.yaml:1:10: error: `devices` cannot be a list
                 1 | devices: [ben, lock]
                   |          ^
                expected: a mapping of names to devices
                """)
    }

    @Test func aBondIsWithAKnownDevice() {
        expect(
            """
            devices: {ben: {model: iPhone 15, bonded: [lok]}, lock: {profile: qorvo}}
            """,
            isRefusedWith: """
                t.yaml:1:44: error: there is no device `lok`
                 1 | devices: {ben: {model: iPhone 15, bonded: [lok]}, lock: {profile: qorvo}}
                   |                                            ^~~
                expected: ben, lock
                did you mean: lock
                """)
    }

    @Test func aBondIsWithSomebodyElse() {
        expect(
            """
            devices: {ben: {model: iPhone 15, bonded: [ben]}, lock: {profile: qorvo}}
            """,
            isRefusedWith: """
                t.yaml:1:43: error: `ben` cannot be bonded with itself
                 1 | devices: {ben: {model: iPhone 15, bonded: [ben]}, lock: {profile: qorvo}}
                   |                                           ^
                """)
    }

    @Test func aPeerIsAKnownDevice() {
        expect(
            """
            devices: {ben: {model: iPhone 15, peers: [lok]}, lock: {profile: qorvo}}
            """,
            isRefusedWith: """
                t.yaml:1:43: error: there is no device `lok`
                 1 | devices: {ben: {model: iPhone 15, peers: [lok]}, lock: {profile: qorvo}}
                   |                                           ^~~
                expected: ben, lock
                did you mean: lock
                """)
    }

    @Test func aGroupIsLargeEnoughForAllItsOwners() {
        expect(
            """
            devices:
              phone: {model: iPhone 15, count: 3, peers: 2 of tag}
              tag: {profile: qorvo, count: 5}
            """,
            isRefusedWith: """
                t.yaml:2:46: error: `tag` has only 5 devices, not 2 for each
                 2 |   phone: {model: iPhone 15, count: 3, peers: 2 of tag}
                   |                                              ^~~~~~~~
                expected: a greater `count`, or fewer for each
                """)
    }
}
