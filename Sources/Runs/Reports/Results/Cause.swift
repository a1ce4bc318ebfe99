import Basics
package import Promises

/// Why things broke together: what a run that shows it breaks first, with all that breaks by the same reason.
///
/// Whatever tells of failures tells of causes: a bug that breaks ten clauses is one case, with ten clauses below it.
package struct Cause: Encodable, Equatable, Sendable {
    /// A promise that it breaks.
    package struct Breach: Encodable, Equatable, Sendable {
        package let promise: String
        /// What is promised.
        package let statement: String
        package let level: Property.Level
        /// Who has to keep it, in words; nil where nobody in particular has.
        package let keeper: String?
        /// Where it is written.
        package let clause: String
        /// What happened the first time.
        package let sentence: String
        /// In how many runs, of so many.
        package let runs: Int
        package let of: Int
        /// The first run that broke it.
        package let first: RunName?
        /// The command that repeats that run.
        package let replay: String?
        /// The clauses of R4 that it breaks, the most binding first.
        package let clauses: [Rule]

        package init(
            _ promise: SuiteSummary.PromiseSummary, level: Property.Level, clauses: [Rule]
        ) {
            let run = promise.failing.first
            let about = promise.about
            (self.promise, statement, self.level) = (promise.id, about.sentence, level)
            let violation = run?.promises.first?.violations.first
            keeper = about.keeperWords(brokenBy: violation?.device)
            clause = about.clause.text
            sentence = violation?.sentence ?? "it was not kept"
            (runs, of) = (promise.agreeing, promise.runs)
            (first, replay) = (run.map(RunName.init), run?.replay)
            self.clauses = clauses
        }
    }

    /// The smallest topology that fails so.
    package struct Scenario: Encodable, Equatable, Sendable {
        package let file: String
        /// How much smaller it is: `lines 27 → 6`.
        package let change: String
        package let text: String

        package init(file: String, change: String, text: String) {
            (self.file, self.change, self.text) = (file, change, text)
        }
    }

    /// What it breaks: first what the run that shows it breaks first.
    package let breaches: [Breach]
    /// Whether it fails the test.
    package let fails: Bool
    /// The run that shows it, with its story, its command and what the device had logged.
    package let first: RunReport?
    package var scenario: Scenario?
    /// What races, or what it takes to pass.
    package var why: String?
    /// Why there is no smaller topology, or no reason.
    package var trouble: String?

    package init(_ breaches: [Breach], fails: Bool, first: RunReport?) {
        (self.breaches, self.fails, self.first) = (breaches, fails, first)
    }

    /// The clauses of R4 below it, each once.
    package var clauses: [Rule] { breaches.flatMap(\.clauses).uniqued.mostBindingFirst }

    /// What is known beside the story of the first run, a line each.
    package var lines: [String] {
        var lines: [String] = []
        if !clauses.isEmpty {
            lines.append(
                "clauses: "
                    + clauses.map { "\($0.id) (\($0.level.rawValue))" }.joined(separator: ", "))
        }
        for breach in breaches.dropFirst() {
            lines.append(
                "breaks as well: \(breach.promise), in \(breach.runs.counted("run")): \(breach.sentence)"
            )
        }
        if let why { lines.append("why: \(why)") }
        if let trouble { lines.append(trouble) }
        if let scenario {
            lines.append("smaller: \(scenario.file) (\(scenario.change))")
            lines += scenario.text.split(separator: "\n").map { "    " + $0 }
        }
        return lines
    }
}

extension [Rule] {
    /// Musts before shoulds before mays, otherwise as they are.
    package var mostBindingFirst: [Rule] {
        Property.Level.allCases.flatMap { level in filter { $0.level == level } }
    }
}
