import Basics
import Testing

/// Numbers with units: whole numbers of the smallest unit, exact or refused.
struct QuantityTests {
    @Test(
        arguments: [
            (Quantity.duration, "1.5s", 1_500_000_000), (.duration, "720 ms", 720_000_000),
            (.duration, "2min", 120_000_000_000), (.duration, "0", 0),
            (.duration, "1.50000s", 1_500_000_000),
            (.length, "-30cm", -300), (.length, "0.001m", 1), (.angle, "12.25deg", 1_225),
        ] as [(Quantity, String, Int64)])
    func aNumberIsReadExactly(quantity: Quantity, text: String, value: Int64) throws {
        #expect(try quantity.value(of: text) == value)
    }

    @Test(arguments: [
        (Quantity.duration, "soon", QuantityError.notANumber), (.duration, ".5s", .notANumber),
        (.duration, "20", .unitMissing(number: "20")),
        (.duration, "20m", .unitUnknown("m", number: "20")), (.length, "0.5mm", .tooFine),
        (.duration, "1.0000000001s", .tooFine), (.duration, "9999999999min", .tooLarge),
    ])
    func whatIsNotExactIsRefused(quantity: Quantity, text: String, error: QuantityError) {
        #expect(throws: error) { try quantity.value(of: text) }
    }

    @Test(
        arguments: [
            (Quantity.duration, 1_500_000_000, "1.5s"), (.duration, 90_000_000_000, "90s"),
            (.duration, 120_000_000_000, "2min"), (.duration, 1_234_567, "1234.567us"),
            (.duration, 0, "0s"), (.length, -3_000, "-3m"), (.angle, 1_225, "12.25deg"),
        ] as [(Quantity, Int64, String)])
    func aValueIsWrittenInItsLargestUnit(quantity: Quantity, value: Int64, text: String) throws {
        #expect(quantity.text(of: value) == text)
        #expect(try quantity.value(of: text) == value)
    }
}
