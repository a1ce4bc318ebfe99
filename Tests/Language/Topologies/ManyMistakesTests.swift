import Testing

/// Files with very many mistakes.
struct ManyMistakesTests {
    @Test func ofVeryManyMistakesTwentyAreShown() {
        let steps = (1...25).map { "  - {at: \($0), kill: lock}" }.joined(separator: "\n")
        let words = mistake(in: Array(phoneAndLock("steps:\n" + steps).utf8))
        #expect(words.split(separator: "error:").count == 21)
        #expect(words.hasSuffix("\n\nt.yaml: 5 more mistakes"))
    }
}

/// Patterns that an event can match, if few.
struct PossiblePatternTests {
    @Test func aValueOfAnotherKindBelowAFamilyIsPossible() throws {
        _ = try topology(phoneAndLock("expect: [never: ni with reason = timeout]"))
        _ = try topology(phoneAndLock("expect: [never: link with reason < 255]"))
    }
}
