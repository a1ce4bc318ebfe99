import Campaigns
import Testing

/// Which names `-k` means.
struct NameFilterTests {
    @Test(arguments: [
        ("drop", ["dropout/a", "dropout/b"]), ("DROP and b", ["dropout/b"]),
        ("a or b", ["dropout/a", "dropout/b", "basics/c"]), ("not drop", ["basics/c"]),
        ("not (drop and a)", ["dropout/b", "basics/c"]),
        ("drop and not a or c", ["dropout/b", "basics/c"]),
        ("mine", []),
    ])
    func aFilterMeansNames(_ text: String, _ meant: [String]) throws {
        let filter = try NameFilter(text)
        #expect(["dropout/a", "dropout/b", "basics/c"].filter(filter.matches) == meant)
    }

    @Test(arguments: [
        ("", "a part of a name is missing"), ("a and", "a part of a name is missing"),
        ("(a", "a parenthesis is not closed"),
        ("a b", "`b` follows its end; expected and, or"),
        ("a )", "`)` follows its end; expected and, or"),
    ])
    func aFilterThatMeansNothingIsWrongUse(_ text: String, _ reason: String) {
        let error = #expect(throws: WrongUse.self) { try NameFilter(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
}
