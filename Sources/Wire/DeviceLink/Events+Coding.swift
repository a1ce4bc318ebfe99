enum EventType: UInt8 {
    case boot = 0x01
    case timer = 0x02
    case queue = 0x03
    case command = 0x04
    case advertisingReport = 0x10
    case connectionComplete = 0x11
    case disconnectionComplete = 0x12
    case acl = 0x13
    case completedPackets = 0x14
    case longTermKeyRequest = 0x15
    case encryptionChange = 0x16
    case connectionUpdateComplete = 0x17
    case uwbStarted = 0x30
    case uwbRound = 0x31
    case found = 0x40
    case lost = 0x41
    case opened = 0x42
    case received = 0x43
    case closed = 0x44
    case camera = 0x50
}

extension DeviceEvent {
    private var type: EventType {
        switch self {
        case .boot: .boot
        case .timer: .timer
        case .queue: .queue
        case .command: .command
        case .bluetooth(let event): event.type
        case .uwb(.started): .uwbStarted
        case .uwb(.round): .uwbRound
        case .camera: .camera
        case .network(let event): event.type
        }
    }

    func encode(into out: inout ByteWriter) throws(LinkError) {
        out.put(type.rawValue)
        let start = out.beginLength()
        switch self {
        case .boot: break
        case .timer(let name): try out.put(name)
        case .queue(let name, let item):
            try out.put(name)
            out.put(item)
        case .command(let name, let arguments):
            try out.put(name)
            try out.put(arguments)
        case .bluetooth(let event): try event.encode(into: &out)
        case .uwb(let event): event.encode(into: &out)
        case .camera(let frame): frame.encode(into: &out)
        case .network(let event): try event.encode(into: &out)
        }
        out.endLength(start)
    }

    init(from reader: inout FrameFields) throws(LinkError) {
        let code = try reader.byte("an event's type")
        guard let type = EventType(rawValue: code) else {
            throw reader.unknown(code, expected: "the type of an event")
        }
        let outer = try reader.beginBlock("the event")
        try self.init(type, from: &reader)
        try reader.endBlock(outer, as: "the event")
    }

    private init(_ type: EventType, from reader: inout FrameFields) throws(LinkError) {
        switch type {
        case .boot: self = .boot
        case .timer: self = .timer(name: try reader.text("a timer's name"))
        case .queue:
            self = .queue(
                name: try reader.text("a queue's name"), item: try reader.integer("an item"))
        case .command:
            self = .command(
                name: try reader.text("a command's name"),
                arguments: try reader.pairs("the arguments"))
        case .advertisingReport:
            self = .bluetooth(
                .advertisingReport(
                    peer: try reader.address("the advertiser"),
                    isScanResponse: try reader.flag("scan response"),
                    isConnectable: try reader.flag("connectable"),
                    rssi: Int8(bitPattern: try reader.byte("the signal strength")),
                    data: try reader.block(
                        "advertising data", atMost: LinkLimits.advertisingData)))
        case .connectionComplete:
            self = .bluetooth(
                .connectionComplete(
                    status: try reader.byte("a status"), handle: try reader.integer("a handle"),
                    isCentral: try reader.flag("central"), peer: try reader.address("the peer"),
                    try reader.connectionParameters()))
        case .disconnectionComplete:
            self = .bluetooth(
                .disconnectionComplete(
                    handle: try reader.integer("a handle"), reason: try reader.byte("a reason")))
        case .acl:
            self = .bluetooth(
                .acl(handle: try reader.integer("a handle"), try reader.block("an L2CAP frame")))
        case .completedPackets:
            self = .bluetooth(
                .completedPackets(
                    handle: try reader.integer("a handle"), count: try reader.integer("a count")))
        case .longTermKeyRequest:
            let handle = try reader.integer("a handle", as: UInt16.self)
            let (random, diversifier) = try reader.keyNumbers()
            self = .bluetooth(
                .longTermKeyRequest(handle: handle, random: random, diversifier: diversifier))
        case .encryptionChange:
            self = .bluetooth(
                .encryptionChange(
                    status: try reader.byte("a status"), handle: try reader.integer("a handle"),
                    isEncrypted: try reader.flag("encrypted")))
        case .connectionUpdateComplete:
            self = .bluetooth(
                .connectionUpdateComplete(
                    status: try reader.byte("a status"), handle: try reader.integer("a handle"),
                    try reader.connectionParameters()))
        case .uwbStarted:
            self = .uwb(
                .started(
                    session: try reader.integer("a UWB session"),
                    status: try reader.byte("a status")))
        case .uwbRound:
            self = .uwb(
                .round(
                    session: try reader.integer("a UWB session"),
                    try reader.flag("measured") ? try UWBMeasurement(from: &reader) : nil))
        case .camera: self = .camera(try CameraFrame(from: &reader))
        case .found, .lost, .opened, .received, .closed:
            self = .network(try NetworkEvent(type, from: &reader))
        }
    }
}

extension BluetoothEvent {
    fileprivate var type: EventType {
        switch self {
        case .advertisingReport: .advertisingReport
        case .connectionComplete: .connectionComplete
        case .disconnectionComplete: .disconnectionComplete
        case .acl: .acl
        case .completedPackets: .completedPackets
        case .longTermKeyRequest: .longTermKeyRequest
        case .encryptionChange: .encryptionChange
        case .connectionUpdateComplete: .connectionUpdateComplete
        }
    }

    fileprivate func encode(into out: inout ByteWriter) throws(LinkError) {
        switch self {
        case .advertisingReport(let peer, let isScanResponse, let isConnectable, let rssi, let data):
            out.put(peer)
            out.put(isScanResponse)
            out.put(isConnectable)
            out.put(UInt8(bitPattern: rssi))
            try out.put(block: data, atMost: LinkLimits.advertisingData)
        case .connectionComplete(let status, let handle, let isCentral, let peer, let parameters):
            out.put(status)
            out.put(handle)
            out.put(isCentral)
            out.put(peer)
            out.put(parameters)
        case .disconnectionComplete(let handle, let reason):
            out.put(handle)
            out.put(reason)
        case .acl(let handle, let frame):
            out.put(handle)
            try out.put(block: frame)
        case .completedPackets(let handle, let count):
            out.put(handle)
            out.put(count)
        case .longTermKeyRequest(let handle, let random, let diversifier):
            out.put(handle)
            out.put(random, diversifier)
        case .encryptionChange(let status, let handle, let isEncrypted):
            out.put(status)
            out.put(handle)
            out.put(isEncrypted)
        case .connectionUpdateComplete(let status, let handle, let parameters):
            out.put(status)
            out.put(handle)
            out.put(parameters)
        }
    }
}

extension UWBEvent {
    fileprivate func encode(into out: inout ByteWriter) {
        switch self {
        case .started(let session, let status):
            out.put(session)
            out.put(status)
        case .round(let session, let measurement):
            out.put(session)
            out.put(measurement != nil)
            guard let measurement else { return }
            out.put(measurement.distance)
            out.put(angle: measurement.azimuth)
            out.put(angle: measurement.elevation)
            out.put(measurement.isLineOfSight)
            measurement.sight?.encode(into: &out)
        }
    }
}

extension UWBMeasurement {
    fileprivate init(from reader: inout FrameFields) throws(LinkError) {
        self.init(
            distance: try reader.integer("a distance"), azimuth: try reader.angle("an azimuth"),
            elevation: try reader.angle("an elevation"),
            isLineOfSight: try reader.flag("line of sight"),
            sight: reader.isAtEnd ? nil : try UWBSight(from: &reader))
    }
}

extension ByteWriter {
    /// An angle in hundredths of a degree; 0x7FFF where there is none.
    fileprivate mutating func put(angle: Int16?) { put(angle ?? Int16.max) }
}

extension FrameFields {
    fileprivate mutating func angle(_ what: StaticString) throws(LinkError) -> Int16? {
        let angle = try integer(what, as: Int16.self)
        return angle == .max ? nil : angle
    }

    mutating func connectionParameters() throws(LinkError) -> ConnectionParameters {
        ConnectionParameters(
            interval: try integer("an interval"), latency: try integer("a latency"),
            timeout: try integer("a supervision timeout"))
    }
}
