import Artifacts
package import Foundation
import Promises

/// The Static Analysis Results Interchange Format, version 2.1.0: code hosts list the clauses and promises that were
/// not kept beside the code.
package enum SARIF {
    package static func text(of results: TestResults) throws -> Data {
        try json(Log(runs: [Run(results)]))
    }

    private struct Log: Encodable {
        let schema =
            "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
        let version = "2.1.0"
        let runs: [Run]

        private enum CodingKeys: String, CodingKey {
            case schema = "$schema"
            case version, runs
        }
    }

    private struct Run: Encodable {
        let tool: [String: Driver]
        let invocations: [Invocation]
        let results: [Finding]
        let columnKind = "unicodeCodePoints"

        init(_ results: TestResults) {
            let broken = results.cases.filter { $0.isRed || $0.isWarning }
            // Each rule once, in the order of the cases.
            var rules: [Rule] = []
            for rule in broken.flatMap(\.rules) where !rules.contains(where: { $0.id == rule.id }) {
                rules.append(rule)
            }
            tool = ["driver": Driver(version: results.version, rules: rules)]
            invocations = [Invocation(results)]
            // One thing that is wrong is one result, of the most binding rule; the others are named beside it.
            self.results = broken.compactMap { test in
                test.rules.first.map { rule in
                    Finding(test, of: rule, index: rules.firstIndex { $0.id == rule.id } ?? 0)
                }
            }
        }
    }

    private struct Driver: Encodable {
        let name = "anechoic"
        let version: String?
        let rules: [Descriptor]

        init(version: String, rules: [Rule]) {
            self.version = version.isEmpty ? nil : version
            self.rules = rules.map(Descriptor.init)
        }
    }

    private struct Descriptor: Encodable {
        let id: String
        let shortDescription: Message
        let fullDescription: Message
        let defaultConfiguration: [String: String]
        let properties: Properties

        struct Properties: Encodable {
            let keeper: String
            let level: String
            let tags = ["nearby-interaction"]
        }

        init(_ rule: Rule) {
            id = rule.id
            shortDescription = Message(text: plainLine(rule.statement))
            fullDescription = shortDescription
            defaultConfiguration = ["level": rule.level == .must ? "error" : "warning"]
            properties = Properties(keeper: rule.keeper?.rawValue ?? "", level: rule.level.rawValue)
        }
    }

    private struct Message: Encodable { let text: String }

    private struct Invocation: Encodable {
        let executionSuccessful: Bool
        let exitCode: Int32
        let toolExecutionNotifications: [Notification]

        struct Notification: Encodable {
            let level = "error"
            let message: Message
        }

        /// A device that breaks a promise is no trouble of ours.
        init(_ results: TestResults) {
            let isSuccessful =
                [.held, .violated].contains(results.status) && results.trouble == nil
            executionSuccessful = isSuccessful
            exitCode = results.status.rawValue
            toolExecutionNotifications =
                isSuccessful
                ? [] : [Notification(message: Message(text: plain(results.conclusion)))]
        }
    }

    private struct Finding: Encodable {
        let ruleId: String
        let ruleIndex: Int
        let level: String
        let message: Message
        let locations: [Location]
        let partialFingerprints: [String: String]
        let properties: [String: String]?

        init(_ test: TestCase, of rule: Rule, index: Int) {
            (ruleId, ruleIndex) = (rule.id, index)
            level = test.isWarning ? "warning" : "error"
            let words = [test.message ?? rule.statement, test.text].filter { !$0.isEmpty }
            message = Message(text: plain(words.joined(separator: "\n")))
            locations = test.place.map { [Location($0)] } ?? []
            partialFingerprints = ["caseName/v1": test.fullName]
            let others = test.rules.dropFirst().map(\.id).joined(separator: ", ")
            let pairs = [
                ("replay", test.evidence.first?.replay),
                ("otherRules", others.isEmpty ? nil : others),
            ].compactMap { name, value in value.map { (name, $0) } }
            properties = pairs.isEmpty ? nil : Dictionary(uniqueKeysWithValues: pairs)
        }
    }

    private struct Location: Encodable {
        let physicalLocation: Physical

        struct Physical: Encodable {
            let artifactLocation: [String: String]
            let region: [String: Int]
        }

        init(_ place: SourcePlace) {
            physicalLocation = Physical(
                artifactLocation: ["uri": Self.reference(to: place.file)],
                region: ["startLine": place.line ?? 1])
        }

        /// A path as a reference by RFC 3986: a relative one stays relative, below the folder of the code.
        private static func reference(to path: String) -> String {
            let unreserved = CharacterSet(
                charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
            let escaped = path.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
            return path.hasPrefix("/") ? "file://" + escaped : escaped
        }
    }
}
