package import Bluetooth

/// A UUID as Bluetooth uses it, of 16 or 128 bits.
public final class CBUUID: Hashable, Sendable, CustomStringConvertible {
    package let uuid: BluetoothUUID

    package init(_ uuid: BluetoothUUID) { self.uuid = uuid }

    /// A UUID of 4 or 32 hexadecimal digits.
    ///
    /// Any other text is a programming error and traps.
    public convenience init(string: String) {
        guard let uuid = BluetoothUUID(string) else {
            preconditionFailure("'\(string)' does not represent a valid UUID")
        }
        self.init(uuid)
    }

    /// A UUID of 2 or 16 bytes, most significant first.
    ///
    /// Any other length traps.
    public convenience init(data: Data) {
        guard let uuid = BluetoothUUID(littleEndian: data.reversed()) else {
            preconditionFailure("\(data.count) bytes do not represent a valid UUID")
        }
        self.init(uuid)
    }

    /// A UUID of 128 bits.
    public convenience init(nsuuid: UUID) {
        self.init(BluetoothUUID(value: nsuuid.bytes.reduce(0) { $0 << 8 | UInt128($1) }))
    }

    /// The shortest text form, in upper case.
    public var uuidString: String { uuid.description }

    /// The shortest form in bytes, most significant first.
    public var data: Data { Data(uuid.bytes.reversed()) }

    /// Whether both are the same UUID, in whatever form.
    public static func == (left: CBUUID, right: CBUUID) -> Bool { left.uuid == right.uuid }

    /// Whether the other is a UUID, and the same.
    public func isEqual(_ object: Any?) -> Bool { (object as? CBUUID) == self }

    public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }

    /// The shortest text form.
    public var description: String { uuidString }
}

extension UUID {
    /// The bytes, most significant first.
    var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}
