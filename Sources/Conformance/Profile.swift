internal import Campaigns
internal import Foundation
internal import Promises
internal import Vocabulary

/// What does not bind the device under test, as its maker declares: the field's "PICS".
///
/// One clause (`R4-4.3.3-1`), section (`R4-4.3.3`) or promise a line; `#` begins a comment.
package struct Profile {
    /// Clauses and promises that are out of scope.
    package private(set) var outOfScope: Set<String> = []

    /// What the reference accessory of a profile does not have.
    package init(reference profile: String?) {
        // One session and one characteristic for it: nothing about several.
        if profile == AccessoryProfile.qorvo.rawValue {
            outOfScope = Set(Self.several.flatMap(Self.clauses))
        }
    }

    private static let several = ["R4-4.3.3", "R4-4.3.4"]

    /// What a file declares.
    ///
    /// - Throws: `WrongUse` where the file cannot be read or names nothing that there is.
    package init(file: String) throws {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw WrongUse(description: "\(file): this cannot be read as text")
        }
        let promises = Set(ClauseTable.r4.compactMap(\.promise))
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let name = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
            if name.isEmpty { continue }
            let clauses = Self.clauses(named: name)
            guard !clauses.isEmpty || promises.contains(name) else {
                throw WrongUse(
                    description: "\(file):\(number + 1): \"\(name)\" is no clause, section or "
                        + "promise (anechoic promises lists them)")
            }
            outOfScope.formUnion(clauses + [name])
        }
    }

    /// The clauses that a clause's id or a section's names: those below it, too.
    package static func clauses(named name: String) -> [String] {
        ClauseTable.r4.map(\.id).filter {
            $0 == name || $0.hasPrefix(name + "-") || $0.hasPrefix(name + ".")
        }
    }
}
