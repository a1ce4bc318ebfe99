import Foundation

/// The bytes of hexadecimal pairs, with or without spaces between them.
func bytes(_ hex: some StringProtocol) -> [UInt8] {
    let digits = String(hex.filter { !$0.isWhitespace })
    return stride(from: 0, to: digits.count, by: 2).compactMap { index in
        UInt8(digits.dropFirst(index).prefix(2), radix: 16)
    }
}

/// The path of a file of the repository.
func path(_ file: String, from own: String = #filePath) -> String {
    URL(filePath: own).appending(path: "../../../" + file).standardizedFileURL.path
}
