/// JUnit XML, which CI servers read.
package enum JUnit {
    package static func text(of suites: [TestSuite]) -> String {
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

extension TestSuite {
    fileprivate var xml: String {
        var head = XML.attributes([
            "name": name, "tests": "\(cases.count)",
            "failures": "\(cases.count(where: \.isFailure))",
            "errors": "\(cases.count(where: \.isError))",
            "skipped": "\(cases.count { $0.isSkipped || $0.isWarning })",
            "time": JUnit.seconds(wall),
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

extension TestCase {
    fileprivate var xml: String {
        let head = XML.attributes([
            "name": name, "classname": classname, "time": JUnit.seconds(evidence.wall),
        ])
        guard let complaint else { return "    <testcase\(head)/>\n" }
        return "    <testcase\(head)>\n      \(complaint)\n    </testcase>\n"
    }

    /// What says that it has not passed, and why; nil where it has.
    private var complaint: String? {
        switch outcome {
        case .passed: nil
        // The schema knows no warnings.
        case .skipped(let message), .warning(let message):
            element("skipped", XML.attributes(["message": message]))
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
