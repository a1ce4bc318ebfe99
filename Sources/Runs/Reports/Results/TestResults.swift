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

    /// All suites: the first has the one case that stands for the whole command.
    ///
    /// It passes where the exit status is 0, and only there.
    package var suites: [TestSuite] {
        var suite = TestSuite(command, [TestCase("verdict", in: command, verdict)])
        suite.version = version.isEmpty ? nil : version
        suite.properties = properties
        return [suite] + found
    }

    package var cases: [TestCase] { suites.flatMap(\.cases) }

    /// Those that stand for something that was tested, and not for the command.
    package var redCases: [TestCase] {
        let red = cases.filter(\.isRed)
        return red.count > 1 ? Array(red.dropFirst()) : red
    }

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
