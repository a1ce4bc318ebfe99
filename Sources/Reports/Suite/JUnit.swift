internal import Invariants
internal import Notation

/// Runs as JUnit XML, which CI servers read.
///
/// A suite is a topology. A case is one of its promises or expectations, or `run`: whether all runs
/// came to their end. Seeds have no cases of their own, so that a server can follow a case from
/// build to build.
package enum JUnit {
    /// A case that no run stands for: the verdict of a whole command, a topology that was not played.
    package struct Remark: Equatable, Sendable {
        /// What became of it.
        package enum Outcome: String, Sendable {
            case passed
            /// It was omitted, which may be right.
            case skipped
            /// What was tested is wrong.
            case failure
            /// It could not be tested.
            case error
        }

        /// The suite it is a case of.
        package let suite: String
        /// The name of the case in its suite.
        package let name: String
        /// What became of it.
        package let outcome: Outcome
        /// One or two words for the kind of failure or error.
        package let type: String
        /// A sentence for a person.
        package let message: String

        package init(
            suite: String, name: String, _ outcome: Outcome, type: String = "", message: String = ""
        ) {
            self.suite = suite
            self.name = name
            self.outcome = outcome
            self.type = type
            self.message = message
        }
    }

    /// The whole document: the remarks' suites in their order, then the runs'.
    ///
    /// With `gateVacuity` a promise that no run exercised is a failure wherever it stands. One that
    /// only some topologies do not exercise is skipped there: no topology exercises all. One of those
    /// `tolerated` is skipped where it was not kept, with what was wrong.
    package static func text(
        of runs: [RunReport], gateVacuity: Bool, tolerated: Set<String> = [],
        remarks: [Remark] = []
    ) -> String {
        let vacuous = SuiteSummary(runs).promises.filter { $0.verdict == .vacuous }.map(\.key)
        let demanded: Set<PromiseKey> = gateVacuity ? Set(vacuous) : []
        let suites =
            Suite.all(of: remarks)
            + runs.byTopology.map {
                Suite($0, demanded: demanded, tolerated: tolerated)
            }
        let cases = suites.flatMap(\.cases)
        // The schema knows no number of skipped cases here.
        let head = XML.attributes([
            "name": "anechoic", "tests": "\(cases.count)",
            "failures": "\(cases.number(.failure))", "errors": "\(cases.number(.error))",
            "time": seconds(suites.reduce(0) { $0 + $1.wall }),
        ])
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites\(head)>\n"
            + suites.map(\.text).joined() + "</testsuites>\n"
    }

    /// Real time; 0 where none was taken, because simulated time is something else.
    fileprivate static func seconds(_ microseconds: UInt64) -> String {
        microseconds == 0 ? "0" : String(Console.seconds(microseconds * 1_000).dropLast(2))
    }
}

/// Why a case has not passed.
private struct Complaint {
    enum Element: String { case skipped, failure, error }

    let element: Element
    let type: String?
    let message: String
    let text: String

    /// A promise that nothing put to the test.
    static func vacuous(isFailure: Bool) -> Complaint {
        isFailure
            ? Complaint(element: .failure, type: "vacuous", message: "never exercised")
            : Complaint(element: .skipped, message: "never exercised")
    }

    /// What a remark says; nil where it says that nothing is wrong.
    init?(_ remark: JUnit.Remark) {
        guard let element = Element(rawValue: remark.outcome.rawValue) else { return nil }
        self.init(
            element: element, type: element == .skipped ? nil : remark.type,
            message: remark.message)
    }

    /// Something wrong in these runs, all of which have the same kind of it.
    ///
    /// Seeds and command come first: what is too long is cut behind them.
    init?(_ element: Element, type: String, message: String, in runs: [RunReport]) {
        guard var first = runs.first else { return nil }
        let seeds = runs.prefix(20).map { "\($0.seed)" }.joined(separator: ", ")
        let more = (runs.count - 20).more.map { " " + $0 } ?? ""
        var lines = [(runs.count == 1 ? "seed: " : "seeds: ") + seeds + more]
        if let replay = first.replay { lines.append("replay: \(replay)") }
        first.replay = nil
        if let story = Console.story(first) { lines.append(story) }
        self.init(
            element: element, type: element == .skipped ? nil : type, message: message,
            text: lines.joined(separator: "\n"))
    }

    private init(element: Element, type: String? = nil, message: String, text: String = "") {
        self.element = element
        self.type = type
        self.message = message
        self.text = text
    }

    var xml: String {
        let name = element.rawValue
        let kind = type.map { XML.attributes(["type": $0]) } ?? ""
        let head = name + kind + XML.attributes(["message": message])
        return text.isEmpty ? "<\(head)/>" : "<\(head)>\(XML.text(text))</\(name)>"
    }
}

/// Something that passes or does not, whatever the seed.
private struct Case {
    let name: String
    let complaint: Complaint?

    func xml(in topology: String) -> String {
        let classname = topology.split(separator: "/").joined(separator: ".")
        let head = XML.attributes(["name": name, "classname": classname, "time": "0"])
        guard let complaint else { return "    <testcase\(head)/>\n" }
        return "    <testcase\(head)>\n      \(complaint.xml)\n    </testcase>\n"
    }
}

extension [Case] {
    fileprivate func number(_ element: Complaint.Element) -> Int {
        filter { $0.complaint?.element == element }.count
    }
}

/// All seeds of one topology, or some remarks.
private struct Suite {
    let topology: String
    let cases: [Case]
    /// The real time of all runs, in microseconds.
    let wall: UInt64

    /// The suites of some remarks, each at the place of its first.
    static func all(of remarks: [JUnit.Remark]) -> [Suite] {
        remarks.map(\.suite).uniqued.map { name in
            Suite(name, remarks: remarks.filter { $0.suite == name })
        }
    }

    private init(_ name: String, remarks: [JUnit.Remark]) {
        topology = name
        wall = 0
        cases = remarks.map { Case(name: $0.name, complaint: Complaint($0)) }
    }

    init(_ runs: [RunReport], demanded: Set<PromiseKey>, tolerated: Set<String>) {
        topology = runs.first?.topology ?? ""
        wall = runs.reduce(0) { $0 + ($1.wall ?? 0) }
        let promises = SuiteSummary(runs).promises.map { promise in
            Case(
                name: promise.id,
                complaint: Self.isMeantToBreak(promise.id, in: runs)
                    ? Self.unbroken(promise.id, in: runs)
                    : Self.complaint(
                        about: promise, demanded: demanded,
                        as: tolerated.contains(promise.id) ? .skipped : .failure))
        }
        cases = [Self.ending(runs)] + promises + Self.expectations(runs)
    }

    var text: String {
        let head = XML.attributes([
            "name": topology, "tests": "\(cases.count)", "failures": "\(cases.number(.failure))",
            "errors": "\(cases.number(.error))", "skipped": "\(cases.number(.skipped))",
            "time": JUnit.seconds(wall),
        ])
        return "  <testsuite\(head)>\n" + cases.map { $0.xml(in: topology) }.joined()
            + "  </testsuite>\n"
    }

    /// Whether every run came to its end.
    private static func ending(_ runs: [RunReport]) -> Case {
        let broken = runs.filter(\.isError).map { run in
            var run = run
            run.promises = []
            run.expectations = []
            return run
        }
        let message = broken.first.map { $0.failure ?? $0.verdict } ?? ""
        let type = broken.first?.verdict ?? ""
        return Case(
            name: "run", complaint: Complaint(.error, type: type, message: message, in: broken))
    }

    private static func complaint(
        about promise: SuiteSummary.PromiseSummary, demanded: Set<PromiseKey>,
        as element: Complaint.Element
    ) -> Complaint? {
        switch promise.verdict {
        case .held: return nil
        case .vacuous: return Complaint.vacuous(isFailure: demanded.contains(promise.key))
        case .inconclusive:
            return Complaint(
                element, type: "inconclusive", message: "the run ended before it was decided",
                in: promise.failing)
        case .violated:
            let violation = promise.failing.first?.promises.first?.violations.first
            return Complaint(
                element, type: "violation", message: violation?.sentence ?? promise.sentence,
                in: promise.failing)
        }
    }

    private static func isMeantToBreak(_ promise: String, in runs: [RunReport]) -> Bool {
        runs.contains { $0.promises.contains { $0.promise == promise && $0.isMeantToBreak } }
    }

    /// What is wrong with a promise that the topology wants broken: that it was not.
    private static func unbroken(_ promise: String, in runs: [RunReport]) -> Complaint? {
        let sentence = "The topology expects \(promise) to be broken, and it was not."
        let missing = runs.compactMap { run in
            run.promises.first { $0.promise == promise && $0.verdict != .violated }.map { _ in
                run.only(
                    RunReport.ExpectationReport(
                        expectation: "violated \(promise)", line: 0, verdict: .violated,
                        reason: sentence))
            }
        }
        return Complaint(.failure, type: "unbroken", message: sentence, in: missing)
    }

    /// One case for each text; two lines that say the same come to the same.
    private static func expectations(_ runs: [RunReport]) -> [Case] {
        let names = runs.flatMap(\.expectations).filter { !$0.isUnbroken }.map(\.expectation)
        return names.uniqued.map { Case(name: $0, complaint: complaint(expectation: $0, in: runs)) }
    }

    /// As of a promise: one that was met is worth more than those that were left open.
    private static func complaint(expectation name: String, in runs: [RunReport]) -> Complaint? {
        func showing(_ verdict: Verdict.Outcome) -> [RunReport] {
            runs.compactMap { run in
                run.expectations.first { $0.expectation == name && $0.verdict == verdict }
                    .map { run.only($0) }
            }
        }
        let violated = showing(.violated)
        let reason = violated.first?.expectations.first?.reason ?? "It was not met."
        if let complaint = Complaint(.failure, type: "violation", message: reason, in: violated) {
            return complaint
        }
        guard showing(.held).isEmpty else { return nil }
        return Complaint(
            .failure, type: "inconclusive", message: "the run ended before it was decided",
            in: showing(.inconclusive))
    }
}

extension RunReport {
    /// Whether there is more wrong with it than what it shows of promises and expectations.
    fileprivate var isError: Bool {
        switch status {
        case .held, .violated, .inconclusive: false
        case .deviceFailed, .wrongUse, .wrongFile, .harnessError, .interrupted: true
        }
    }
}

extension RunReport.ExpectationReport {
    /// Whether it stands for a promise that should have been broken, which has a case of its own.
    fileprivate var isUnbroken: Bool { expectation == "violated" && line == 0 }
}
