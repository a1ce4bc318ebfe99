import Artifacts
package import Foundation
import Monitors
import Promises

/// What a worker answers to the process that started it: JSON in a line.
///
/// Both are one program, so a line has no words of the catalogue; nor that nothing has happened, because a run has more
/// than a hundred promises, and puts half of them to the test.
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
}

// A file has the description as well, looked up when it is written.
extension RunReport.PromiseReport: Codable {
    private enum CodingKeys: CodingKey {
        case promise, verdict, isMeantToBreak, exercised, excused, closestCall, violations
        // Of the description, if it is there.
        case sentence
    }

    private var isUntouched: Bool {
        !isMeantToBreak && exercised == 0 && excused == 0 && violations.isEmpty
    }

    package func encode(to encoder: any Encoder) throws {
        let isLine = WorkerLine.isMeant(by: encoder.userInfo)
        var keys = encoder.container(keyedBy: CodingKeys.self)
        try keys.encode(promise, forKey: .promise)
        try keys.encode(verdict, forKey: .verdict)
        try keys.encodeIfPresent(closestCall, forKey: .closestCall)
        if !isLine || !isUntouched {
            try keys.encode(isMeantToBreak, forKey: .isMeantToBreak)
            try keys.encode(exercised, forKey: .exercised)
            try keys.encode(excused, forKey: .excused)
            try keys.encode(violations, forKey: .violations)
        }
        try (isLine ? own : about)?.encode(to: encoder)
    }

    package init(from decoder: any Decoder) throws {
        let isLine = WorkerLine.isMeant(by: decoder.userInfo)
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        let isUntouched = isLine && !keys.contains(.exercised)
        let id = try keys.decode(String.self, forKey: .promise)
        let known = isLine && !keys.contains(.sentence) ? PromiseCatalogue[id] : nil
        self.init(
            try known ?? PromiseDescription(from: decoder),
            verdict: try keys.decode(Outcome.self, forKey: .verdict),
            isMeantToBreak: try !isUntouched && keys.decode(Bool.self, forKey: .isMeantToBreak),
            exercised: try isUntouched ? 0 : keys.decode(Int.self, forKey: .exercised),
            excused: try isUntouched ? 0 : keys.decode(Int.self, forKey: .excused),
            closestCall: try keys.decodeIfPresent(UInt64.self, forKey: .closestCall),
            violations: try isUntouched
                ? [] : keys.decode([RunReport.ViolationReport].self, forKey: .violations))
    }
}
