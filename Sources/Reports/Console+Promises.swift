extension Console {
    /// One row for each promise of a run.
    package static func table(_ promises: [RunReport.PromiseReport]) -> String {
        TextTable(
            header: ["promise", "verdict", "exercised", "excused", "closest call"],
            rows: promises.map {
                [
                    $0.promise, $0.verdict.rawValue, "\($0.exercised)", "\($0.excused)",
                    $0.closestCall.map(seconds) ?? "",
                ]
            }
        ).text + "\n"
    }
}
