/// A byte on a link that is not what the contract says (DEVICE-LINK.md).
///
/// The same error serves both directions: what came in could not be read, or what was to go out does
/// not fit into a frame.
public struct LinkError: Error, Equatable, Sendable {
    /// The kind of error.
    public var problem: Problem
    /// Where: the number of bytes that came before it in this direction since the link was opened.
    ///
    /// For a frame that could not be written, the number of bytes before it in the frame.
    public var offset: UInt64
    /// What the contract wants there, as part of a sentence.
    public var expected: String
    /// What is there instead, as part of a sentence.
    public var found: String

    /// The kinds of error.
    public enum Problem: String, Equatable, Sendable {
        /// A length beyond its limit.
        case overlong
        /// The bytes end inside a value.
        case truncated
        /// A frame, event, answer or field of a type that the contract does not know.
        case unknownType
        /// Text that is not UTF-8.
        case badText
        /// Bytes left over behind the last value.
        case trailingBytes
        /// A value out of its range.
        case badValue
        /// The first frame is not the hello of an Anechoic device.
        case wrongMagic
        /// A hello of another major version.
        case wrongVersion
        /// Answers to another turn than the one granted.
        case wrongTurn
        /// A good frame at a time at which the contract does not allow it.
        case outOfOrder
    }

    public init(_ problem: Problem, at offset: UInt64, expected: String, found: String) {
        self.problem = problem
        self.offset = offset
        self.expected = expected
        self.found = found
    }
}

extension LinkError {
    /// A value of an answer that the contract does not allow; `start` is the place in the stream of the
    /// answer's first byte behind its type and length.
    init(_ breach: Breach, behind start: UInt64) {
        self.init(
            .badValue, at: start + UInt64(breach.place), expected: breach.expected,
            found: breach.found)
    }
}

extension LinkError: CustomStringConvertible {
    /// The error as one clause of a sentence, without a full stop.
    public var description: String { "byte \(offset): expected \(expected), found \(found)" }
}
