import Artifacts
package import Promises

/// Something that passes or does not, whatever the seed, so that a server can follow it from build to
/// build.
package struct TestCase: Equatable, Sendable {
    /// What became of it.
    package enum Outcome: Equatable, Sendable {
        case passed
        /// It does not count here; the sentence says why.
        case skipped(String)
        /// It was not kept, and is only recommended; the sentence says how.
        case warning(String)
        /// What was tested is wrong: one or two words for the kind, and a sentence.
        case failure(type: String, message: String)
        /// It could not be tested: one or two words for the kind, and a sentence.
        case error(type: String, message: String)
    }

    package let name: String
    /// Where a server shows it: parts with dots between them.
    package let classname: String
    package let outcome: Outcome
    /// The runs that show why it has not passed.
    package internal(set) var evidence: Evidence
    /// Where it can be seen; nil where there is no such file.
    package var place: SourcePlace?
    /// The clauses and promises that it stands for, the most binding first.
    package var rules: [Rule] = []
    /// What else is known of it, a line each.
    package var details: [String] = []

    package init(
        _ name: String, in classname: String, _ outcome: Outcome, shownBy runs: [RunReport] = []
    ) {
        (self.name, self.outcome, evidence) = (name, outcome, Evidence(runs))
        self.classname = classname.split(separator: "/").joined(separator: ".")
    }

    /// Its name with where it stands, for lists of all cases.
    package var fullName: String { classname.isEmpty ? name : "\(classname) \(name)" }

    /// What a person reads: which seeds, the command that repeats the first run, what went wrong in it.
    package var text: String {
        guard outcome != .passed else { return "" }
        return ([evidence.text].filter { !$0.isEmpty } + details).joined(separator: "\n")
    }

    package var isFailure: Bool { if case .failure = outcome { true } else { false } }
    package var isError: Bool { if case .error = outcome { true } else { false } }
    package var isWarning: Bool { if case .warning = outcome { true } else { false } }
    package var isSkipped: Bool { if case .skipped = outcome { true } else { false } }
    /// Whether a build must not go on.
    package var isRed: Bool { isFailure || isError }

    /// The sentence that goes with its outcome; nil where it has passed.
    package var message: String? {
        switch outcome {
        case .passed: nil
        case .skipped(let message), .warning(let message): message
        case .failure(_, let message), .error(_, let message): message
        }
    }
}

/// A line of a file.
package struct SourcePlace: Equatable, Sendable {
    /// As the user named it.
    package let file: String
    /// From 1; nil for the file as a whole.
    package let line: Int?

    package init(_ file: String, line: Int? = nil) {
        self.file = file
        self.line = line.flatMap { $0 > 0 ? $0 : nil }
    }
}

/// A sentence that a case can break, as code hosts list it: a clause of R4, or a promise.
package struct Rule: Encodable, Equatable, Sendable {
    /// `R4-3.4.1-1`, or the promise's name.
    package let id: String
    package let statement: String
    package let level: Property.Level
    /// Who has to keep it; nil where nobody in particular has.
    package let keeper: Property.Keeper?

    package init(_ clause: Clause) {
        (id, statement, level) = (clause.id, clause.statement, clause.level)
        keeper = clause.keeper
    }

    package init(_ promise: PromiseDescription) {
        (id, statement, level) = (promise.id, promise.sentence, promise.level)
        keeper = promise.keeper
    }
}
