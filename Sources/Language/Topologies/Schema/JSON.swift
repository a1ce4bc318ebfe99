/// A JSON value whose keys keep their order.
indirect enum JSON {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case list([JSON])
    case object([(String, JSON)])

    /// The value in as few lines as are pleasant to read.
    func rendered(indent: String = "") -> String {
        let inner = indent + "  "
        guard flat.count > 88 - indent.count else { return flat }
        switch self {
        case .object(let members):
            let lines = members.map {
                "\(inner)\(Self.quoted($0.0)): \($0.1.rendered(indent: inner))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        case .list(let items):
            let lines = items.map { inner + $0.rendered(indent: inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
        case .text, .number, .flag: return flat
        }
    }

    private var flat: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .number(let number): String(number)
        case .flag(let flag): String(flag)
        case .list(let items): "[" + items.map(\.flat).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { "\(Self.quoted($0.0)): \($0.1.flat)" }.joined(separator: ", ")
                + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

/// The words of JSON Schema that we use.
extension JSON {
    static func texts(_ texts: [String]) -> JSON { .list(texts.map(JSON.text)) }

    static func reference(_ name: String) -> JSON {
        .object([("$ref", .text("#/$defs/\(name)"))])
    }

    static func pattern(_ pattern: String) -> JSON {
        .object([("type", .text("string")), ("pattern", .text(pattern))])
    }

    static func words(_ words: [String]) -> JSON { .object([("enum", .texts(words))]) }

    static func integer(_ range: ClosedRange<Int64>) -> JSON {
        .object([
            ("type", .text("integer")), ("minimum", .number(range.lowerBound)),
            ("maximum", .number(range.upperBound)),
        ])
    }

    static let boolean = JSON.object([("type", .text("boolean"))])
    static let string = JSON.object([("type", .text("string"))])

    static func anyOf(_ schemas: JSON...) -> JSON { anyOf(schemas) }

    static func anyOf(_ schemas: [JSON]) -> JSON { .object([("anyOf", .list(schemas))]) }

    static func array(of item: JSON, atLeast: Int64 = 0, atMost: Int64? = nil) -> JSON {
        var members: [(String, JSON)] = [("type", .text("array")), ("items", item)]
        if atLeast > 0 { members.append(("minItems", .number(atLeast))) }
        if let atMost { members.append(("maxItems", .number(atMost))) }
        return .object(members)
    }

    /// A mapping with these keys and no others.
    static func closed(_ properties: [(String, JSON)], required: [String] = []) -> JSON {
        var members: [(String, JSON)] = [
            ("type", .text("object")), ("additionalProperties", .flag(false)),
        ]
        if !required.isEmpty { members.append(("required", .texts(required))) }
        return .object(members + [("properties", .object(properties))])
    }

    /// The same with a description, which an editor shows.
    func described(_ description: String) -> JSON {
        guard case .object(let members) = self, !description.isEmpty else { return self }
        return .object([("description", .text(description))] + members)
    }

    /// The same with further keywords.
    func with(_ more: [(String, JSON)]) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members + more)
    }
}
