extension Console {
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
