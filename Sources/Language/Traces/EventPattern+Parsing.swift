package import Basics
import DeviceLink

/// Why a text is not a pattern.
package struct PatternError: Error, Equatable {
    /// What is wrong, as the beginning of a message.
    package var message: String
    /// What could stand there; empty where the message says it all.
    package var expected: String
    /// Where, in characters from 1.
    package var column: Int
    /// How many characters are meant.
    package var length: Int
}

extension EventPattern {
    /// The pattern that `text` says: `KIND [on DEVICE] [with FIELD OP VALUE [and …]]`.
    ///
    /// Values are words, `"texts"`, whole numbers (`12`, `-5884`, `0x13`), durations, lengths and
    /// angles with a unit (`10ms`, `3m`, `60deg`), `hex:0a0b`, `true`, `false` and `none`. Whether
    /// kind, device and fields exist is not decided here.
    package init(parsing text: String) throws(PatternError) {
        var parser = try PatternParser(text)
        self = try parser.pattern()
    }

    /// What a field of this name measures, in any kind of event; nil for a plain value.
    package static func quantity(ofField name: String) -> Quantity? {
        switch name {
        case "interval", "timeout": .duration
        case "distance": .length
        case "azimuth", "elevation": .angle
        default: nil
        }
    }
}

extension EventPattern: CustomStringConvertible {
    /// The pattern as it would be written; parsing it gives an equal pattern.
    public var description: String {
        var text = kind
        if let name = device ?? role?.rawValue { text += " on \(name)" }
        if !conditions.isEmpty {
            text += " with " + conditions.map(\.description).joined(separator: " and ")
        }
        return text
    }
}

extension EventPattern.Condition: CustomStringConvertible {
    /// The condition as it would be written: `distance > 3m`.
    public var description: String { "\(field) \(comparison.rawValue) \(valueText)" }

    private var valueText: String {
        switch value {
        case .number(let number):
            EventPattern.quantity(ofField: field)?.text(of: number) ?? String(number)
        case .flag(let flag): String(flag)
        case .none: "none"
        case .bytes(let bytes): "hex:" + String(hexadecimalPairs: bytes)
        case .text(let text): Self.isPlain(text) ? text : Self.quoted(text)
        }
    }

    /// Whether `text` means itself when written without quotes.
    private static func isPlain(_ text: String) -> Bool {
        guard !["and", "on", "with"].contains(text),
            let tokens = try? PatternToken.all(in: text), tokens.count == 1,
            case .word(text) = tokens[0].body
        else { return false }
        return (try? PatternParser.value(of: text, field: "")) == .text(text)
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "\"" + String(escaped) + "\""
    }
}

struct PatternToken: Equatable {
    enum Body: Equatable {
        case word(String)
        case quoted(String)
        case comparison(EventPattern.Comparison)
    }

    var body: Body
    var column: Int
    var length: Int

    static func all(in text: String) throws(PatternError) -> [PatternToken] {
        var lexer = Lexer(bytes: Array(text.utf8))
        return try lexer.tokens()
    }

    /// Reads bytes, because a run begins with a thousand patterns; only columns are counted in characters.
    private struct Lexer {
        let bytes: [UInt8]
        var index = 0

        mutating func tokens() throws(PatternError) -> [PatternToken] {
            var found: [PatternToken] = []
            while index < bytes.count {
                if Self.isSpace(bytes[index]) {
                    index += 1
                } else {
                    let start = index
                    let body = try next()
                    found.append(
                        PatternToken(
                            body: body, column: column(of: start), length: text(from: start).count))
                }
            }
            return found
        }

        private mutating func next() throws(PatternError) -> Body {
            if bytes[index] == UInt8(ascii: "\"") { return try quoted() }
            if Self.startsComparison(bytes[index]) { return try comparison() }
            let start = index
            while index < bytes.count, !Self.endsWord(bytes[index]) { index += 1 }
            return .word(text(from: start))
        }

        private mutating func comparison() throws(PatternError) -> Body {
            let start = index
            while index < bytes.count, Self.startsComparison(bytes[index]) { index += 1 }
            let text = text(from: start)
            guard let comparison = EventPattern.Comparison(rawValue: text) else {
                throw PatternError(
                    message: "`\(text)` compares nothing", expected: "=, !=, <, <=, > or >=",
                    column: column(of: start), length: text.count)
            }
            return .comparison(comparison)
        }

        private mutating func quoted() throws(PatternError) -> Body {
            let start = index
            var quoted: [UInt8] = []
            index += 1
            while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
                quoted.append(bytes[index])
                index += 1
            }
            guard index < bytes.count else {
                throw PatternError(
                    message: "this quote does not end", expected: "a closing \"",
                    column: column(of: start), length: 1)
            }
            index += 1
            return .quoted(String(decoding: quoted, as: UTF8.self))
        }

        private func text(from start: Int) -> String {
            String(decoding: bytes[start..<index], as: UTF8.self)
        }

        private func column(of start: Int) -> Int {
            String(decoding: bytes[..<start], as: UTF8.self).count + 1
        }

        private static func startsComparison(_ byte: UInt8) -> Bool {
            [UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">")]
                .contains(byte)
        }

        private static func isSpace(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        }

        private static func endsWord(_ byte: UInt8) -> Bool {
            isSpace(byte) || byte == UInt8(ascii: "\"") || startsComparison(byte)
        }
    }
}

struct PatternParser {
    private var tokens: ArraySlice<PatternToken>
    private let end: Int

    init(_ text: String) throws(PatternError) {
        tokens = try PatternToken.all(in: text)[...]
        end = text.count + 1
    }

    mutating func pattern() throws(PatternError) -> EventPattern {
        var pattern = EventPattern(kind: try word("the kind of an event, like link.up"))
        if takeWord("on") {
            let name = try word("the name of a device")
            pattern.role = DeviceRole(rawValue: name)
            if pattern.role == nil { pattern.device = name }
        }
        if takeWord("with") {
            repeat { pattern.conditions.append(try condition()) } while takeWord("and")
        }
        if let extra = tokens.first {
            let expected =
                pattern.conditions.isEmpty ? "`on`, `with` or the end" : "`and` or the end"
            throw PatternError(
                message: "this does not belong to the pattern", expected: expected,
                column: extra.column, length: extra.length)
        }
        return pattern
    }

    private mutating func condition() throws(PatternError) -> EventPattern.Condition {
        let field = try word("the name of a field")
        guard let token = tokens.popFirst(), case .comparison(let comparison) = token.body else {
            throw missing("=, !=, <, <=, > or >= after `\(field)`")
        }
        guard let token = tokens.popFirst() else { throw missing("a value") }
        let value = try value(token, field: field)
        if comparison != .equal, comparison != .notEqual {
            guard case .number = value else {
                throw PatternError(
                    message: "`\(comparison.rawValue)` compares numbers only",
                    expected: "a number, or one of = and !=", column: token.column,
                    length: token.length)
            }
        }
        return EventPattern.Condition(field: field, comparison: comparison, value: value)
    }

    private func value(
        _ token: PatternToken, field: String
    ) throws(PatternError) -> Field.Value {
        switch token.body {
        case .quoted(let text): return .text(text)
        case .comparison: throw missing("a value", at: token)
        case .word(let word):
            do {
                return try Self.value(of: word, field: field)
            } catch {
                throw PatternError(
                    message: error.message, expected: error.expected, column: token.column,
                    length: token.length)
            }
        }
    }

    private mutating func takeWord(_ word: String) -> Bool {
        guard tokens.first?.body == .word(word) else { return false }
        tokens.removeFirst()
        return true
    }

    private mutating func word(_ expected: String) throws(PatternError) -> String {
        guard let token = tokens.first, case .word(let word) = token.body else {
            throw missing(expected)
        }
        tokens.removeFirst()
        return word
    }

    private func missing(_ expected: String, at token: PatternToken? = nil) -> PatternError {
        guard let token = token ?? tokens.first else {
            return PatternError(
                message: "the pattern ends too early", expected: expected, column: end, length: 1)
        }
        return PatternError(
            message: "something else is meant here", expected: expected, column: token.column,
            length: token.length)
    }
}

extension PatternParser {
    struct ValueError: Error, Equatable {
        var message: String
        var expected: String
    }

    /// What an unquoted word means as the value of a field.
    static func value(of word: String, field: String) throws(ValueError) -> Field.Value {
        switch word {
        case "true": return .flag(true)
        case "false": return .flag(false)
        case "none": return .none
        default: break
        }
        if word.hasPrefix("hex:") { return .bytes(try bytes(word.dropFirst(4))) }
        if let quantity = EventPattern.quantity(ofField: field) {
            return .number(try number(word, of: quantity, field: field))
        }
        if let number = integer(word) { return .number(number) }
        for quantity in Quantity.allCases {
            if let number = try? quantity.value(of: word) { return .number(number) }
        }
        return .text(word)
    }

    private static func integer(_ word: String) -> Int64? {
        guard word.hasPrefix("0x") else { return word.first == "+" ? nil : Int64(word) }
        return Int64(word.dropFirst(2), radix: 16)
    }

    private static func number(
        _ word: String, of quantity: Quantity, field: String
    ) throws(ValueError) -> Int64 {
        let expected = "a number and \(quantity.unitNames)"
        do {
            return try quantity.value(of: word)
        } catch .unitMissing {
            throw ValueError(
                message: "`\(field)` is \(quantity.withArticle) and needs a unit",
                expected: expected)
        } catch .tooFine {
            throw ValueError(message: "`\(word)` is finer than can be measured", expected: expected)
        } catch .tooLarge {
            throw ValueError(message: "`\(word)` is too large", expected: expected)
        } catch {
            throw ValueError(
                message: "`\(word)` is not \(quantity.withArticle)", expected: expected)
        }
    }

    private static func bytes(_ digits: Substring) throws(ValueError) -> [UInt8] {
        guard let bytes = [UInt8](hexadecimal: String(digits)) else {
            throw ValueError(
                message: "`hex:\(digits)` is not a number of bytes",
                expected: "two hexadecimal digits a byte, like hex:0a0b")
        }
        return bytes
    }
}
