import Basics
import DeviceLink
import Testing

/// Ratios, times, and words that were meant.
struct WordTests {
    @Test(arguments: [
        ("1/20", Ratio(1, 20)), ("5%", Ratio(5, 100)), ("0", .zero), ("1", Ratio(1, 1)),
    ])
    func aRatioIsWrittenInThreeWays(text: String, ratio: Ratio) {
        #expect(Ratio(written: text) == ratio)
    }

    @Test(arguments: ["", "/", "1/0", "3/2", "101%", "-1/2", "0.5", "1/2/3", "½"])
    func whatIsNoShareIsNone(text: String) { #expect(Ratio(written: text) == nil) }

    @Test func aTimeHasThreeDecimalsOrSix() {
        #expect(Nanoseconds.milliseconds(3_204).seconds == "3.204 s")
        #expect((Nanoseconds.seconds(1) + 25_000).seconds == "1.000025 s")
        #expect(VirtualTime.zero.seconds == "0.000 s")
    }

    @Test(arguments: [
        ("modle", "model"), ("Perr", "peer"), ("heading", "heading"), ("heading-of", "heading"),
        ("mod", "model"), ("xyz", nil),
    ])
    func theNearestWordIsMeant(wrong: String, meant: String?) {
        #expect(Suggestion.nearest(to: wrong, among: ["model", "peer", "heading"]) == meant)
    }

    @Test func aSentenceAboutAWrongNameEndsInAQuestionIfOneIsNear() {
        #expect(Suggestion.question(about: "bne", among: ["ben", "lock"]) == "; did you mean ben?")
        #expect(Suggestion.question(about: "door", among: ["ben", "lock"]) == "")
    }

    @Test func ofTwoThatAreAsNearTheFirstIsMeant() {
        #expect(Suggestion.nearest(to: "pat", among: ["pit", "pet"]) == "pit")
    }
}
