import Basics

/// The bytes of a file as text that the YAML parser may see: UTF-8, printable, not indented by tabs.
package enum SourceText {
    /// The text in `bytes`, or what is wrong with them.
    package static func checked(_ bytes: [UInt8]) throws(Problem) -> String {
        try checkSize(bytes)
        try checkEncoding(bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        try checkCharacters(text)
        try checkIndentation(text)
        return text
    }

    private static func checkSize(_ bytes: [UInt8]) throws(Problem) {
        guard bytes.count <= YAMLLimits.bytes else {
            throw Problem(
                "the file has \(bytes.count) bytes", at: nil,
                expected: "at most \(YAMLLimits.bytes) bytes (1 MiB)")
        }
    }

    private static func checkEncoding(_ bytes: [UInt8]) throws(Problem) {
        let start = SourcePosition(line: 1, column: 1)
        if let other = otherEncoding(bytes.prefix(64)) {
            throw Problem(
                "the file is not UTF-8 but looks like \(other)", at: nil, expected: "UTF-8")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw Problem(
                "the file begins with a byte order mark", at: start,
                expected: "UTF-8 without a byte order mark")
        }
        guard let valid = firstInvalidByte(bytes) else { return }
        throw Problem(
            "byte 0x\(String(hexadecimal: bytes[valid], digits: 2)) is not UTF-8",
            at: position(after: String(decoding: bytes[..<valid], as: UTF8.self)),
            expected: "UTF-8")
    }

    /// Another encoding that these first bytes look like, by their mark or by where the zeros of
    /// a few characters below U+0100 stand: of one alone nobody knows.
    private static func otherEncoding(_ bytes: ArraySlice<UInt8>) -> String? {
        let marks: [(bytes: [UInt8], name: String)] = [
            ([0xFF, 0xFE, 0, 0], "UTF-32"), ([0, 0, 0xFE, 0xFF], "UTF-32"),
            ([0xFF, 0xFE], "UTF-16"), ([0xFE, 0xFF], "UTF-16"),
        ]
        if let mark = marks.first(where: { bytes.starts(with: $0.bytes) }) { return mark.name }
        for (width, name) in [(4, "UTF-32"), (2, "UTF-16")] where bytes.count >= 4 * width {
            let units = bytes.count / width
            let zeros = (0..<width).map { place in
                (0..<units).allSatisfy { bytes[bytes.startIndex + $0 * width + place] == 0 }
            }
            if zeros.filter({ $0 }).count == width - 1 { return name }
        }
        return nil
    }

    /// The index of the first byte that is part of no character.
    private static func firstInvalidByte(_ bytes: [UInt8]) -> Int? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var valid = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            valid += UTF8.width(scalar)
        }
        return valid
    }

    private static func checkCharacters(_ text: String) throws(Problem) {
        var position = SourcePosition(line: 1, column: 1)
        var afterReturn = false
        for scalar in text.unicodeScalars {
            if afterReturn != (scalar == "\n"), afterReturn {
                throw unprintable("\r", at: position)
            }
            afterReturn = scalar == "\r"
            guard isAllowed(scalar) else { throw unprintable(scalar, at: position) }
            position = position.after(scalar)
        }
    }

    private static func unprintable(_ scalar: Unicode.Scalar, at place: SourcePosition) -> Problem {
        Problem(
            "the character U+\(String(hexadecimal: scalar.value, digits: 4)) is not allowed",
            at: place,
            expected: "printable text with lines that end in LF or CR LF")
    }

    /// What YAML 1.2 (5.1) calls printable, less line ends of other systems and the private
    /// characters that `YAMLReader` uses.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF: true
        case 0xE100...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    private static func checkIndentation(_ text: String) throws(Problem) {
        var position = SourcePosition(line: 1, column: 1)
        var isIndentation = true
        for scalar in text.unicodeScalars {
            if isIndentation, scalar == "\t" {
                throw Problem("a tab indents this line", at: position, expected: "spaces")
            }
            isIndentation = scalar == "\n" || (isIndentation && scalar == " ")
            position = position.after(scalar)
        }
    }

    private static func position(after text: String) -> SourcePosition {
        text.unicodeScalars.reduce(SourcePosition(line: 1, column: 1)) { $0.after($1) }
    }
}

extension SourcePosition {
    /// The place of the next character after `scalar` stood here.
    fileprivate func after(_ scalar: Unicode.Scalar) -> SourcePosition {
        scalar == "\n"
            ? SourcePosition(line: line + 1, column: 1)
            : SourcePosition(line: line, column: column + 1)
    }
}
