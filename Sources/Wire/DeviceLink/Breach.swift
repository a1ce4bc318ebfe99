import Basics

/// A value of an answer that the contract does not allow, though its bytes can be read.
///
/// DEVICE-LINK.md has the range of each (sections 7, 8, 9 and 15).
public struct Breach: Error, Equatable, Sendable {
    /// Where the value stands: how many bytes of the answer come before it, behind type and length.
    public var place: Int
    /// What the contract wants there, as part of a sentence.
    public var expected: String
    /// What is there instead, as part of a sentence.
    public var found: String

    public init(at place: Int, expected: String, found: String) {
        self.place = place
        self.expected = expected
        self.found = found
    }
}

extension Breach: CustomStringConvertible {
    /// The breach as one clause of a sentence, without a full stop.
    public var description: String { "expected \(expected), found \(found)" }
}

/// The kinds that a device may not observe: what the orchestrator sees by itself.
///
/// A kind belongs to the family that is named before its first full stop, and to that of its whole name
/// where it has none. All of a fenced family is fenced, whether the kind exists or not.
public struct ObservationFence: Sendable {
    private let families: [[UInt8]]

    /// A fence around these families.
    public init(families: [String]) { self.families = families.map { Array($0.utf8) } }

    /// Devices may observe any kind.
    public static let open = ObservationFence(families: [])

    /// Whether a device may observe this kind.
    public func admits(_ kind: String) -> Bool {
        let isAdmitted = kind.utf8.withContiguousStorageIfAvailable { admits($0) }
        return isAdmitted ?? Array(kind.utf8).withUnsafeBufferPointer { admits($0) }
    }

    private func admits(_ kind: UnsafeBufferPointer<UInt8>) -> Bool {
        let family = kind.firstIndex(of: UInt8(ascii: ".")) ?? kind.count
        for index in families.indices where families[index].count == family {
            var place = 0
            while place < family, families[index][place] == kind[place] { place += 1 }
            if place == family { return false }
        }
        return true
    }
}

extension Answer {
    /// Checks every value of an answer against its range in the contract.
    ///
    /// Whoever takes answers asks this, by process (`FrameReader`) and inline.
    ///
    /// - Throws: `Breach` for the first value that is outside.
    @inline(__always)
    public func check(_ fence: ObservationFence) throws(Breach) {
        switch self {
        case .setTimer(let name, _, _), .cancelTimer(let name):
            try checkName(name, as: "a timer's name", at: 0)
        case .post(let queue, _): try checkName(queue, as: "a queue's name", at: 0)
        case .store(let key, let value):
            try checkName(key, as: "a key", at: 0)
            try checkLength(
                value?.count ?? 0, of: "a value", LinkLimits.block, at: 3 + key.utf8.count)
        case .observe(let kind, let fields):
            try Self.checkObservation(of: kind, with: fields, behind: fence)
        case .bluetooth(let command): try command.check()
        case .uwb(.start(_, let parameters)): try parameters.check(at: 4)
        case .uwb(.stop), .uwb(.end): break
        case .uwb(.stride(_, let intervals)):
            guard intervals == 0 else { return }
            throw Breach(at: 4, expected: "a round in each 1 to 255 intervals", found: "0")
        case .camera(let interval):
            guard 1..<LinkLimits.cameraInterval ~= interval else { return }
            throw Breach(
                at: 0, expected: "an interval of 10 to 65535 ms, or 0", found: "\(interval)")
        case .network(let command): try command.check()
        }
    }

    private static func checkObservation(
        of kind: String, with fields: [Field], behind fence: ObservationFence
    ) throws(Breach) {
        try checkName(kind, as: "a kind", at: 0)
        guard fence.admits(kind) else {
            throw Breach(
                at: 0, expected: "a kind that a device may observe",
                found: "\(quoted(kind)), which only the orchestrator sees")
        }
        var place = 2 + kind.utf8.count
        guard fields.count <= LinkLimits.fields else {
            throw Breach(
                at: place, expected: "at most \(LinkLimits.fields) fields",
                found: "\(fields.count)")
        }
        place += 2
        var hasPeer = false
        for index in fields.indices {
            let name = fields[index].name
            try checkName(name, as: "a field's name", at: place)
            let isPeer = name == Field.peer || name == Field.peripheral
            guard !(isPeer && hasPeer), !fields[..<index].contains(name) else {
                throw Breach(
                    at: place, expected: "a field's name that the observation has once",
                    found: "\(quoted(name)) again")
            }
            // Both names are one in the trace.
            hasPeer = hasPeer || isPeer
            place += 3 + name.utf8.count
            try fields[index].value.check(at: place)
            place += fields[index].value.length
        }
    }
}

extension [Answer] {
    /// Checks the answers of a turn; gives the first one that the contract does not allow.
    package func firstBreach(_ fence: ObservationFence) -> (answer: Int, breach: Breach)? {
        for index in indices {
            do throws(Breach) { try self[index].check(fence) } catch { return (index, error) }
        }
        return nil
    }
}

extension ArraySlice<Field> {
    fileprivate func contains(_ name: String) -> Bool {
        for place in indices where self[place].name == name { return true }
        return false
    }
}

extension Field.Value {
    /// The bytes behind the type.
    fileprivate var length: Int {
        switch self {
        case .text(let text): 2 + text.utf8.count
        case .number: 8
        case .flag: 1
        case .bytes(let bytes): 2 + bytes.count
        case .none: 0
        }
    }

    fileprivate func check(at place: Int) throws(Breach) {
        let most = LinkLimits.fieldValue
        switch self {
        case .text(let text): try checkLength(text.utf8.count, of: "a text", most, at: place)
        case .bytes(let bytes): try checkLength(bytes.count, of: "a field's bytes", most, at: place)
        case .number, .flag, .none: break
        }
    }
}

extension BluetoothCommand {
    /// Advertising_Interval_Max of HCI (Core Specification Vol 4 Part E 7.8.5); what is shorter than
    /// its shortest one, 0x0020, counts as that.
    private static let advertisingIntervals: ClosedRange<UInt16> = 1...0x4000
    /// Connection_Handle (Vol 4 Part E 5.3.1).
    private static let handles: ClosedRange<UInt16> = 0...0x0EFF
    /// Reason of HCI_Disconnect (Vol 4 Part E 7.1.6).
    package static let disconnectReasons: [UInt8] = [0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B]
    /// The basic header of an L2CAP frame (Vol 3 Part A 3.1).
    private static let headerLength = 4

    fileprivate func check() throws(Breach) {
        switch self {
        case .stopAdvertising, .scan, .stopScan, .cancelConnect, .setAddress: break
        case .advertise(let interval, let data, let scanResponse):
            try checkNumber(
                interval, as: "an advertising interval (0.625 ms)", in: Self.advertisingIntervals,
                at: 0)
            try Self.check(advertising: data, at: 2)
            try Self.check(advertising: scanResponse, at: 4 + data.count)
        case .connect(_, let parameters): try parameters.check(at: 7)
        case .acl(let handle, let frame):
            try Self.check(handle)
            try Self.check(frame: frame)
        case .disconnect(let handle, let reason):
            try Self.check(handle)
            guard Self.disconnectReasons.contains(reason) else {
                throw Breach(
                    at: 2,
                    expected: "a reason of HCI_Disconnect: "
                        + Self.disconnectReasons.map { hexadecimal($0) }.joined(separator: ", "),
                    found: hexadecimal(reason))
            }
        case .encrypt(let handle, let key, _, _): try Self.check(handle, key: key, at: 2)
        case .longTermKey(let handle, let key): try Self.check(handle, key: key, at: 3)
        case .updateConnection(let handle, let parameters):
            try Self.check(handle)
            try parameters.check(at: 2)
        }
    }

    private static func check(_ handle: UInt16) throws(Breach) {
        try checkNumber(handle, as: "a handle", in: handles, at: 0)
    }

    private static func check(advertising data: [UInt8], at place: Int) throws(Breach) {
        try checkLength(data.count, of: "advertising data", LinkLimits.advertisingData, at: place)
    }

    private static func check(_ handle: UInt16, key: [UInt8]?, at place: Int) throws(Breach) {
        try check(handle)
        guard let key, key.count != keyLength else { return }
        throw Breach(at: place, expected: "a key of \(keyLength) bytes", found: "\(key.count)")
    }

    /// One whole L2CAP frame behind its handle and its own length.
    private static func check(frame: [UInt8]) throws(Breach) {
        try checkLength(frame.count, of: "an L2CAP frame", LinkLimits.block, at: 2)
        guard frame.count >= headerLength else {
            throw Breach(
                at: 2, expected: "at least the \(headerLength) bytes of an L2CAP header",
                found: "\(frame.count)")
        }
        let length = Int(frame[0]) | Int(frame[1]) << 8
        guard length == frame.count - headerLength else {
            throw Breach(
                at: 4, expected: "the length of the L2CAP payload, \(frame.count - headerLength)",
                found: "\(length)")
        }
        guard frame[2] != 0 || frame[3] != 0 else {
            throw Breach(at: 6, expected: "an L2CAP channel id other than 0x0000", found: "0x0000")
        }
    }
}

extension ConnectionParameters {
    /// Core Specification Vol 4 Part E 7.8.12.
    private static let intervals: ClosedRange<UInt16> = 6...3200
    private static let latencies: ClosedRange<UInt16> = 0...499
    private static let timeouts: ClosedRange<UInt16> = 10...3200

    fileprivate func check(at place: Int) throws(Breach) {
        try checkNumber(
            interval, as: "a connection interval (1.25 ms)", in: Self.intervals, at: place)
        try checkNumber(
            latency, as: "a peripheral latency (events)", in: Self.latencies, at: place + 2)
        try checkNumber(
            timeout, as: "a supervision timeout (10 ms)", in: Self.timeouts, at: place + 4)
        guard outlastsSilence else {
            throw Breach(
                at: place + 4,
                expected: "a supervision timeout of more than twice the time between the events "
                    + "that latency \(latency) leaves of an interval of \(interval) (1.25 ms)",
                found: "\(timeout) (10 ms)")
        }
    }

    /// Whether a link may miss an event and live: timeout > (1 + latency) × interval × 2.
    public var outlastsSilence: Bool {
        // One unit of the timeout is eight of the interval.
        UInt64(timeout) * 4 > (UInt64(latency) + 1) * UInt64(interval)
    }
}

extension UWBParameters {
    private static let channels: [UInt8] = [5, 6, 8, 9, 10, 12, 13, 14]
    private static let preambles: ClosedRange<UInt8> = 9...12
    private static let counts: ClosedRange<UInt16> = 1...0xFFFF

    fileprivate func check(at place: Int) throws(Breach) {
        guard Self.channels.contains(channel) else {
            throw Breach(
                at: place + 8, expected: "a UWB channel: 5, 6, 8, 9, 10, 12, 13 or 14",
                found: "\(channel)")
        }
        try checkNumber(preamble, as: "a preamble code index", in: Self.preambles, at: place + 9)
        guard stsIV.count == Self.stsIVLength else {
            throw Breach(
                at: place + 10, expected: "an STS vector of \(Self.stsIVLength) bytes",
                found: "\(stsIV.count)")
        }
        try checkNumber(slotsPerRound, as: "slots per round", in: Self.counts, at: place + 16)
        try checkNumber(slotDuration, as: "a slot duration (RSTU)", in: Self.counts, at: place + 18)
        try checkNumber(interval, as: "a ranging interval (ms)", in: Self.counts, at: place + 20)
    }
}

extension NetworkCommand {
    /// Numbers of connections that a device may give.
    private static let numbers: ClosedRange<UInt32> = 1...0x7FFF_FFFF

    fileprivate func check() throws(Breach) {
        switch self {
        case .publish(let service, let record):
            try service.check(at: 0)
            try checkLength(
                record.count, of: "a record", LinkLimits.networkRecord,
                at: 4 + service.type.utf8.count + service.name.utf8.count)
        case .withdraw(let service): try service.check(at: 0)
        case .browse(let type), .stopBrowsing(let type):
            try checkName(type, as: "a type of service", at: 0)
        case .open(let connection, let service):
            try checkNumber(connection, as: "a connection", in: Self.numbers, at: 0)
            try service.check(at: 4)
        case .send(_, _, let bytes):
            try checkLength(bytes.count, of: "a message", LinkLimits.block, at: 5)
        case .close: break
        }
    }
}

extension NetworkService {
    fileprivate func check(at place: Int) throws(Breach) {
        try checkName(type, as: "a type of service", at: place)
        try checkName(name, as: "a service's name", at: place + 2 + type.utf8.count)
    }
}

/// A length in bytes within its limit.
private func checkLength(
    _ count: Int, of what: StaticString, _ limit: Int, at place: Int
) throws(Breach) {
    guard count > limit else { return }
    throw Breach(
        at: place, expected: "at most \(limit) bytes (\(what))", found: "a length of \(count)")
}

private func checkNumber<Number: FixedWidthInteger>(
    _ number: Number, as what: StaticString, in range: ClosedRange<Number>, at place: Int
) throws(Breach) {
    guard !range.contains(number) else { return }
    throw Breach(
        at: place, expected: "\(range.lowerBound) to \(range.upperBound) (\(what))",
        found: "\(number)")
}

/// A name: not empty, not too long, and nothing in it that a terminal would obey.
private func checkName(_ name: String, as what: StaticString, at place: Int) throws(Breach) {
    let utf8 = name.utf8
    guard !utf8.isEmpty else {
        throw Breach(
            at: place, expected: "1 to \(LinkLimits.name) bytes (\(what))", found: "a length of 0")
    }
    try checkLength(utf8.count, of: what, LinkLimits.name, at: place)
    // Most names are plain ASCII.
    let isPlain = utf8.withContiguousStorageIfAvailable { isPlainASCII(UnsafeRawBufferPointer($0)) }
    guard isPlain != true else { return }
    for scalar in name.unicodeScalars where scalar.isControl {
        throw Breach(
            at: place, expected: "no control character (\(what))",
            found: "U+\(String(hexadecimal: scalar.value, digits: 4)) in \(quoted(name))")
    }
}

/// Whether there is nothing but U+0020 … U+007E; eight bytes at a time, as every name is asked.
private func isPlainASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    func isPlain(_ eight: UInt64) -> Bool {
        let tooHigh = eight | eight &+ 0x0101_0101_0101_0101
        let tooLow = eight &- 0x2020_2020_2020_2020
        return (tooHigh | tooLow) & 0x8080_8080_8080_8080 == 0
    }
    var place = 0
    while place + 8 <= bytes.count {
        guard isPlain(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) else {
            return false
        }
        place += 8
    }
    // The last eight are looked at once more where that is quicker.
    guard bytes.count < 8 else {
        return isPlain(bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
    }
    for place in bytes.indices where !(0x20...0x7E ~= bytes[place]) { return false }
    return true
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

/// A text of a device as a message has it: without controls, and not longer than a line.
private func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(64).map { $0.isControl ? "\u{FFFD}" : $0 }
    let isCut = text.unicodeScalars.count > 64
    return "\"" + String(String.UnicodeScalarView(scalars)) + (isCut ? " …\"" : "\"")
}
