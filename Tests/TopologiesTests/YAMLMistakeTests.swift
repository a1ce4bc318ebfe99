import Testing
import YAML

/// Mistakes in the YAML itself, each with all that is printed.
struct YAMLMistakeTests {
    @Test func anEmptyFileSaysHowATopologyBegins() {
        expect(
            "",
            isRefusedWith: """
                t.yaml: error: the file is empty
                expected: a topology, which begins with `about:` or `devices:`
                """)
    }

    @Test func aFileOfCommentsIsEmpty() {
        expect(
            """
            # nothing yet

            """,
            isRefusedWith: """
                t.yaml: error: the file is empty
                expected: a topology, which begins with `about:` or `devices:`
                """)
    }

    @Test func aWordIsNoTopology() {
        expect(
            "hello",
            isRefusedWith: """
                t.yaml:1:1: error: a topology cannot be `hello`
                 1 | hello
                   | ^~~~~
                expected: a mapping with about, length, devices, air, links, steps, faults, fluents, promises, expect
                """)
    }

    @Test func aListIsNoTopology() {
        expect(
            """
            - a
            - b
            """,
            isRefusedWith: """
                t.yaml:1:1: error: a topology cannot be a list
                 1 | - a
                   | ^
                expected: a mapping with about, length, devices, air, links, steps, faults, fluents, promises, expect
                """)
    }

    @Test func aSlipInAKeyOfTheFileNamesTheKeyThatWasMeant() {
        expect(
            """
            lenght: 3s
            devices: {ben: {model: iPhone 15}, lock: {profile: qorvo}}

            """,
            isRefusedWith: """
                t.yaml:1:1: error: a topology has no key `lenght`
                 1 | lenght: 3s
                   | ^~~~~~
                expected: about, length, devices, air, links, steps, faults, fluents, promises, expect
                did you mean: length
                """)
    }

    @Test func aDurationNeedsAUnit() {
        expect(
            """
            length: 20
            devices: {ben: {model: iPhone 15}, lock: {profile: qorvo}}

            """,
            isRefusedWith: """
                t.yaml:1:9: error: `20` has no unit
                 1 | length: 20
                   |         ^~
                expected: a number and ns, us, ms, s or min, like 200ms
                """)
    }

    @Test func aDurationHasAKnownUnit() {
        expect(
            """
            length: 20h
            devices: {ben: {model: iPhone 15}, lock: {profile: qorvo}}

            """,
            isRefusedWith: """
                t.yaml:1:9: error: `h` after 20 is not a unit of `length`
                 1 | length: 20h
                   |         ^~~
                expected: a number and ns, us, ms, s or min, like 200ms
                """)
    }

    @Test func aDurationIsNoList() {
        expect(
            """
            length: [1]
            devices: {ben: {model: iPhone 15}, lock: {profile: qorvo}}

            """,
            isRefusedWith: """
                t.yaml:1:9: error: `length` cannot be a list
                 1 | length: [1]
                   |         ^
                expected: a number and ns, us, ms, s or min, like 200ms
                """)
    }

    @Test func aDurationIsNotZeroWhereItMayNotBe() {
        expect(
            """
            length: 0s
            devices: {ben: {model: iPhone 15}, lock: {profile: qorvo}}

            """,
            isRefusedWith: """
                t.yaml:1:9: error: `length` cannot be `0s`
                 1 | length: 0s
                   |         ^~
                expected: a duration from 1ms to 10080min
                """)
    }

    @Test func aDurationHasNoMoreDecimalsThanNanoseconds() {
        expect(
            """
            length: 1.0000000001s
            devices: {ben: {model: iPhone 15}, lock: {profile: qorvo}}

            """,
            isRefusedWith: """
                t.yaml:1:9: error: `1.0000000001s` is finer than can be told apart
                 1 | length: 1.0000000001s
                   |         ^~~~~~~~~~~~~
                expected: a number and ns, us, ms, s or min, like 200ms
                """)
    }

    @Test func aDurationFitsIntoANumber() {
        expect(
            """
            length: 99999999999999999999s
            devices: {ben: {model: iPhone 15}, lock: {profile: qorvo}}

            """,
            isRefusedWith: """
                t.yaml:1:9: error: `99999999999999999999s` is too large
                 1 | length: 99999999999999999999s
                   |         ^~~~~~~~~~~~~~~~~~~~~
                expected: a number and ns, us, ms, s or min, like 200ms
                """)
    }

    @Test func aRunIsAtMostAWeekLong() {
        expect(
            """
            length: 10081min
            devices: {ben: {model: iPhone 15}, lock: {profile: qorvo}}

            """,
            isRefusedWith: """
                t.yaml:1:9: error: `length` cannot be `10081min`
                 1 | length: 10081min
                   |         ^~~~~~~~
                expected: a duration from 1ms to 10080min
                """)
    }

    @Test func nothingIsNoText() {
        expect(
            phoneAndLock(
                "about:"),
            isRefusedWith: """
                t.yaml:2:7: error: `about` cannot be nothing
                 2 | about:
                   |       ^
                expected: a sentence
                """)
    }

    @Test func yesIsNoText() {
        expect(
            phoneAndLock(
                "about: yes"),
            isRefusedWith: """
                t.yaml:2:8: error: `yes` without quotes means true or false in YAML
                 2 | about: yes
                   |        ^~~
                expected: a sentence
                """)
    }

    @Test func onIsNoKey() {
        expect(
            phoneAndLock(
                "on: 3s"),
            isRefusedWith: """
                t.yaml:2:1: error: `on` as a key means true or false to some YAML tools
                 2 | on: 3s
                   | ^~
                expected: another word, or `on` in quotes
                """)
    }

    @Test func aKeyStandsOnce() {
        expect(
            "devices: {ben: {model: iPhone 15}, ben: {profile: qorvo}}",
            isRefusedWith: """
                t.yaml:1:36: error: the key `ben` is given a second time; first in line 1
                 1 | devices: {ben: {model: iPhone 15}, ben: {profile: qorvo}}
                   |                                    ^~~
                """)
    }

    @Test func aKeyInQuotesIsTheSameKey() {
        expect(
            """
            devices:
              "ben": {model: iPhone 15}
              lock: {profile: qorvo}
              ben: {profile: qorvo}
            """,
            isRefusedWith: """
                t.yaml:4:3: error: the key `ben` is given a second time; first in line 2
                 4 |   ben: {profile: qorvo}
                   |   ^~~
                """)
    }

    @Test func theSecondOfSeveralDuplicatesIsNamed() {
        expect(
            """
            about: a
            length: 3s
            about: b
            length: 4s
            about: c
            """,
            isRefusedWith: """
                t.yaml:3:1: error: the key `about` is given a second time; first in line 1
                 3 | about: b
                   | ^~~~~
                """)
    }

    @Test func aBracketThatIsNotClosedIsShown() {
        expect(
            phoneAndLock(
                """
                steps:
                  - {at: 3s, background: ben

                """),
            isRefusedWith: """
                t.yaml:3:5: error: this is not YAML: did not find expected ',' or '}' (while \
                parsing a flow mapping that began in line 3)
                 3 |   - {at: 3s, background: ben
                   |     ^
                """)
    }

    @Test func aColonTooManyIsShown() {
        expect(
            "about: a: b",
            isRefusedWith: """
                t.yaml:1:9: error: this is not YAML: mapping values are not allowed in this \
                context
                 1 | about: a: b
                   |         ^
                """)
    }

    @Test func aTabIsNoIndentation() {
        expect(
            phoneAndLock(
                """
                steps:
                \t- {at: 3s, kill: lock}
                """),
            isRefusedWith: """
                t.yaml:3:1: error: a tab indents this line
                 3 |  - {at: 3s, kill: lock}
                   | ^
                expected: spaces
                """)
    }

    @Test func aSecondDocumentIsRefused() {
        expect(
            """
            about: a
            ---
            about: b
            """,
            isRefusedWith: """
                t.yaml:2:1: error: a second YAML document begins here
                 2 | ---
                   | ^~~
                expected: one topology in a file
                """)
    }

    @Test func anAliasNeedsItsAnchor() {
        expect(
            phoneAndLock(
                "about: *foo"),
            isRefusedWith: """
                t.yaml:2:8: error: `*foo` refers to no anchor above
                 2 | about: *foo
                   |        ^~~~
                expected: `&foo` before a value above, or quotes around a text that begins with *
                """)
    }

    @Test func anAliasIsNoKey() {
        expect(
            """
            about: &a b
            *a : c
            """,
            isRefusedWith: """
                t.yaml:2:1: error: a key can only be a word
                 2 | *a : c
                   | ^
                expected: a word and a colon
                """)
    }

    @Test func aListIsNoKey() {
        expect(
            """
            ? [a, b]
            : c
            """,
            isRefusedWith: """
                t.yaml:1:3: error: a key can only be a word
                 1 | ? [a, b]
                   |   ^
                expected: a word and a colon
                """)
    }

    @Test func aTagHasNoMeaning() {
        expect(
            phoneAndLock(
                "about: !!binary xyz"),
            isRefusedWith: """
                t.yaml:2:8: error: the YAML tag `!!binary` has no meaning here
                 2 | about: !!binary xyz
                   |        ^
                """)
    }

    @Test func linesThatEndInCRLFAreCounted() {
        expect(
            """
            about: x\r
            length: 3\r
            devices: {ben: {model: iPhone 15}}\r

            """,
            isRefusedWith: """
                t.yaml:2:9: error: `3` has no unit
                 2 | length: 3
                   |         ^
                expected: a number and ns, us, ms, s or min, like 200ms
                """)
    }

    @Test func aLineSeparatorInTheMiddleOfALineIsRefused() {
        expect(
            """
            about: "x\u{2028}y"
            """,
            isRefusedWith: """
                t.yaml:1:10: error: the character U+2028 is not allowed
                 1 | about: "x\u{2028}y"
                   |          ^
                expected: printable text with lines that end in LF or CR LF
                """)
    }

    @Test func aControlCharacterIsRefused() {
        expect(
            """
            about: "x\u{7}y"
            """,
            isRefusedWith: """
                t.yaml:1:10: error: the character U+0007 is not allowed
                 1 | about: "x y"
                   |          ^
                expected: printable text with lines that end in LF or CR LF
                """)
    }

    @Test func aLoneCarriageReturnIsRefused() {
        expect(
            "about: x\rlength: 3s",
            isRefusedWith: """
                t.yaml:1:10: error: the character U+000D is not allowed
                 1 | about: xlength: 3s
                   |          ^
                expected: printable text with lines that end in LF or CR LF
                """)
    }
}
