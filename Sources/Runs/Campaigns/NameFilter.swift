/// Which names are meant: `dropout`, `races and not phone`, `(suspend or deny) and not defects`.
///
/// A word matches every name that contains it, in upper or lower case.
package struct NameFilter: Sendable {
    private indirect enum Term: Sendable {
        case word(String)
        case not(Term)
        case both(Term, Term)
        case either(Term, Term)

        func matches(_ name: String) -> Bool {
            switch self {
            case .word(let word): name.contains(word)
            case .not(let term): !term.matches(name)
            case .both(let one, let other): one.matches(name) && other.matches(name)
            case .either(let one, let other): one.matches(name) || other.matches(name)
            }
        }
    }

    /// As it was written.
    package let text: String
    private let term: Term

    /// The filter that a text says: words joined by `and`, `or`, `not` and parentheses.
    ///
    /// - Throws: `WrongUse` that says what is missing.
    package init(_ text: String) throws(WrongUse) {
        var parser = Parser(text)
        self.text = text
        term = try parser.whole()
    }

    package func matches(_ name: String) -> Bool { term.matches(name.lowercased()) }

    private struct Parser {
        private let text: String
        private var tokens: ArraySlice<String>

        init(_ text: String) {
            self.text = text
            let spaced = text.replacing("(", with: " ( ").replacing(")", with: " ) ")
            tokens = spaced.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }[...]
        }

        mutating func whole() throws(WrongUse) -> Term {
            let term = try either()
            guard let rest = tokens.first else { return term }
            throw wrong("`\(rest)` follows its end; expected and, or")
        }

        private mutating func either() throws(WrongUse) -> Term {
            var term = try both()
            while take("or") { term = .either(term, try both()) }
            return term
        }

        private mutating func both() throws(WrongUse) -> Term {
            var term = try negated()
            while take("and") { term = .both(term, try negated()) }
            return term
        }

        private mutating func negated() throws(WrongUse) -> Term {
            if take("not") { return .not(try negated()) }
            guard take("(") else { return .word(try word()) }
            let term = try either()
            guard take(")") else { throw wrong("a parenthesis is not closed") }
            return term
        }

        private mutating func word() throws(WrongUse) -> String {
            guard let word = tokens.first, !["and", "or", ")"].contains(word) else {
                throw wrong("a part of a name is missing")
            }
            tokens.removeFirst()
            return word
        }

        private mutating func take(_ token: String) -> Bool {
            guard tokens.first == token else { return false }
            tokens.removeFirst()
            return true
        }

        private func wrong(_ reason: String) -> WrongUse {
            WrongUse("-k \"\(text)\": \(reason); for example -k \"dropout and not scale\"")
        }
    }
}

extension TaskList {
    /// The topologies that match a filter.
    ///
    /// - Throws: `WrongUse` where none matches.
    package func matching(_ filter: NameFilter?) throws(WrongUse) -> TaskList {
        guard let filter else { return self }
        let meant = entries.filter { filter.matches($0.name) }
        guard !meant.isEmpty else {
            throw WrongUse(
                "-k \"\(filter.text)\": none of \(entries.count) topologies matches "
                    + "(anechoic list shows their names)")
        }
        return TaskList(entries: meant)
    }
}
