import Basics

/// Why bytes are not what the accessory protocol says they should be.
package enum ProtocolError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is not even a message id.
    case empty
    case unknownMessage(id: UInt8)
    /// The bytes end where `field` should be, `offset` bytes from the beginning of the `kind`.
    case truncated(kind: String, offset: Int, field: String)
    /// Only `count` bytes of a `kind` are there that is `whole` bytes long by its own account.
    case short(kind: String, count: Int, of: Int)
    /// The `kind` is complete, but bytes follow from `offset` on.
    case overlong(kind: String, offset: Int)
    /// A field has a value that the specification does not allow.
    case invalid(kind: String, offset: Int, expected: String)

    /// One clause with kind, offset and what was expected: `UWBConfigData: ends at byte 4, expected
    /// chipset model id`.
    package var description: String {
        switch self {
        case .empty: "a message of no bytes: expected a message id at byte 0"
        case .unknownMessage(let id):
            "no message has the id 0x\(String(hexadecimal: id, digits: 2)) (byte 0)"
        case .truncated(let kind, let offset, let field):
            "\(kind): ends at byte \(offset), expected \(field)"
        case .short(let kind, let count, let whole): "\(count) of \(whole) bytes of \(kind)"
        case .overlong(let kind, let offset): "\(kind): expected the end at byte \(offset)"
        case .invalid(let kind, let offset, let expected):
            "\(kind): expected \(expected) at byte \(offset)"
        }
    }
}
