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
    static func mark(of text: String) -> UInt64 {
        let seed: UInt64 = 0xCBF2_9CE4_8422_2325
        let known = text.utf8.withContiguousStorageIfAvailable { mark(seed, $0) }
        return known ?? Array(text.utf8).withUnsafeBufferPointer { mark(seed, $0) }
    }

    /// Takes in one more part, as FNV-1a does; never 0.
    private static func mark(_ mark: UInt64, _ part: UInt64) -> UInt64 {
        max((mark ^ part) &* 0x100_0000_01B3, 1)
    }

    private static func mark(_ mark: UInt64, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        bytes.reduce(mark) { Self.mark($0, UInt64($1)) }
    }
}

/// The keys that a set of properties speaks of, each once; what is compiled names them by their places.
struct KeyTable: Sendable {
    private(set) var keys: [EventKey] = []

    /// The place of a key, which is taken in where it is new.
    mutating func place(of key: EventKey) -> Int {
        if let place = keys.firstIndex(of: key) { return place }
        keys.append(key)
        return keys.count - 1
    }

    /// The places of a list of keys.
    mutating func places(of list: [EventKey]) -> [Int] { list.map { place(of: $0) } }
}

/// What the present event has of the keys of a set: each is found when it is first asked for, whoever
/// asks.
struct KeyMarks: Sendable {
    private struct Known {
        /// The number of the event of which it is known.
        var event: UInt64
        var mark: UInt64
        /// The value, where it is a number.
        var number: Int64?
    }

    private let keys: [EventKey]
    private var known: [Known]
    /// Which event is the present one.
    private var event: UInt64 = 1

    init(_ table: KeyTable) {
        keys = table.keys
        known = keys.map { _ in Known(event: 0, mark: 0, number: nil) }
    }

    /// Stands in the place of marks that are being looked at.
    static let none = KeyMarks(KeyTable())

    /// Another event is the present one.
    mutating func forget() { event += 1 }

    /// The mark of a key's value in the present event; 0 where it has none.
    mutating func mark(of key: Int, in event: TraceEvent) -> UInt64 {
        if known[key].event != self.event { find(key, in: event) }
        return known[key].mark
    }

    /// The value of a key in the present event, where it is a number.
    mutating func number(of key: Int, in event: TraceEvent) -> Int64? {
        if known[key].event != self.event { find(key, in: event) }
        return known[key].number
    }

    private mutating func find(_ key: Int, in event: TraceEvent) {
        known[key] = Known(event: self.event, mark: 0, number: nil)
        let field: Int?
        switch keys[key] {
        case .device, .role(event.role):
            if !event.device.isEmpty { known[key].mark = Field.Value.mark(of: event.device) }
            return
        case .role: field = event.role == nil ? nil : event.place(of: "peer")
        case .field(let name): field = event.place(of: name)
        }
        guard let field else { return }
        known[key].mark = event.fields[field].value.mark
        if case .number(let number) = event.fields[field].value { known[key].number = number }
    }
}
