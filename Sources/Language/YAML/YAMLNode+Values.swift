package import Basics
package import DeviceLink

/// Reading single values; `name` is what they are for, for messages.
extension YAMLNode {
    /// A word or sentence; numbers are taken as they are written.
    package func text(
        _ name: String, expected: @autoclosure () -> String = "a text"
    ) throws(Problem) -> String {
        guard case .text(let text, let style) = content, !isNothing else {
            throw problem("`\(name)` cannot be \(described)", expected: expected())
        }
        if style == .plain, YAMLBoolean.isOne(text) {
            throw YAMLBoolean.textProblem(self, expected: expected())
        }
        return text
    }

    package func choice(_ name: String, of words: [String]) throws(Problem) -> String {
        // Joined only for who is told of a mistake: a run begins with a thousand choices.
        let word = try text(name, expected: words.joined(separator: ", "))
        guard words.contains(word) else {
            throw problem(
                "`\(name)` cannot be `\(word)`", expected: words.joined(separator: ", "),
                suggestion: Suggestion.nearest(to: word, among: words))
        }
        return word
    }

    /// A truth value, which only `true` and `false` are.
    package func flag(_ name: String) throws(Problem) -> Bool {
        switch content {
        case .text("true", .plain): return true
        case .text("false", .plain): return false
        default: throw problem("`\(name)` cannot be \(described)", expected: "true or false")
        }
    }

    /// A whole number; hexadecimal after `0x`.
    package func integer(_ name: String, in range: ClosedRange<Int64>) throws(Problem) -> Int64 {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        let text = try text(name, expected: expected)
        let isHex = text.hasPrefix("0x")
        let digits = isHex ? text.dropFirst(2) : text[...]
        guard let number = Int64(digits, radix: isHex ? 16 : 10), digits.first != "+",
            range.contains(number)
        else { throw problem("`\(name)` cannot be `\(text)`", expected: expected) }
        return number
    }

    /// A probability: `1/20`, `5%`, 0 or 1.
    package func ratio(_ name: String) throws(Problem) -> Ratio {
        let expected = "a ratio from 0 to 1, like 1/20, 5% or 0"
        let text = try text(name, expected: expected)
        guard let ratio = Ratio(written: text) else {
            throw problem("`\(name)` cannot be `\(text)`", expected: expected)
        }
        return ratio
    }

    package func list(_ name: String, expected: String) throws(Problem) -> [YAMLNode] {
        guard case .list(let items) = content else {
            throw problem("`\(name)` cannot be \(described)", expected: expected)
        }
        return items
    }

    package func entries(_ name: String, expected: String) throws(Problem) -> [Entry] {
        guard case .mapping(let entries) = content else {
            throw problem("`\(name)` cannot be \(described)", expected: expected)
        }
        return entries
    }
}

/// Reading numbers with units.
extension YAMLNode {
    /// A duration in nanoseconds, which is written with its unit; by default at most one week.
    package func duration(
        _ name: String, in range: ClosedRange<Nanoseconds> = 0...YAMLLimits.duration
    ) throws(Problem) -> Nanoseconds {
        let value = try quantity(.duration, for: name)
        guard value >= 0, range.contains(Nanoseconds(value)) else {
            throw problem("`\(name)` cannot be \(described)", expected: Self.expected(range))
        }
        return Nanoseconds(value)
    }

    private static func expected(_ range: ClosedRange<Nanoseconds>) -> String {
        "a duration from \(written(range.lowerBound)) to \(written(range.upperBound))"
    }

    package static func written(_ duration: Nanoseconds) -> String {
        Quantity.duration.text(of: Int64(clamping: duration))
    }

    /// `1s..20s`, or one duration that is both ends.
    package func durationRange(_ name: String) throws(Problem) -> ClosedRange<Nanoseconds> {
        let expected = "a range of durations, like 200ms..2s"
        let text = try text(name, expected: expected)
        let ends = text.split(separator: "..", omittingEmptySubsequences: false)
        guard ends.count == 2 else {
            let value = try duration(name)
            return value...value
        }
        let first = try part(ends[0], of: text).duration(name)
        let last = try part(ends[1], of: text).duration(name)
        guard first <= last else {
            throw problem("`\(name)` ends before it begins", expected: expected)
        }
        return first...last
    }

    /// A part of this text as a node with a position of its own.
    package func part(_ part: Substring, of text: String) -> YAMLNode {
        let leading = part.prefix { $0 == " " }.count
        let offset = text.distance(from: text.startIndex, to: part.startIndex) + leading
        var trimmed = part.dropFirst(leading)
        while trimmed.last == " " { trimmed.removeLast() }
        var node = YAMLNode(content: .text(String(trimmed), .plain), position: position)
        node.position.column += offset
        return node
    }

    /// A length in millimetres, which is written with its unit; by default at most 10 km either way.
    package func length(
        _ name: String, in range: ClosedRange<Int64> = -10_000_000...10_000_000
    ) throws(Problem) -> Int64 {
        try quantity(.length, for: name, in: range)
    }

    /// An angle in hundredths of a degree.
    package func angle(_ name: String, in range: ClosedRange<Int64>) throws(Problem) -> Int32 {
        Int32(clamping: try quantity(.angle, for: name, in: range))
    }

    private func quantity(
        _ quantity: Quantity, for name: String, in range: ClosedRange<Int64>
    ) throws(Problem) -> Int64 {
        let value = try self.quantity(quantity, for: name)
        guard range.contains(value) else {
            let ends = [range.lowerBound, range.upperBound].map(quantity.text(of:))
            throw problem(
                "`\(name)` cannot be \(described)",
                expected: "\(quantity.withArticle) from \(ends[0]) to \(ends[1])")
        }
        return value
    }

    private func quantity(_ quantity: Quantity, for name: String) throws(Problem) -> Int64 {
        let expected = "a number and \(quantity.unitNames), like \(quantity.example)"
        let text = try text(name, expected: expected)
        do {
            return try quantity.value(of: text)
        } catch {
            throw problem(error.message(for: text, name: name), expected: expected)
        }
    }
}

extension Quantity {
    fileprivate var example: String {
        switch self {
        case .duration: "200ms"
        case .length: "1.5m"
        case .angle: "60deg"
        }
    }
}

extension QuantityError {
    fileprivate func message(for text: String, name: String) -> String {
        switch self {
        case .notANumber: "`\(name)` cannot be `\(text)`"
        case .unitMissing(let number): "`\(number)` has no unit"
        case .unitUnknown(let unit, let number):
            "`\(unit)` after \(number) is not a unit of `\(name)`"
        case .tooFine: "`\(text)` has too many decimals"
        case .tooLarge: "`\(text)` is too large"
        }
    }
}
