package import Reports

/// What the device under test does not have, as far as discovery has shown: clauses about an optional part
/// do not bind where it was looked for and is not there.
package struct Absences {
    /// Clauses about a part, and the promises that are put to the test wherever there is one.
    private struct Part {
        let clauses: [String]
        let shownBy: [String]
    }

    /// What the promise about each service that was discovered to its end shows to have been looked at.
    private static let discovery = "single-characteristic-present"

    private static let parts = [
        // A Multiple characteristic (R4 4.3, C.2 and 4.3.3).
        Part(
            clauses: [
                "R4-4.3-13", "R4-4.3-14", "R4-4.3-15", "R4-4.3.3-2", "R4-4.3.3-3", "R4-4.3.3-4",
                "R4-4.3.3-5", "R4-4.3.3-6", "R4-4.3.3-7", "R4-4.3.3-8", "R4-4.3.3-9",
            ], shownBy: ["single-beside-multiple"]),
        // Several Single characteristics, and so user descriptions (R4 4.3, C.1 and 4.3.4).
        Part(
            clauses: ["R4-4.3-7", "R4-4.3.4-1", "R4-4.3.4-2"],
            shownBy: ["single-descriptions-present"]),
        Part(
            clauses: ["R4-4.3-9", "R4-4.3-10", "R4-4.3-11"],
            shownBy: [
                "single-descriptions-present", "single-descriptions-readable",
                "single-descriptions-read-only", "single-descriptions-encrypted",
            ]),
        // Several Multiple characteristics.
        Part(
            clauses: ["R4-4.3-16", "R4-4.3.4-3", "R4-4.3.4-4"],
            shownBy: ["multiple-descriptions-present"]),
        Part(
            clauses: ["R4-4.3-18", "R4-4.3-19", "R4-4.3-20"],
            shownBy: [
                "multiple-descriptions-present", "multiple-descriptions-readable",
                "multiple-descriptions-read-only", "multiple-descriptions-encrypted",
            ]),
    ]

    /// The clauses that do not bind.
    package let clauses: Set<String>

    /// Looks for the parts in what all runs have shown.
    package init(in summary: SuiteSummary) {
        func isExercised(_ promise: String) -> Bool { summary[promise]?.exercised ?? 0 > 0 }
        guard isExercised(Self.discovery) else {
            clauses = []
            return
        }
        clauses = Set(
            Self.parts.filter { !$0.shownBy.contains(where: isExercised) }.flatMap(\.clauses))
    }
}
