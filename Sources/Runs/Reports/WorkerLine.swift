package import Foundation
internal import Invariants
internal import Monitors
internal import Promises

/// What a worker answers to the process that started it: JSON in a line.
///
/// Both are one program. What each knows of a promise, its words and that nothing has happened, is left out: a run has
/// more than a hundred promises, and puts half of them to the test.
package enum WorkerLine {
    /// The line, without its end.
    package static func encode(_ answer: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        if let key { encoder.userInfo[key] = true }
        return try encoder.encode(answer)
    }

    /// The answer in a line.
    ///
    /// - Throws: `DecodingError` for a line that no worker of this program has made.
    package static func decode<Answer: Decodable>(_ type: Answer.Type, from line: Data) throws
        -> Answer
    {
        let decoder = JSONDecoder()
        if let key { decoder.userInfo[key] = true }
        return try decoder.decode(type, from: line)
    }

    private static let key = CodingUserInfoKey(rawValue: "worker line")

    fileprivate static func isMeant(by userInfo: [CodingUserInfoKey: Any]) -> Bool {
        key.flatMap { userInfo[$0] } != nil
    }

    fileprivate static let known = Dictionary(
        uniqueKeysWithValues: PromiseCatalogue.descriptions.map { ($0.id, $0) })
}

// In a line, the keys of each group are there together, or none of them is.
extension RunReport.PromiseReport {
    private enum CodingKeys: CodingKey {
        case promise, verdict, closestCall
        // What happened.
        case isMeantToBreak, exercised, excused, violations
        // What the catalogue says.
        case level, keeper, clause, sentence
    }

    private var isUntouched: Bool {
        !isMeantToBreak && exercised == 0 && excused == 0 && violations.isEmpty
    }

    private func says(_ known: PromiseDescription) -> Bool {
        level == known.level && keeper == known.keeper?.rawValue ?? "" && clause == known.clause
            && sentence == known.sentence
    }

    package func encode(to encoder: any Encoder) throws {
        let isLine = WorkerLine.isMeant(by: encoder.userInfo)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(promise, forKey: .promise)
        try container.encode(verdict, forKey: .verdict)
        try container.encodeIfPresent(closestCall, forKey: .closestCall)
        if !isLine || !isUntouched {
            try container.encode(isMeantToBreak, forKey: .isMeantToBreak)
            try container.encode(exercised, forKey: .exercised)
            try container.encode(excused, forKey: .excused)
            try container.encode(violations, forKey: .violations)
        }
        if !isLine || WorkerLine.known[promise].map(says) != true {
            try container.encode(level, forKey: .level)
            try container.encode(keeper, forKey: .keeper)
            try container.encode(clause, forKey: .clause)
            try container.encode(sentence, forKey: .sentence)
        }
    }

    package init(from decoder: any Decoder) throws {
        let isLine = WorkerLine.isMeant(by: decoder.userInfo)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let promise = try container.decode(String.self, forKey: .promise)
        let isUntouched = isLine && !container.contains(.exercised)
        let known = isLine && !container.contains(.level) ? WorkerLine.known[promise] : nil
        self.init(
            promise: promise, verdict: try container.decode(PromiseOutcome.self, forKey: .verdict),
            isMeantToBreak: try !isUntouched
                && container.decode(Bool.self, forKey: .isMeantToBreak),
            exercised: try isUntouched ? 0 : container.decode(Int.self, forKey: .exercised),
            excused: try isUntouched ? 0 : container.decode(Int.self, forKey: .excused),
            closestCall: try container.decodeIfPresent(UInt64.self, forKey: .closestCall),
            level: try known?.level ?? container.decode(Property.Level.self, forKey: .level),
            keeper: try known.map { $0.keeper?.rawValue ?? "" }
                ?? container.decode(String.self, forKey: .keeper),
            clause: try known?.clause ?? container.decode(String.self, forKey: .clause),
            sentence: try known?.sentence ?? container.decode(String.self, forKey: .sentence),
            violations: try isUntouched
                ? [] : container.decode([RunReport.ViolationReport].self, forKey: .violations))
    }
}
