import Basics

/// The type bytes of frames.
///
/// Those of a device have the highest bit set.
enum FrameType: UInt8 {
    case reset = 0x01
    case grant = 0x02
    case farewell = 0x03
    case hello = 0x81
    case ready = 0x82
    case refused = 0x83
    case answers = 0x84
}

extension OrchestratorFrame {
    /// Writes the frame behind what `out` holds.
    ///
    /// - Throws: `LinkError` where a text, block, list or the whole frame is too long; `out` is then
    ///   as it was.
    public func encode(into out: inout [UInt8]) throws(LinkError) {
        switch self {
        case .reset(let reset):
            try ByteWriter.appendFrame(.reset, to: &out) { out throws(LinkError) in
                try reset.encode(into: &out)
            }
        case .grant(let turn, let now, let event):
            try ByteWriter.appendFrame(.grant, to: &out) { out throws(LinkError) in
                out.put(turn)
                out.put(now.nanoseconds)
                try event.encode(into: &out)
            }
        case .farewell:
            try ByteWriter.appendFrame(.farewell, to: &out) { _ throws(LinkError) in }
        }
    }

    init(from reader: inout FrameFields) throws(LinkError) {
        let type = try reader.byte("a frame's type")
        switch FrameType(rawValue: type) {
        case .reset: self = .reset(try Reset(from: &reader))
        case .grant:
            self = .grant(
                turn: try reader.integer("the turn"),
                now: VirtualTime(nanoseconds: try reader.integer("the time")),
                try DeviceEvent(from: &reader))
        case .farewell: self = .farewell
        case .hello, .ready, .refused, .answers, nil:
            throw reader.unknown(
                type, expected: "reset (0x01), grant (0x02) or farewell (0x03)")
        }
        try reader.finish("the frame")
    }
}

extension DeviceFrame {
    /// Writes the frame behind what `out` holds.
    ///
    /// - Throws: `LinkError` where a text, block, list or the whole frame is too long; `out` is then
    ///   as it was.
    public func encode(into out: inout [UInt8]) throws(LinkError) {
        switch self {
        case .hello(let hello):
            try ByteWriter.appendFrame(.hello, to: &out) { out throws(LinkError) in
                try hello.encode(into: &out)
            }
        case .ready: try ByteWriter.appendFrame(.ready, to: &out) { _ throws(LinkError) in }
        case .refused(let reason):
            try ByteWriter.appendFrame(.refused, to: &out) { out throws(LinkError) in
                try out.put(reason)
            }
        case .answers(let turn, let answers):
            try ByteWriter.appendFrame(.answers, to: &out) { out throws(LinkError) in
                out.put(turn)
                for answer in answers { try answer.encode(into: &out) }
            }
        }
    }

    init(from reader: inout FrameFields, _ fence: ObservationFence) throws(LinkError) {
        let type = try reader.byte("a frame's type")
        switch FrameType(rawValue: type) {
        case .hello: self = .hello(try Hello(from: &reader))
        case .ready: self = .ready
        case .refused: self = .refused(try reader.text("the reason", atMost: LinkLimits.reason))
        case .answers:
            let turn = try reader.integer("the turn", as: UInt32.self)
            // Most turns have one answer, and an array of one is made faster than it grows.
            var answers = reader.isAtEnd ? [] : [try Answer(from: &reader, fence)]
            while !reader.isAtEnd {
                guard answers.count < LinkLimits.answers else { throw Self.tooMany(reader) }
                answers.append(try Answer(from: &reader, fence))
            }
            self = .answers(turn: turn, answers)
        case .reset, .grant, .farewell, nil:
            throw reader.unknown(
                type, expected: "hello (0x81), ready (0x82), refused (0x83) or answers (0x84)")
        }
        try reader.finish("the frame")
    }

    private static func tooMany(_ reader: FrameFields) -> LinkError {
        LinkError(
            .overlong, at: reader.offset,
            expected: "at most \(LinkLimits.answers) answers in a turn", found: "one more")
    }
}

extension Hello {
    /// `ANCH`: the first bytes that a device says behind the frame's length and type.
    static let magic: [UInt8] = [0x41, 0x4E, 0x43, 0x48]

    func encode(into out: inout ByteWriter) throws(LinkError) {
        try out.put(Self.magic, exactly: 4)
        out.put(major)
        out.put(minor)
        out.put(UInt8((keepsGlobalState ? 1 : 0) + (isAfreshByReset ? 2 : 0)))
        try out.put(program)
    }

    /// Reads a hello.
    ///
    /// What a later minor version added (more flags, bytes at the end) is ignored.
    init(from reader: inout FrameFields) throws(LinkError) {
        let start = reader.offset
        let magic = try reader.bytes(4, as: "the magic")
        guard magic == Self.magic else {
            throw LinkError(
                .wrongMagic, at: start, expected: "the magic \(hexadecimal(Self.magic)) of a hello",
                found: hexadecimal(magic))
        }
        let major = try reader.integer("the major version", as: UInt16.self)
        guard major == Self.currentMajor else {
            throw LinkError(
                .wrongVersion, at: start + 4,
                expected: "version \(Self.currentMajor) of the contract",
                found: "version \(major)")
        }
        let minor = try reader.integer("the minor version", as: UInt16.self)
        let isLater = minor > Self.currentMinor
        let flags = try Self.flags(from: &reader, most: isLater ? 255 : minor == 0 ? 1 : 3)
        self.init(
            program: try reader.text("the program", atMost: LinkLimits.program),
            keepsGlobalState: flags & 1 != 0, isAfreshByReset: minor > 0 && flags & 2 != 0,
            major: major, minor: minor)
        if isLater { reader.skipRest() }
    }

    private static func flags(
        from reader: inout FrameFields, most: UInt8
    ) throws(LinkError) -> UInt8 {
        let place = reader.offset
        let flags = try reader.byte("flags")
        guard flags <= most else {
            throw LinkError(
                .badValue, at: place, expected: "0 \(most == 1 ? "or" : "to") \(most) (flags)",
                found: "\(flags)")
        }
        return flags
    }
}

extension Reset {
    func encode(into out: inout ByteWriter) throws(LinkError) {
        try out.put(name)
        try out.put(model)
        out.put(incarnation)
        out.put(key)
        out.put(address)
        try out.put(parameters)
        try out.putCount(defects.count, of: "defects")
        for defect in defects { try out.put(defect) }
        try out.putCount(stored.count, of: "stored pairs")
        for pair in stored {
            try out.put(pair.key)
            try out.put(block: pair.value)
        }
    }

    init(from reader: inout FrameFields) throws(LinkError) {
        self.init(
            name: try reader.text("the device's name"),
            model: try reader.text("the model"),
            incarnation: try reader.integer("the incarnation"),
            key: try reader.integer("the key"),
            address: try reader.address("the device's address"),
            parameters: try reader.pairs("the parameters"),
            defects: try reader.list("the defects") { reader throws(LinkError) in
                try reader.text("a defect")
            },
            stored: try reader.list("the stored pairs") { reader throws(LinkError) in
                StoredPair(try reader.text("a stored key"), try reader.block("a stored value"))
            })
    }
}

extension FrameFields {
    mutating func pairs(_ what: StaticString) throws(LinkError) -> [Pair] {
        try list(what) { reader throws(LinkError) in
            Pair(try reader.text("a name"), try reader.text("a value"))
        }
    }

    mutating func address(_ what: StaticString) throws(LinkError) -> Address {
        let isRandom = try flag("the type of an address")
        let low = try integer(what, as: UInt32.self)
        let high = try integer(what, as: UInt16.self)
        return Address(UInt64(high) << 32 | UInt64(low), isRandom: isRandom)
    }
}
