enum AnswerType: UInt8 {
    case setTimer = 0x01
    case cancelTimer = 0x02
    case post = 0x03
    case store = 0x04
    case observe = 0x05
    case advertise = 0x10
    case stopAdvertising = 0x11
    case scan = 0x12
    case stopScan = 0x13
    case connect = 0x14
    case cancelConnect = 0x15
    case acl = 0x16
    case disconnect = 0x17
    case encrypt = 0x18
    case longTermKey = 0x19
    case updateConnection = 0x1A
    case setAddress = 0x1B
    case uwbStart = 0x30
    case uwbStop = 0x31
    case uwbEnd = 0x32
    case uwbStartExtended = 0x33
    case uwbStride = 0x34
    case publish = 0x40
    case withdraw = 0x41
    case browse = 0x42
    case stopBrowsing = 0x43
    case openConnection = 0x44
    case sendMessage = 0x45
    case closeConnection = 0x46
    case camera = 0x50
}

extension Answer {
    private var type: AnswerType {
        switch self {
        case .bluetooth(let command): command.type
        case .uwb(.start(_, let parameters)):
            parameters.isExtended ? .uwbStartExtended : .uwbStart
        case .uwb(.stop): .uwbStop
        case .uwb(.end): .uwbEnd
        case .uwb(.stride): .uwbStride
        case .camera: .camera
        case .network(let command): command.type
        case .setTimer: .setTimer
        case .cancelTimer: .cancelTimer
        case .post: .post
        case .store: .store
        case .observe: .observe
        }
    }

    func encode(into out: inout ByteWriter) throws(LinkError) {
        out.put(type.rawValue)
        let start = out.beginLength()
        switch self {
        case .bluetooth(let command): try command.encode(into: &out)
        case .uwb(let command): try command.encode(into: &out)
        case .camera(let interval): out.put(interval)
        case .network(let command): try command.encode(into: &out)
        case .setTimer(let name, let after, let slack):
            try out.put(name)
            out.put(after)
            out.put(slack)
        case .cancelTimer(let name): try out.put(name)
        case .post(let queue, let item):
            try out.put(queue)
            out.put(item)
        case .store(let key, let value):
            try out.put(key)
            out.put(value != nil)
            if let value { try out.put(block: value) }
        case .observe(let kind, let fields):
            try out.put(kind)
            try out.putCount(fields.count, of: "fields")
            for field in fields { try field.encode(into: &out) }
        }
        out.endLength(start)
    }

    init(from reader: inout FrameFields, _ fence: ObservationFence) throws(LinkError) {
        let code = try reader.byte("an answer's type")
        guard let type = AnswerType(rawValue: code) else {
            throw reader.unknown(code, expected: "the type of an answer")
        }
        let outer = try reader.beginBlock("the answer")
        let start = reader.offset
        try self.init(type, from: &reader)
        try reader.endBlock(outer, as: "the answer")
        do throws(Breach) { try check(fence) } catch { throw LinkError(error, behind: start) }
    }

    private init(_ type: AnswerType, from reader: inout FrameFields) throws(LinkError) {
        switch type {
        case .setTimer:
            self = .setTimer(
                name: try reader.text("a timer's name"), after: try reader.integer("a delay"),
                slack: try reader.integer("a slack"))
        case .cancelTimer: self = .cancelTimer(name: try reader.text("a timer's name"))
        case .post:
            self = .post(
                queue: try reader.text("a queue's name"), item: try reader.integer("an item"))
        case .store:
            let key = try reader.text("a key")
            let isKept = try reader.flag("kept")
            self = .store(key: key, value: isKept ? try reader.block("a value") : nil)
        case .observe:
            self = .observe(
                kind: try reader.text("a kind"),
                fields: try reader.list("the fields") { reader throws(LinkError) in
                    try Field(from: &reader)
                })
        case .advertise:
            self = .bluetooth(
                .advertise(
                    interval: try reader.integer("an interval"),
                    data: try reader.block(
                        "advertising data", atMost: LinkLimits.advertisingData),
                    scanResponse: try reader.block(
                        "a scan response", atMost: LinkLimits.advertisingData)))
        case .stopAdvertising: self = .bluetooth(.stopAdvertising)
        case .scan:
            self = .bluetooth(
                .scan(active: try reader.flag("active"), period: try reader.integer("a period")))
        case .stopScan: self = .bluetooth(.stopScan)
        case .connect:
            self = .bluetooth(
                .connect(peer: try reader.address("the peer"), try reader.connectionParameters()))
        case .cancelConnect:
            self = .bluetooth(.cancelConnect(peer: try reader.address("the peer")))
        case .acl:
            self = .bluetooth(
                .acl(handle: try reader.integer("a handle"), try reader.block("an L2CAP frame")))
        case .disconnect:
            self = .bluetooth(
                .disconnect(
                    handle: try reader.integer("a handle"), reason: try reader.byte("a reason")))
        case .encrypt:
            let handle = try reader.integer("a handle", as: UInt16.self)
            let key = try reader.bondKey()
            let (random, diversifier) = try reader.keyNumbers()
            self = .bluetooth(
                .encrypt(handle: handle, key: key, random: random, diversifier: diversifier))
        case .longTermKey:
            let handle = try reader.integer("a handle", as: UInt16.self)
            let isKnown = try reader.flag("whether the key is known")
            self = .bluetooth(
                .longTermKey(handle: handle, isKnown ? try reader.bondKey() : nil))
        case .updateConnection:
            self = .bluetooth(
                .updateConnection(
                    handle: try reader.integer("a handle"), try reader.connectionParameters()))
        case .setAddress: self = .bluetooth(.setAddress(try reader.address("the own address")))
        case .uwbStart, .uwbStartExtended:
            let session = try reader.integer("a UWB session", as: UInt32.self)
            var parameters = try UWBParameters(from: &reader)
            parameters.isExtended = type == .uwbStartExtended
            self = .uwb(.start(session: session, parameters))
        case .uwbStop: self = .uwb(.stop(session: try reader.integer("a UWB session")))
        case .uwbEnd: self = .uwb(.end(session: try reader.integer("a UWB session")))
        case .uwbStride:
            self = .uwb(
                .stride(
                    session: try reader.integer("a UWB session"),
                    intervals: try reader.byte("a number of intervals")))
        case .camera: self = .camera(interval: try reader.integer("an interval"))
        case .publish, .withdraw, .browse, .stopBrowsing, .openConnection, .sendMessage,
            .closeConnection:
            self = .network(try NetworkCommand(type, from: &reader))
        }
    }
}

extension FrameFields {
    fileprivate mutating func bondKey() throws(LinkError) -> [UInt8] {
        try bytes(BluetoothCommand.keyLength, as: "a key")
    }

    /// The numbers by which a peripheral finds a key; 0 where they were left out (since 1.2).
    mutating func keyNumbers() throws(LinkError) -> (random: UInt64, diversifier: UInt16) {
        isAtEnd ? (0, 0) : (try integer("a random number"), try integer("a diversifier"))
    }
}

/// The type bytes of an observation's values.
private enum ValueType: UInt8 {
    case none = 0x00
    case text = 0x01
    case number = 0x02
    case flag = 0x03
    case bytes = 0x04
}

extension Field {
    fileprivate func encode(into out: inout ByteWriter) throws(LinkError) {
        try out.put(name)
        switch value {
        case .none: out.put(ValueType.none.rawValue)
        case .text(let text):
            out.put(ValueType.text.rawValue)
            try out.put(text)
        case .number(let number):
            out.put(ValueType.number.rawValue)
            out.put(number)
        case .flag(let flag):
            out.put(ValueType.flag.rawValue)
            out.put(flag)
        case .bytes(let bytes):
            out.put(ValueType.bytes.rawValue)
            try out.put(block: bytes)
        }
    }

    fileprivate init(from reader: inout FrameFields) throws(LinkError) {
        self.init(try reader.text("a field's name"), try Value(from: &reader))
    }
}

extension Field.Value {
    fileprivate init(from reader: inout FrameFields) throws(LinkError) {
        let code = try reader.byte("the type of a value")
        switch ValueType(rawValue: code) {
        case .some(.none): self = .none
        case .text: self = .text(try reader.text("a text"))
        case .number: self = .number(try reader.integer("a number"))
        case .flag: self = .flag(try reader.flag("a flag"))
        case .bytes: self = .bytes(try reader.block("bytes"))
        case nil: throw reader.unknown(code, expected: "the type of a value, 0x00 to 0x04")
        }
    }
}
