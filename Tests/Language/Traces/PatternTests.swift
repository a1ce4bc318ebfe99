import Basics
import DeviceLink
import Testing
import Traces

/// Patterns of events as text.
struct PatternTests {
    @Test(arguments: [
        "link.up", "link.up on lock", "msg.initialize on ben with session = 3",
        "ni.didUpdate with distance > 3m and distance != none",
        "ni.didUpdate with azimuth >= -12.5deg and elevation < 1.25deg",
        "link.updated with interval = 30ms and timeout <= 5s and latency = 4",
        "ni.didInvalidate with code = -5884 and error = userDidNotAllow",
        "device.died with cause = \"out of memory\"",
        "x with text = \"3\" and other = \"a \\\" \\\\ b\"",
        "gatt.configuration with configuration = hex:0a0bff", "msg with spoilt = true",
        "x with a = \"and\" and b = \"true\" and c = \"hex:\" and d = \"\"",
    ])
    func aPatternIsWrittenAsItIsRead(text: String) throws {
        #expect(try EventPattern(parsing: text).description == text)
    }

    @Test(
        arguments: [
            ("a with f = 0x13", .number(0x13)), ("a with f = -7", .number(-7)),
            ("a with f=20ms", .number(20_000_000)), ("a with f = 20", .number(20)),
            ("a with f = 20x", .text("20x")), ("a with f = off", .text("off")),
            ("a with f = false", .flag(false)), ("a with f = none", .none),
            ("a with f = hex:00FF", .bytes([0, 255])), ("a with distance = 1.5m", .number(1_500)),
        ] as [(String, Field.Value)])
    func aValueSaysWhatItIs(text: String, value: Field.Value) throws {
        #expect(try EventPattern(parsing: text).conditions.map(\.value) == [value])
    }

    @Test(arguments: [
        ("", "the pattern ends too early", "the kind of an event, like link.up", 1),
        ("= 3", "something else is meant here", "the kind of an event, like link.up", 1),
        ("a on", "the pattern ends too early", "the name of a device", 5),
        ("a with f", "the pattern ends too early", "=, !=, <, <=, > or >= after `f`", 9),
        ("a with f =", "the pattern ends too early", "a value", 11),
        ("a with f = =", "something else is meant here", "a value", 12),
        ("a with f => 3", "`=>` compares nothing", "=, !=, <, <=, > or >=", 10),
        ("a with f = \"b", "this quote does not end", "a closing \"", 12),
        ("a b", "this does not belong to the pattern", "`on`, `with` or the end", 3),
        ("a with f = 1 g", "this does not belong to the pattern", "`and` or the end", 14),
        ("a with f < none", "`<` compares numbers only", "a number, or one of = and !=", 12),
        (
            "a with distance = 3", "`distance` is a length and needs a unit",
            "a number and mm, cm or m", 19
        ),
        ("a with distance = 3s", "`3s` is not a length", "a number and mm, cm or m", 19),
        (
            "a with azimuth = 0.001deg", "`0.001deg` is finer than can be measured",
            "a number and deg", 18
        ),
        (
            "a with f = hex:0", "`hex:0` is not a number of bytes",
            "two hexadecimal digits a byte, like hex:0a0b", 12
        ),
    ])
    func aMistakeHasAColumn(text: String, message: String, expected: String, column: Int) {
        do {
            _ = try EventPattern(parsing: text)
            Issue.record("`\(text)` was read")
        } catch {
            #expect(error.message == message)
            #expect(error.expected == expected)
            #expect(error.column == column)
        }
    }
}

/// Numbers with units.
struct QuantityTests {
    @Test(
        arguments: [
            (.duration, "0", 0), (.duration, "20 s", 20_000_000_000), (.duration, "1.5us", 1_500),
            (.duration, "2min", 120_000_000_000), (.duration, "1.000000001s", 1_000_000_001),
            (.duration, "1.50ns", nil), (.duration, "1.5ns", nil), (.length, "-3m", -3_000),
            (.length, "1.25 m", 1_250), (.length, "2.5cm", 25), (.angle, "12.34deg", 1_234),
            (.length, "0.0005m", nil), (.length, "3", nil), (.length, "3 s", nil),
            (.length, "m", nil),
            (.length, "9999999999999999m", nil), (.length, "3.m", nil), (.length, "--3m", nil),
        ] as [(Quantity, String, Int64?)])
    func aQuantityIsExactOrRefused(quantity: Quantity, text: String, value: Int64?) {
        #expect((try? quantity.value(of: text)) == value)
    }

    @Test(
        arguments: [
            (.duration, 0, "0s"), (.duration, 1, "1ns"), (.duration, 1_500_000_000, "1.5s"),
            (.duration, 720_000_000, "720ms"), (.duration, 1_022_500_000, "1022.5ms"),
            (.duration, 60_000_000_000, "1min"), (.duration, 90_000_000_000, "90s"),
            (.length, -3_000, "-3m"), (.length, 25, "2.5cm"), (.angle, 6_000, "60deg"),
            (.angle, 5, "0.05deg"),
        ] as [(Quantity, Int64, String)])
    func aQuantityIsWrittenShort(quantity: Quantity, value: Int64, text: String) throws {
        #expect(quantity.text(of: value) == text)
        #expect(try quantity.value(of: text) == value)
    }
}

/// What was probably meant.
struct SuggestionTests {
    @Test(
        arguments: [
            ("lok", "lock"), ("lcok", "lock"), ("LOCK", "lock"), ("locks", "lock"), ("bne", "ben"),
            ("gate_one", "gate-one"), ("gate", "gate-one"), ("zebra", nil), ("x", nil), ("", nil),
        ] as [(String, String?)])
    func theNearestNameIsSuggested(said: String, meant: String?) {
        #expect(Suggestion.nearest(to: said, among: ["ben", "lock", "gate-one"]) == meant)
    }
}
