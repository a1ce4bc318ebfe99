/// What is coded as its text form.
package protocol CodedAsText: Codable, LosslessStringConvertible {
    /// What the text has to be, for the error where it is something else.
    static var expectedText: String { get }
}

extension CodedAsText {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected \(Self.expectedText)")
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
