import Testing
import Topologies

/// Files that are no text, or too much of it.
struct LimitTests {
    @Test func aTextOfUTF16IsNamed() {
        #expect(
            mistake(in: [0xFF, 0xFE, 0x61, 0x00, 0x3A, 0x00]) == """
                t.yaml: error: the file is not UTF-8 but looks like UTF-16
                expected: UTF-8
                """)
        #expect(
            mistake(in: [0x00, 0x61, 0x00, 0x3A, 0x00, 0x20, 0x00, 0x62]) == """
                t.yaml: error: the file is not UTF-8 but looks like UTF-16
                expected: UTF-8
                """)
    }

    @Test func aTextOfUTF32IsNamedAndAZeroIsACharacter() {
        let unmarked: [UInt8] = Array("a: b".utf8).flatMap { [0, 0, 0, $0] }
        for bytes: [UInt8] in [[0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], unmarked] {
            #expect(mistake(in: bytes).contains("looks like UTF-32\n"))
        }
        #expect(
            mistake(in: Array("about: x\u{0}y".utf8))
                == """
                t.yaml:1:9: error: the character U+0000 is not allowed
                 1 | about: x y
                   |         ^
                expected: printable text with lines that end in LF or CR LF
                """)
    }

    @Test func nobodyEditsATextThatTheReaderRefuses() {
        let bomb =
            (["k0: &k0 [x, x]"] + (1...40).map { "k\($0): &k\($0) [*k\($0 - 1), *k\($0 - 1)]" })
            .joined(separator: "\n")
        var variant = TopologyVariant()
        variant.accessory = TopologyVariant.Program("./mine")
        variant.isHealthy = true
        #expect(variant.text(of: bomb) == bomb)
        #expect(TopologyParts(bomb) == nil)
    }

    @Test func aByteOrderMarkIsNamed() {
        #expect(
            mistake(in: [0xEF, 0xBB, 0xBF] + Array("about: x".utf8)) == """
                t.yaml:1:1: error: the file begins with a byte order mark
                 1 | about: x
                   | ^
                expected: UTF-8 without a byte order mark
                """)
    }

    @Test func aByteThatIsNotUTF8HasAPlace() {
        #expect(
            mistake(in: Array("about: x\nlength: caf".utf8) + [0xE9, 0x0A]) == """
                t.yaml:2:12: error: byte 0xE9 is not UTF-8
                 2 | length: caf\u{FFFD}
                   |            ^
                expected: UTF-8
                """)
    }

    @Test func aFileOfMoreThanAMebibyteIsNotRead() {
        #expect(
            mistake(in: Array(repeating: UInt8(ascii: "#"), count: 1 << 20) + [0x0A]) == """
                t.yaml: error: the file has 1048577 bytes
                expected: at most 1048576 bytes (1 MiB)
                """)
    }

    @Test func aliasesOfAliasesAreCountedNotExpanded() {
        let bomb = (1...40).map { "k\($0): &k\($0) [*k\($0 - 1), *k\($0 - 1)]" }
        #expect(
            mistake(in: Array((["k0: &k0 [x, x]"] + bomb).joined(separator: "\n").utf8)) == """
                t.yaml:16:6: error: with its aliases resolved this is too large
                 16 | k15: &k15 [*k14, *k14]
                    |      ^
                expected: at most 200000 values in a file
                """)
    }

    @Test func anAliasThatIsAKeyIsNotExpandedEither() {
        let bomb = (1...40).map { "k\($0): &k\($0) {? [*k\($0 - 1), *k\($0 - 1)] : x}" }
        #expect(
            mistake(in: Array((["k0: &k0 [x, x]"] + bomb).joined(separator: "\n").utf8)) == """
                t.yaml:2:12: error: a key can only be a word
                 2 | k1: &k1 {? [*k0, *k0] : x}
                   |            ^
                expected: a word and a colon
                """)
    }

    @Test func thereAreAtMost32Levels() {
        let levels = { (count: Int) in
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        #expect(
            mistake(in: Array(levels(33).utf8)) == """
                t.yaml:1:33: error: lists and mappings are nested too deeply here
                 1 | \(levels(33))
                   |                                 ^
                expected: at most 32 levels
                """)
        #expect(
            mistake(in: Array(levels(32).utf8)).hasPrefix(
                "t.yaml:1:1: error: a topology cannot be a list"))
    }

    @Test func anAliasCountsAtItsDepth() {
        let deep = "a: &a " + String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
        let deeper =
            "b: " + String(repeating: "[", count: 15) + "*a" + String(repeating: "]", count: 15)
        #expect(
            mistake(in: Array("\(deep)\n\(deeper)".utf8)) == """
                t.yaml:2:19: error: lists and mappings are nested too deeply here
                 2 | b: [[[[[[[[[[[[[[[*a]]]]]]]]]]]]]]]
                   |                   ^
                expected: at most 32 levels
                """)
    }

    @Test(arguments: ["[", "{a: ", "- ", "? ", "&a [", "[? "])
    func aMebibyteOfLevelsIsRefused(level: String) {
        let text = String(repeating: level, count: (1 << 20) / level.utf8.count)
        #expect(mistake(in: Array(text.utf8)).contains("expected: at most 32 levels"))
    }

    @Test func thereAreAtMostTenThousandSteps() {
        let steps = Array(repeating: "- {at: 1s, thaw: lock}", count: 10_001)
        #expect(
            mistake(in: Array(phoneAndLock("steps:\n" + steps.joined(separator: "\n")).utf8)) == """
                t.yaml:10003:3: error: there are too many steps
                 10003 | - {at: 1s, thaw: lock}
                       |   ^
                expected: at most 10000
                """)
    }

    @Test func everyMayNotMakeMoreStepsThanThat() {
        let steps = Array(repeating: "- {at: 1s, thaw: every tag}", count: 41)
        let devices = "devices: {tag: {profile: qorvo, count: 250}}\nsteps:\n"
        #expect(
            mistake(in: Array((devices + steps.joined(separator: "\n")).utf8)) == """
                t.yaml:43:3: error: there are too many steps
                 43 | - {at: 1s, thaw: every tag}
                    |   ^
                expected: at most 10000
                """)
    }

    @Test func aLongLineIsShownAroundItsMistake() {
        let steps = Array(repeating: "{at: 1s, thaw: lock}", count: 20)
        let line = "steps: [" + steps.joined(separator: ", ") + ", {at: 1s, thaw: lokc}]"
        #expect(
            mistake(in: Array(phoneAndLock(line).utf8)) == """
                t.yaml:2:464: error: there is no device `lokc`
                 2 | …aw: lock}, {at: 1s, thaw: lock}, {at: 1s, thaw: lock}, {at: 1s, thaw: lock}, \
                {at: 1s, thaw: lock}, {at: 1s, thaw: lokc}]
                   | \(String(repeating: " ", count: 115))^~~~
                expected: ben, lock
                did you mean: lock
                """)
    }

    @Test func mutilatedFilesAreReadOrRefusedButNeverFatal() {
        let whole = Array(
            phoneAndLock(
                """
                about: &a "x *y"
                faults: {between: 1s..20s, freeze: {ratio: 1/50, for: 200ms..2s, devices: [lock]}}
                steps:
                  - {when: ni.didUpdate on ben with distance > 3m, after: 1ms, hold: [ben, lock], for: 2s}
                  - {at: 3s, truncate: lock, message: initialize, to: 0x10}
                expect: [violated quiet, exactly 2: "link.up on lock", in order within 5s: [ni, link]]
                """
            ).utf8)
        let scraps = Array("[]{}:,-*&!?|>'\"#% \n\t.0/\\@every".utf8)
        var state: UInt64 = 1
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var refused = 0
        for _ in 0..<500 {
            var bytes = whole
            for _ in 0...next(4) {
                let place = next(bytes.count - 8)
                switch next(4) {
                case 0: bytes[place] = scraps[next(scraps.count)]
                case 1: bytes.insert(scraps[next(scraps.count)], at: place)
                case 2: bytes.removeSubrange(place..<place + next(8))
                default:
                    bytes.insert(contentsOf: bytes[place..<place + next(8)], at: next(bytes.count))
                }
            }
            refused += mistake(in: bytes) == "no mistake" ? 0 : 1
        }
        #expect(refused > 300 && refused < 500)
    }
}
