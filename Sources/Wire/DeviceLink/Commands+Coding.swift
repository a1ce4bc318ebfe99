extension BluetoothCommand {
    /// The bytes of a bond's key (Core Specification Vol 3 Part H 2.4.2.3).
    static let keyLength = 16

    var type: AnswerType {
        switch self {
        case .advertise: .advertise
        case .stopAdvertising: .stopAdvertising
        case .scan: .scan
        case .stopScan: .stopScan
        case .connect: .connect
        case .cancelConnect: .cancelConnect
        case .acl: .acl
        case .disconnect: .disconnect
        case .encrypt: .encrypt
        case .longTermKey: .longTermKey
        case .updateConnection: .updateConnection
        case .setAddress: .setAddress
        }
    }

    func encode(into out: inout ByteWriter) throws(LinkError) {
        switch self {
        case .stopAdvertising, .stopScan: break
        case .advertise(let interval, let data, let scanResponse):
            out.put(interval)
            try out.put(block: data, atMost: LinkLimits.advertisingData)
            try out.put(block: scanResponse, atMost: LinkLimits.advertisingData)
        case .scan(let active, let period):
            out.put(active)
            out.put(period)
        case .connect(let peer, let parameters):
            out.put(peer)
            out.put(parameters)
        case .cancelConnect(let peer): out.put(peer)
        case .acl(let handle, let frame):
            out.put(handle)
            try out.put(block: frame)
        case .disconnect(let handle, let reason):
            out.put(handle)
            out.put(reason)
        case .encrypt(let handle, let key, let random, let diversifier):
            out.put(handle)
            try out.put(key, exactly: Self.keyLength)
            out.put(random, diversifier)
        case .longTermKey(let handle, let key):
            out.put(handle)
            out.put(key != nil)
            if let key { try out.put(key, exactly: Self.keyLength) }
        case .updateConnection(let handle, let parameters):
            out.put(handle)
            out.put(parameters)
        case .setAddress(let address): out.put(address)
        }
    }
}

extension ByteWriter {
    /// The numbers by which a peripheral finds a key.
    ///
    /// They are left out where both are 0, as before 1.2.
    mutating func put(_ random: UInt64, _ diversifier: UInt16) {
        guard random != 0 || diversifier != 0 else { return }
        put(random)
        put(diversifier)
    }
}

extension UWBCommand {
    func encode(into out: inout ByteWriter) throws(LinkError) {
        switch self {
        case .start(let session, let parameters):
            out.put(session)
            try parameters.encode(into: &out)
        case .stop(let session), .end(let session): out.put(session)
        case .stride(let session, let intervals):
            out.put(session)
            out.put(intervals)
        }
    }
}

extension UWBParameters {
    /// The bytes of a static STS initialisation vector.
    static let stsIVLength = 6

    fileprivate func encode(into out: inout ByteWriter) throws(LinkError) {
        out.put(sessionID)
        out.put(address)
        out.put(peer)
        out.put(channel)
        out.put(preamble)
        try out.put(stsIV, exactly: Self.stsIVLength)
        out.put(slotsPerRound)
        out.put(slotDuration)
        out.put(interval)
        out.put(isInitiator)
    }

    init(from reader: inout FrameFields) throws(LinkError) {
        self.init(
            sessionID: try reader.integer("a session id"),
            address: try reader.integer("an address"), peer: try reader.integer("a peer"),
            channel: try reader.byte("a channel"), preamble: try reader.byte("a preamble"),
            stsIV: try reader.bytes(Self.stsIVLength, as: "an STS vector"),
            slotsPerRound: try reader.integer("slots per round"),
            slotDuration: try reader.integer("a slot duration"),
            interval: try reader.integer("an interval"),
            isInitiator: try reader.flag("initiator"))
    }
}
