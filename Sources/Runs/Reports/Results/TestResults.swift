package import DeviceLink

/// Cases that belong together.
package struct TestSuite: Equatable, Sendable {
    package let name: String
    package var cases: [TestCase]
    /// The file that it is about.
    package var file: String?
    /// The version of the program that tested.
    package var version: String?
    /// What the cases rest on.
    package var properties: [Pair] = []
    /// The real time of all its runs in microseconds; 0 where none was taken.
    package var wall: UInt64 = 0

    /// A suite without a file.
    package init(_ name: String, _ cases: [TestCase]) { (self.name, self.cases) = (name, cases) }
}

/// What a command has found, for other tools: JUnit, CTRF, TAP, SARIF, GitLab's code quality and GitHub's pages are written from it.
package struct TestResults: Equatable, Sendable {
    /// The verb: `run`.
    package let command: String
    /// The version of this program; empty where it does not matter.
    package let version: String
    package var status: ExitStatus
    /// One line that says what came out.
    package var conclusion: String
    /// What was found, beside the verdict.
    package var found: [TestSuite] = []
    /// What the verdict rests on.
    package var properties: [Pair] = []
    /// One or two words for what kept the command from its end; nil where it has come there.
    package var trouble: String?

    /// A command that has not come to its end.
    package init(unfinished command: String, version: String = "") {
        (self.command, self.version) = (command, version)
        status = .harnessError
        conclusion = "the command has not come to its end"
        trouble = "unfinished"
    }

    /// A command that has found nothing yet.
    package init(of command: String, version: String = "") {
        (self.command, self.version, status, conclusion) = (command, version, .held, "")
    }

    /// All suites: what was found, and before it the one case that stands for the whole command.
    ///
    /// That case passes where the exit status is 0, and only there. Where others say why it is not, it is left out, so
    /// that one thing that is wrong is one case, and the conclusion is a property.
    package var suites: [TestSuite] {
        let isSaid = trouble == nil && status != .interrupted
        guard !isSaid || !found.flatMap(\.cases).contains(where: \.isRed) else {
            var suites = found
            suites[0].properties = properties + [Pair("conclusion", conclusion)]
            suites[0].version = suites[0].version ?? (version.isEmpty ? nil : version)
            return suites
        }
        var suite = TestSuite(command, [TestCase("verdict", in: command, verdict)])
        suite.version = version.isEmpty ? nil : version
        suite.properties = properties
        return [suite] + found
    }

    package var cases: [TestCase] { suites.flatMap(\.cases) }

    package var redCases: [TestCase] { cases.filter(\.isRed) }

    private var verdict: TestCase.Outcome {
        let words = conclusion.isEmpty ? status.word : conclusion
        if let trouble { return .error(type: trouble, message: words) }
        return switch status {
        case .held: .passed
        case .violated: .failure(type: status.word, message: words)
        default: .error(type: status.word, message: words)
        }
    }
}
