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

extension String {
    /// Whether one of its characters controls the terminal.
    package var steers: Bool { unicodeScalars.contains { $0.steers } }
}
