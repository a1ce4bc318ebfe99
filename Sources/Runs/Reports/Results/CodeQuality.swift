import Artifacts
import Basics
import DeviceLink
package import Foundation

/// The report that GitLab shows in a merge request, beside the code: a list of what has not passed.
///
/// It is the part of the Code Climate format that GitLab reads.
package enum CodeQuality {
    /// The whole document; an empty list where all has passed.
    package static func text(of results: TestResults) throws -> Data {
        let told = results.redCases + results.cases.filter(\.isWarning)
        return try json(told.map { Issue($0, of: results.command) })
    }

    private struct Issue: Encodable {
        let description: String
        let checkName: String
        let fingerprint: String
        let severity: String
        let location: Location

        struct Location: Encodable {
            let path: String
            let lines: [String: Int]

            /// GitLab wants a path below the folder of the code; what is seen nowhere stands for all of it.
            init(_ place: SourcePlace?) {
                let file = place?.file ?? "."
                path = file.hasPrefix("./") ? String(file.dropFirst(2)) : file
                lines = ["begin": place?.line ?? 1]
            }
        }

        private enum CodingKeys: String, CodingKey {
            case description, fingerprint, severity, location
            case checkName = "check_name"
        }

        init(_ test: TestCase, of command: String) {
            description = plainLine(
                [test.fullName, test.message].compactMap(\.self).joined(separator: ": "))
            checkName = "anechoic \(command)"
            severity = test.isWarning ? "minor" : test.isError ? "critical" : "major"
            location = Location(test.place)
            // The same case in the next pipeline is the same issue, wherever its line has gone.
            let name = Array("\(command) \(test.fullName)".utf8)
            fingerprint = String(hexadecimalPairs: SHA256.digest(of: name))
        }
    }
}
