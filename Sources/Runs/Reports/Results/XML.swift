import Artifacts
import Basics

/// Text as XML 1.0 takes it.
enum XML {
    /// The length in bytes that no value reaches: servers cut or refuse what is long.
    static let limit = 4_000
    private static let mark = " … (cut)"

    /// Attributes in this order, with a blank before each.
    static func attributes(_ values: KeyValuePairs<String, String>) -> String {
        values.map { " \($0.key)=\"\(cut($0.value, inAttribute: true))\"" }.joined()
    }

    /// What stands between two tags.
    static func text(_ text: String) -> String { cut(text, inAttribute: false) }

    /// As much of a text as stays below the limit once it is escaped.
    private static func cut(_ text: String, inAttribute: Bool) -> String {
        let whole = escaped(text, inAttribute: inAttribute)
        guard whole.utf8.count >= limit else { return whole }
        var result = ""
        for character in text {
            let piece = escaped(String(character), inAttribute: inAttribute)
            if result.utf8.count + piece.utf8.count + mark.utf8.count >= limit { break }
            result += piece
        }
        return result + mark
    }

    private static func escaped(_ text: String, inAttribute: Bool) -> String {
        text.unicodeScalars.map { escaped($0, inAttribute: inAttribute) }.joined()
    }

    /// Attributes lose the ends of their lines, and every text its carriage returns, unless they are written
    /// as numbers.
    private static func escaped(_ scalar: Unicode.Scalar, inAttribute: Bool) -> String {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "\r": "&#13;"
        case "\n" where inAttribute: "&#10;"
        case "\t" where inAttribute: "&#9;"
        // No XML 1.0 document may hold these, not even by their numbers.
        case "\0"..."\u{1F}" where scalar != "\t" && scalar != "\n", "\u{FFFE}", "\u{FFFF}":
            "\u{FFFD}"
        case _ where scalar.steers && scalar != "\t":
            "&#x\(String(hexadecimal: scalar.value, digits: 1));"
        default: String(scalar)
        }
    }
}
