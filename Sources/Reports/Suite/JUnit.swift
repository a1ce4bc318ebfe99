package import DeviceLink
internal import Notation

/// JUnit XML, which CI servers read.
package enum JUnit {
    /// Something that passes or does not, whatever the seed, so that a server can follow it from build to
    /// build.
    package struct Case: Equatable, Sendable {
        /// What became of it.
        package enum Outcome: Equatable, Sendable {
            case passed
            /// It does not count here; the sentence says why.
            case skipped(String)
            /// What was tested is wrong: one or two words for the kind, and a sentence.
            case failure(type: String, message: String)
            /// It could not be tested: one or two words for the kind, and a sentence.
            case error(type: String, message: String)
        }

        package let name: String
        /// Where a server shows it: parts with dots between them.
        package let classname: String
        package let outcome: Outcome
        /// What a person reads: which seeds, the command that repeats the first run, what went wrong in it.
        package let text: String
        /// The real time of the runs that show it, in microseconds.
        package let wall: UInt64

        /// A case; `runs` are those that show why it has not passed.
        package init(
            _ name: String, in classname: String, _ outcome: Outcome, shownBy runs: [RunReport] = []
        ) {
            self.name = name
            self.classname = classname.split(separator: "/").joined(separator: ".")
            self.outcome = outcome
            text = outcome == .passed ? "" : Self.text(of: runs)
            wall = runs.reduce(0) { $0 + ($1.wall ?? 0) }
        }

        /// Seeds and command come first: what is too long is cut behind them.
        private static func text(of runs: [RunReport]) -> String {
            guard var first = runs.first else { return "" }
            let seeds = runs.prefix(20).map { "\($0.seed)" }.joined(separator: ", ")
            let more = (runs.count - 20).more.map { " " + $0 } ?? ""
            var lines = [(runs.count == 1 ? "seed: " : "seeds: ") + seeds + more]
            if let replay = first.replay { lines.append("replay: \(replay)") }
            first.replay = nil
            if let story = Console.story(first) { lines.append(story) }
            return lines.joined(separator: "\n")
        }
    }

    /// Cases that belong together.
    package struct Suite: Equatable, Sendable {
        package let name: String
        package let cases: [Case]
        /// The file that it is about.
        package var file: String?
        /// The version of the program that tested.
        package var version: String?
        /// What the cases rest on.
        package var properties: [Pair] = []
        /// The real time of all its runs in microseconds; 0 where none was taken.
        package var wall: UInt64 = 0

        /// A suite without a file.
        package init(_ name: String, _ cases: [Case]) { (self.name, self.cases) = (name, cases) }
    }

    /// The whole document.
    package static func text(of suites: [Suite]) -> String {
        let cases = suites.flatMap(\.cases)
        // The schema knows no number of skipped cases here.
        let head = XML.attributes([
            "name": "anechoic", "tests": "\(cases.count)",
            "failures": "\(cases.count(where: \.isFailure))",
            "errors": "\(cases.count(where: \.isError))",
            "time": seconds(suites.reduce(0) { $0 + $1.wall }),
        ])
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites\(head)>\n"
            + suites.map(\.xml).joined() + "</testsuites>\n"
    }

    /// Real time; 0 where none was taken, because simulated time is something else.
    fileprivate static func seconds(_ microseconds: UInt64) -> String {
        microseconds == 0 ? "0" : String(Console.seconds(microseconds * 1_000).dropLast(2))
    }
}

extension JUnit.Suite {
    fileprivate var xml: String {
        var head = XML.attributes([
            "name": name, "tests": "\(cases.count)",
            "failures": "\(cases.count(where: \.isFailure))",
            "errors": "\(cases.count(where: \.isError))",
            "skipped": "\(cases.count(where: \.isSkipped))", "time": JUnit.seconds(wall),
        ])
        if let file { head += XML.attributes(["file": file]) }
        if let version { head += XML.attributes(["version": version]) }
        return "  <testsuite\(head)>\n" + propertiesXML + cases.map(\.xml).joined()
            + "  </testsuite>\n"
    }

    private var propertiesXML: String {
        guard !properties.isEmpty else { return "" }
        let lines = properties.map { property in
            "      <property\(XML.attributes(["name": property.name, "value": property.value]))/>\n"
        }
        return "    <properties>\n\(lines.joined())    </properties>\n"
    }
}

extension JUnit.Case {
    fileprivate var isFailure: Bool { if case .failure = outcome { true } else { false } }
    fileprivate var isError: Bool { if case .error = outcome { true } else { false } }
    fileprivate var isSkipped: Bool { if case .skipped = outcome { true } else { false } }

    fileprivate var xml: String {
        let head = XML.attributes([
            "name": name, "classname": classname, "time": JUnit.seconds(wall),
        ])
        guard let complaint else { return "    <testcase\(head)/>\n" }
        return "    <testcase\(head)>\n      \(complaint)\n    </testcase>\n"
    }

    /// What says that it has not passed, and why; nil where it has.
    private var complaint: String? {
        switch outcome {
        case .passed: nil
        case .skipped(let message): element("skipped", XML.attributes(["message": message]))
        case .failure(let type, let message):
            element("failure", XML.attributes(["type": type, "message": message]))
        case .error(let type, let message):
            element("error", XML.attributes(["type": type, "message": message]))
        }
    }

    private func element(_ name: String, _ attributes: String) -> String {
        text.isEmpty
            ? "<\(name)\(attributes)/>" : "<\(name)\(attributes)>\(XML.text(text))</\(name)>"
    }
}
