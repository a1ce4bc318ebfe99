extension Console {
    /// All that is said about one run: its promises, its row and its story.
    package static func whole(_ report: RunReport) -> String {
        table(report.promises) + "\n" + table([report]).joined(separator: "\n")
            + (story(report).map { "\n\($0)\n" } ?? "")
    }

    /// One row for each promise of a run, and for each that what was judged cannot show.
    package static func table(
        _ promises: [RunReport.PromiseReport], notSeen: [String] = []
    ) -> String {
        TextTable(
            header: ["promise", "verdict", "exercised", "excused", "closest call"],
            rows: promises.map {
                [
                    $0.promise, $0.verdict.rawValue, "\($0.exercised)", "\($0.excused)",
                    $0.closestCall.map(seconds) ?? "",
                ]
            } + notSeen.map { [$0, "not seen", "", "", ""] }
        ).text + "\n"
    }
}
