import Promises
package import Reports

/// What binds the device under test: by what it claims, and by what it has shown.
package struct Applicability: Equatable {
    /// The clauses and promises that do not bind it.
    package private(set) var outOfScope: Set<String> = []
    /// Where it shows something else than it claims, in sentences without a full stop.
    package private(set) var differences: [String] = []

    /// Holds the claims against what all runs have shown; `messages` are the ids of the messages of theirs that R4
    /// does not know.
    package init(_ pics: PICS, in summary: SuiteSummary, messages: Set<UInt8> = []) {
        func isShown(_ promise: String) -> Bool { summary[promise]?.exercised ?? 0 > 0 }
        for part in PICS.Part.allCases {
            let wasLookedFor = part.lookedFor.map(isShown) ?? false
            judge(
                part, isClaimed: pics.parts[part], isShown: part.shownBy.contains(where: isShown),
                wasLookedFor: wasLookedFor)
        }
        for name in pics.notClaimed.sorted() {
            let promises = ClauseTable.r4.first { $0.id == name }?.promises ?? [name]
            if promises.contains(where: isShown) {
                differences.append("\(name) is not claimed, and was put to the test, so it binds")
            } else {
                outOfScope.insert(name)
            }
        }
        guard let declared = pics.messages else { return }
        let others = messages.subtracting(declared).sorted().map { "0x" + String($0, radix: 16) }
        if !others.isEmpty {
            differences.append(
                "messages with ids that are not claimed: \(others.joined(separator: ", "))")
        }
    }

    private mutating func judge(
        _ part: PICS.Part, isClaimed: Bool?, isShown: Bool, wasLookedFor: Bool
    ) {
        switch (isClaimed, isShown) {
        case (false?, true):
            differences.append(
                "\(part.words) is not claimed (\(part.rawValue)), and is there, so it binds")
        case (true?, false):
            if wasLookedFor {
                differences.append("\(part.words) is claimed (\(part.rawValue)), and was not found")
            }
        case (false?, false): outOfScope.formUnion(part.clauses)
        case (nil, false): if wasLookedFor { outOfScope.formUnion(part.clauses) }
        case (_, true): break
        }
    }
}
