/// A name that is safe as a path below a folder: parts with `/` between them, of which none leads out of it.
///
/// Whatever comes from a file and becomes a path (a run's name, a device's) becomes one of these first; this
/// is the only place that decides what is safe. A part has 1 to 255 bytes, as file systems demand, no control
/// character (C would end a path at a zero byte), and is neither `.` nor `..`.
package struct PathName: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package static let mostBytes = 255

    /// Why a name is not safe, in words that follow "it has": `a part ".."`.
    package struct Refusal: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Takes a name of one part or more.
    ///
    /// - Throws: What makes it unsafe.
    package init(_ name: String) throws(Refusal) {
        if let control = name.unicodeScalars.first(where: Self.isControl) {
            throw Refusal(
                description: "the control character U+"
                    + String(hexadecimal: control.value, digits: 4))
        }
        // Bytes, because a character may be a slash and what combines with it.
        for part in name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            try Self.check(part)
        }
        description = name
    }

    /// Takes a name of one part: that of a file in a folder.
    ///
    /// - Throws: What makes it unsafe.
    package init(ofOnePart name: String) throws(Refusal) {
        if name.utf8.contains(UInt8(ascii: "/")) { throw Refusal(description: "a slash") }
        try self.init(name)
    }

    private static func check(_ part: Substring.UTF8View) throws(Refusal) {
        guard !part.isEmpty else { throw Refusal(description: "an empty part") }
        guard part.count <= mostBytes else {
            throw Refusal(description: "a part of \(part.count) bytes")
        }
        let text = String(Substring(part))
        guard text != ".", text != ".." else { throw Refusal(description: "a part \"\(text)\"") }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }

    /// What a safe name is, for messages.
    package static let rule =
        "parts of 1 to \(mostBytes) bytes with / between them, none of them . or .., and no "
        + "control characters"
}

/// The folder in which a path stands: `.` where it has one part, and `/` above all.
///
/// Foundation's own function traps for a relative path of one character.
package func parentFolder(of path: String) -> String {
    let parts = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
    let above = parts.drop { $0 != UInt8(ascii: "/") }.drop { $0 == UInt8(ascii: "/") }
    if !above.isEmpty { return String(decoding: above.reversed(), as: UTF8.self) }
    return path.utf8.first == UInt8(ascii: "/") ? "/" : "."
}
