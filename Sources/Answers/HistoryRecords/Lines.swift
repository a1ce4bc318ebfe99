package import Foundation

/// Requests and answers as lines of JSON.
package enum HistoryLine {
    /// The line, with its end.
    package static func data(of value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value) + Data([0x0A])
    }

    /// The value of a line, without its end.
    package static func value<Value: Decodable>(_ type: Value.Type, in line: Data) throws -> Value {
        try JSONDecoder().decode(type, from: line)
    }
}
