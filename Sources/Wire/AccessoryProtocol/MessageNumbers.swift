/// The numbers by which an accessory and its app tell messages apart: the first byte of each.
///
/// R4 3.2 leaves them to the manufacturer. Without a word about a message it has the number of Apple's sample app,
/// which is `MessageID`'s.
package struct MessageNumbers: Equatable, Sendable {
    /// The messages that have another number, in the order of their ids.
    private var own: [(id: MessageID, number: UInt8)] = []

    /// Those of Apple's sample app.
    package static let sample = Self()

    private init() {}

    /// Numbers of which these are others than the sample app's.
    ///
    /// - Throws: `Clash` where two messages would have the same.
    package init(_ numbers: [(id: MessageID, number: UInt8)]) throws(Clash) {
        own = numbers.filter { $0.number != $0.id.rawValue }.sorted {
            $0.id.rawValue < $1.id.rawValue
        }
        for (place, id) in MessageID.allCases.enumerated() {
            let other = MessageID.allCases.dropFirst(place + 1).first {
                number(of: $0) == number(of: id)
            }
            if let other { throw Clash(first: id, second: other, number: number(of: id)) }
        }
    }

    /// Two messages that nobody could tell apart.
    package struct Clash: Error, CustomStringConvertible {
        let first: MessageID
        let second: MessageID
        let number: UInt8

        package var description: String {
            "\(first.name) and \(second.name) would both have the number \(number)"
        }
    }

    /// The first byte of a message.
    package func number(of id: MessageID) -> UInt8 {
        own.first { $0.id == id }?.number ?? id.rawValue
    }

    /// The message that begins with a byte; nil where none does.
    package func id(of number: UInt8) -> MessageID? {
        if let own = own.first(where: { $0.number == number }) { return own.id }
        return MessageID(rawValue: number).flatMap { self.number(of: $0) == number ? $0 : nil }
    }

    /// Only what differs from the sample app's, by the names of messages.
    package var named: [(name: String, number: UInt8)] { own.map { ($0.id.name, $0.number) } }

    package static func == (one: Self, other: Self) -> Bool {
        one.own.elementsEqual(other.own) { $0.id == $1.id && $0.number == $1.number }
    }
}

extension MessageID {
    /// The message of a name in the trace; nil where there is none.
    package init?(named name: String) {
        guard let id = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = id
    }
}
