/// A JSON value whose keys keep their order.
indirect enum JSON {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case list([JSON])
    case object(Members)

    /// The value in as few lines as are pleasant to read.
    func rendered(indent: String = "") -> String {
        let inner = indent + "  "
        guard flat.count > 88 - indent.count else { return flat }
        switch self {
        case .object(let members):
            let lines = members.list.map {
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
            "{" + members.list.map { "\(Self.quoted($0.0)): \($0.1.flat)" }.joined(separator: ", ")
                + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

extension JSON {
    /// The members of an object, in their order.
    struct Members: ExpressibleByDictionaryLiteral {
        let list: [(String, JSON)]

        init(_ list: [(String, JSON)]) { self.list = list }

        init(dictionaryLiteral list: (String, JSON)...) { self.list = list }

        /// A member for each item.
        init<Items: Sequence>(_ items: Items, _ member: (Items.Element) -> (String, JSON)) {
            list = items.map(member)
        }

        static func + (one: Members, other: Members) -> Members { Members(one.list + other.list) }
    }

    /// Those of an object; none of anything else.
    var members: Members { if case .object(let members) = self { members } else { [:] } }
}

/// The words of JSON Schema that we use.
extension JSON {
    static func texts(_ texts: [String]) -> JSON { .list(texts.map(JSON.text)) }

    static func reference(_ name: String) -> JSON {
        .object(["$ref": .text("#/$defs/\(name)")])
    }

    static func pattern(_ pattern: String) -> JSON {
        .object(["type": .text("string"), "pattern": .text(pattern)])
    }

    static func words(_ words: [String]) -> JSON { .object(["enum": .texts(words)]) }

    static func integer(_ range: ClosedRange<Int64>) -> JSON {
        .object([
            "type": .text("integer"), "minimum": .number(range.lowerBound),
            "maximum": .number(range.upperBound),
        ])
    }

    static let boolean = JSON.object(["type": .text("boolean")])
    static let string = JSON.object(["type": .text("string")])

    static func anyOf(_ schemas: JSON...) -> JSON { anyOf(schemas) }

    static func anyOf(_ schemas: [JSON]) -> JSON { .object(["anyOf": .list(schemas)]) }

    static func array(of item: JSON, atLeast: Int64 = 0, atMost: Int64? = nil) -> JSON {
        JSON.object(["type": .text("array"), "items": item])
            .with(atLeast > 0 ? ["minItems": .number(atLeast)] : [:])
            .with(atMost.map { ["maxItems": .number($0)] } ?? [:])
    }

    /// A mapping with these keys and no others.
    static func closed(_ properties: Members, required: [String] = []) -> JSON {
        JSON.object(["type": .text("object"), "additionalProperties": .flag(false)])
            .with(required.isEmpty ? [:] : ["required": .texts(required)])
            .with(["properties": .object(properties)])
    }

    /// The same with a description, which an editor shows.
    func described(_ description: String) -> JSON {
        description.isEmpty ? self : .object(["description": .text(description)] + members)
    }

    /// The same with further keywords.
    func with(_ more: Members) -> JSON { .object(members + more) }
}
