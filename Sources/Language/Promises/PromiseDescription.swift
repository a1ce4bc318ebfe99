/// What a promise says and who keeps it; whoever has its id looks the rest up here.
package struct PromiseDescription: Equatable, Sendable {
    /// The name by which files, reports and `--only` mean it: `message-order`.
    package let id: String
    /// Where it is written.
    package let clause: PromiseSource
    package let level: Property.Level
    /// Who has to keep it; nil where nobody in particular has.
    package let keeper: Property.Keeper?
    /// What is promised, in one plain sentence.
    package var sentence: String

    package init(
        _ id: String, clause: PromiseSource = .nowhere, level: Property.Level = .must,
        keeper: Property.Keeper? = nil, sentence: String = ""
    ) {
        self.id = id
        self.clause = clause
        self.level = level
        self.keeper = keeper
        self.sentence = sentence
    }

    /// Who has to keep it, in a word; empty where nobody in particular has.
    package var keeperWord: String { keeper?.rawValue ?? "" }
}

/// As reports have it, beside what became of the promise.
extension PromiseDescription: Codable {
    private enum CodingKeys: String, CodingKey {
        case id = "promise"
        case clause, level, keeper, sentence
    }

    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try keys.decode(String.self, forKey: .id),
            clause: PromiseSource(try keys.decode(String.self, forKey: .clause)),
            level: try keys.decode(Property.Level.self, forKey: .level),
            keeper: Property.Keeper(rawValue: try keys.decode(String.self, forKey: .keeper)),
            sentence: try keys.decode(String.self, forKey: .sentence))
    }

    package func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        try keys.encode(id, forKey: .id)
        try keys.encode(clause.text, forKey: .clause)
        try keys.encode(level, forKey: .level)
        try keys.encode(keeperWord, forKey: .keeper)
        try keys.encode(sentence, forKey: .sentence)
    }
}

/// Where a promise is written.
package enum PromiseSource: Equatable, Sendable {
    /// In these sections of R4, and maybe in what is named behind them: `3.4.1, 4.3.2`.
    case r4(String)
    /// Only elsewhere: `Vendor guide 2.1`.
    case other(String)
    /// Nowhere: it is an expectation of one topology.
    case nowhere

    private static let r4 = "R4 "

    /// The source that a text names.
    package init(_ text: String) {
        self =
            if text.hasPrefix(Self.r4) {
                .r4(String(text.dropFirst(Self.r4.count)))
            } else {
                text.isEmpty ? .nowhere : .other(text)
            }
    }

    /// As it is written; empty for nowhere.
    package var text: String {
        switch self {
        case .r4(let sections): Self.r4 + sections
        case .other(let text): text
        case .nowhere: ""
        }
    }

    /// Whether R4 alone says it: what stands behind a semicolon says it as well.
    package var isR4Alone: Bool {
        if case .r4(let text) = self { !text.contains(";") } else { false }
    }
}

extension PromiseSource: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}
