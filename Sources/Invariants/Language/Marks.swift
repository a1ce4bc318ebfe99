internal import DeviceLink
internal import Promises
internal import Traces

extension Field.Value {
    /// A number for the value; 0 for `none`.
    ///
    /// It is the same for values of the same octets, and another one for others: that of two texts is the
    /// same by accident once in 2⁶⁴ times.
    var mark: UInt64 {
        switch self {
        case .text(let text): Self.mark(of: text)
        case .number(let number): Self.mark(0x9E37_79B9_7F4A_7C15, UInt64(bitPattern: number))
        case .flag(let flag): Self.mark(0xBF58_476D_1CE4_E5B9, flag ? 1 : 0)
        case .bytes(let bytes):
            bytes.withUnsafeBufferPointer { Self.mark(0x94D0_49BB_1331_11EB, $0) }
        case .none: 0
        }
    }

    /// The mark of a text: each kind of value begins with a number of its own, so that no text is a number.
    fileprivate static func mark(of text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { mark(0xCBF2_9CE4_8422_2325, $0) }
    }

    /// Takes in one more part, as FNV-1a does; never 0.
    private static func mark(_ mark: UInt64, _ part: UInt64) -> UInt64 {
        max((mark ^ part) &* 0x100_0000_01B3, 1)
    }

    private static func mark(_ mark: UInt64, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        bytes.reduce(mark) { Self.mark($0, UInt64($1)) }
    }
}

extension TraceEvent {
    /// The mark of the value of a key, without a copy of the value; 0 where the event has none.
    func mark(of key: EventKey) -> UInt64 {
        switch key {
        case .device: device.isEmpty ? 0 : Field.Value.mark(of: device)
        case .role(self.role): Field.Value.mark(of: device)
        case .role: role == nil ? 0 : mark(ofField: "peer")
        case .field(let name): mark(ofField: name)
        }
    }

    private func mark(ofField name: String) -> UInt64 {
        place(of: name).map { fields[$0].value.mark } ?? 0
    }
}
