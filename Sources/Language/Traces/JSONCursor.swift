/// Reads the small part of JSON that a trace uses: objects, strings, whole numbers, true, false, null.
struct JSONCursor {
    /// A value, and what stands behind it.
    indirect enum Value: Equatable {
        case text(String)
        case number(UInt64, isNegative: Bool)
        case flag(Bool)
        case null
        case object([Member])
    }

    struct Member: Equatable {
        var name: String
        var value: Value
        /// Where the value stands, in bytes from 0.
        var offset: Int
    }

    typealias Failure = TraceReader.Failure

    /// Objects may stand in objects this deep; a trace needs 3.
    private static let depthLimit = 8

    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The members of the one object that is the whole text.
    mutating func document() throws(Failure) -> [Member] {
        skipSpace()
        let members = try object()
        skipSpace()
        guard offset == bytes.count else { throw failure("the end of the line") }
        return members
    }

    private mutating func object() throws(Failure) -> [Member] {
        try take("{", expected: "an object")
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw failure("at most \(Self.depthLimit) levels") }
        var members: [Member] = []
        skipSpace()
        if takeIf("}") { return members }
        repeat {
            skipSpace()
            let name = try string()
            skipSpace()
            try take(":", expected: "a colon")
            skipSpace()
            let start = offset
            members.append(Member(name: name, value: try value(), offset: start))
            skipSpace()
        } while takeIf(",")
        try take("}", expected: "a comma or a closing brace")
        return members
    }

    private mutating func value() throws(Failure) -> Value {
        switch peek {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", meaning: .flag(true))
        case UInt8(ascii: "f"): return try word("false", meaning: .flag(false))
        case UInt8(ascii: "n"): return try word("null", meaning: .null)
        default: return try number()
        }
    }

    private mutating func number() throws(Failure) -> Value {
        let isNegative = takeIf("-")
        var value: UInt64 = 0
        let start = offset
        while let digit = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
            let (tens, first) = value.multipliedReportingOverflow(by: 10)
            let (sum, second) = tens.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
            guard !first, !second else { throw failure("a number of 64 bits") }
            value = sum
            offset += 1
        }
        guard offset > start else { throw failure("a value") }
        return .number(value, isNegative: isNegative)
    }

    private mutating func string() throws(Failure) -> String {
        try take("\"", expected: "a string")
        var text: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "\"") {
            offset += 1
            if byte == UInt8(ascii: "\\") {
                text.append(contentsOf: try escape())
            } else {
                guard byte >= 0x20 else { throw failure("no bare control character") }
                text.append(byte)
            }
        }
        try take("\"", expected: "a closing quotation mark")
        guard let string = String(validating: text, as: UTF8.self) else {
            throw failure("valid UTF-8")
        }
        return string
    }

    private mutating func escape() throws(Failure) -> [UInt8] {
        guard let byte = peek else { throw failure("an escape") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "u"): return try scalar()
        default: throw failure("an escape")
        }
    }

    /// `\uXXXX`, or two of them that make a surrogate pair.
    private mutating func scalar() throws(Failure) -> [UInt8] {
        var code = UInt32(try unit())
        if (0xD800..<0xDC00).contains(code) {
            try take("\\", expected: "the second half of a surrogate pair")
            try take("u", expected: "the second half of a surrogate pair")
            let low = UInt32(try unit())
            guard (0xDC00..<0xE000).contains(low) else { throw failure("a low surrogate") }
            code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw failure("a Unicode scalar") }
        return Array(String(scalar).utf8)
    }

    private mutating func unit() throws(Failure) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = peek?.hexadecimalValue else {
                throw failure("four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }

    private mutating func word(_ word: StaticString, meaning value: Value) throws(Failure) -> Value
    {
        for byte in String(describing: word).utf8 {
            guard peek == byte else { throw failure("\(word)") }
            offset += 1
        }
        return value
    }

    private mutating func take(_ character: Unicode.Scalar, expected: String) throws(Failure) {
        guard takeIf(character) else { throw failure(expected) }
    }

    private mutating func takeIf(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || (0x09...0x0D).contains(byte) { offset += 1 }
    }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func failure(_ expected: String) -> Failure {
        Failure(offset: offset, expected: expected)
    }
}
