import DeviceLink
import FoundationEssentials

/// The bytes of hexadecimal pairs, with or without spaces between them; nil where it is none.
func bytes(_ hex: some StringProtocol) -> [UInt8]? {
    let digits = hex.utf8.filter { $0 != 0x20 }
    guard digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).reduce(into: [UInt8]?([])) { bytes, index in
        let pair = String(decoding: digits[index..<(index + 2)], as: UTF8.self)
        guard let byte = UInt8(pair, radix: 16) else { return bytes = nil }
        bytes?.append(byte)
    }
}

/// Upper-case hexadecimal pairs with spaces between them.
func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        .joined(separator: " ")
}

/// The text of a file of the repository.
func text(_ path: String, from file: String = #filePath) throws -> String {
    let root = URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
}

/// The names of golden.txt and the bytes of each, in its order.
func golden() throws -> [(name: String, bytes: [UInt8])] {
    try text("Tests/DeviceLinkTests/golden.txt").split(separator: "\n").compactMap { line in
        guard !line.hasPrefix("#") else { return nil }
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let bytes = bytes(words[1]) else {
            throw BadLine(line: String(line))
        }
        return (String(words[0]), bytes)
    }
}

/// A line of golden.txt or of the document that is not `name hex`.
struct BadLine: Error { var line: String }
