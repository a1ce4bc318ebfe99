import Basics
import Foundation

/// Text for people, without characters that control a terminal: it may quote a file, or what a device said.
package func plain(_ text: String) -> String {
    guard text.steers else { return text }
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
    guard text.steers else { return json }
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
