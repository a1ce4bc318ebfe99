import Foundation

extension Unicode.Scalar {
    /// Whether it controls the terminal instead of being shown: control characters except the line feed,
    /// marks of the direction of writing, invisible characters, line and paragraph separators.
    ///
    /// The two joiners of emoji and of some scripts only change shapes.
    package var steers: Bool {
        // Nearly all text; what Unicode knows of a character is a search in tables.
        if isASCII { return (value < 0x20 || value == 0x7F) && self != "\n" }
        return switch properties.generalCategory {
        case .control: true
        case .format: self != "\u{200C}" && self != "\u{200D}"
        case .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

/// Text for people, without characters that control a terminal: it may quote a file, or what a device said.
package func plain(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.steers) else { return text }
    return String(
        String.UnicodeScalarView(text.unicodeScalars.map { $0.steers ? "\u{FFFD}" : $0 }))
}

/// The same in one line, so that what somebody else says cannot pass for a line of ours.
package func plainLine(_ text: String) -> String {
    plain(text.contains { $0.isNewline } ? text.replacing(#/[\r\n]+/#, with: " ⏎ ") : text)
}

/// JSON with characters that control a terminal as escapes; they can only stand in texts.
func plainJSON(_ json: Data) -> Data {
    let text = String(decoding: json, as: UTF8.self)
    guard text.unicodeScalars.contains(where: \.steers) else { return json }
    var escaped = ""
    for scalar in text.unicodeScalars {
        if scalar.steers {
            for unit in String(scalar).utf16 {
                escaped += "\\u" + String(0x1_0000 + Int(unit), radix: 16).dropFirst()
            }
        } else {
            escaped.unicodeScalars.append(scalar)
        }
    }
    return Data(escaped.utf8)
}
