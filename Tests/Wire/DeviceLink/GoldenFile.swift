import DeviceLink
import TestSupport

/// Upper-case hexadecimal pairs with spaces between them.
func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        .joined(separator: " ")
}

/// The names of golden.txt and the bytes of each, in its order.
func golden() throws -> [(name: String, bytes: [UInt8])] {
    try text(of: "Tests/Wire/DeviceLink/golden.txt").split(separator: "\n").compactMap { line in
        guard !line.hasPrefix("#") else { return nil }
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let bytes = bytesIfHex(words[1]) else {
            throw BadLine(line: String(line))
        }
        return (String(words[0]), bytes)
    }
}

/// A line of golden.txt or of the document that is not `name hex`.
struct BadLine: Error { var line: String }
