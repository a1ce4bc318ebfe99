import DeviceLink
import Reports
import RunSupport
import TestSupport

/// A command that has found something of each kind, and one in which a device says what it likes.
enum SampleResults {
    static let broken = RunReport.of(
        "dropout", seed: 2, [.of("quiet", .violated, "It sent <stop> & went on.")],
        status: .violated)

    /// `conform`, which did not hold.
    static var mixed: TestResults {
        var failing = TestCase(
            "R4-2.3-6", in: "R4.accessory",
            .failure(type: "violation", message: "It sent <stop> & went on."), shownBy: [broken])
        failing.place = SourcePlace("Topologies/dropout.yaml", line: 9)
        let clauses = [
            TestCase("R4-2.3-1", in: "R4.app", .passed), failing,
            TestCase("R4-3.6.1-3", in: "R4.app", .warning("should, not kept: It ranged on.")),
            TestCase("R4-4.3.3-2", in: "R4.accessory", .skipped("never exercised")),
        ]
        return results(
            [TestSuite("R4", clauses)], .violated, "DOES NOT CONFORM (1 promise broken).")
    }

    /// What no format may obey: ends of lines, elements, tables, directives, commands, escapes.
    static let hostile = """
        # SKIP \u{1B}[2J</script><img src=x>| `a` *b* [c](javascript:d) @all "e\\" \u{202E}%0A::add-mask::f
        ::error::g
        not ok 9 - h ##[add-mask]i
        """

    static var nasty: TestResults {
        let run = RunReport.failed(hostile, seed: 1, hostile)
        var test = TestCase(
            hostile, in: hostile, .error(type: hostile, message: hostile), shownBy: [run])
        test.place = SourcePlace(hostile, line: 1)
        let warned = TestCase(hostile, in: "a", .warning(hostile))
        let skipped = TestCase(hostile, in: "b", .skipped(hostile))
        var found = results(
            [TestSuite(hostile, [test, warned, skipped])], .deviceFailed, hostile)
        found.properties = [Pair(hostile, hostile)]
        return found
    }

    static func results(
        _ suites: [TestSuite], _ status: ExitStatus, _ conclusion: String
    ) -> TestResults {
        var results = TestResults(of: "conform", version: "1.2")
        (results.found, results.status, results.conclusion) = (suites, status, conclusion)
        return results
    }

    /// A command that an error has ended.
    static var ended: TestResults {
        var results = TestResults(of: "run")
        (results.status, results.conclusion) = (.wrongFile, "a.yaml:2:9: error: unknown key\nmodle")
        results.trouble = "not played"
        return results
    }
}
