extension ATTPDU {
    /// Reads one PDU.
    ///
    /// - Throws: `MalformedBytes` where the opcode is unknown, or a field is missing or too long.
    package init(_ bytes: [UInt8]) throws(MalformedBytes) { try self.init(bytes[...]) }

    /// Reads one PDU out of a frame; offsets count from the slice's beginning.
    ///
    /// - Throws: `MalformedBytes` where the opcode is unknown, or a field is missing or too long.
    package init(_ bytes: ArraySlice<UInt8>) throws(MalformedBytes) {
        guard let first = bytes.first, let opcode = ATTOpcode(rawValue: first) else {
            throw MalformedBytes("ATT PDU", offset: 0, expected: "a known opcode")
        }
        var reader = ByteReader(bytes, kind: opcode.name)
        _ = try reader.uint8("opcode")
        self = try Self.read(opcode, from: &reader)
        try reader.end()
    }

    private static func read(
        _ opcode: ATTOpcode, from reader: inout ByteReader
    ) throws(MalformedBytes) -> ATTPDU {
        switch opcode {
        case .errorResponse:
            .errorResponse(
                request: try reader.uint8("opcode of the request"),
                handle: try reader.uint16("handle"),
                ATTErrorCode(rawValue: try reader.uint8("error code")))
        case .exchangeMTURequest: .exchangeMTURequest(try reader.uint16("client MTU"))
        case .exchangeMTUResponse: .exchangeMTUResponse(try reader.uint16("server MTU"))
        case .findInformationRequest: .findInformationRequest(try reader.range())
        case .findInformationResponse: .findInformationResponse(try reader.information())
        case .findByTypeValueRequest:
            .findByTypeValueRequest(
                try reader.range(), type: try reader.uint16("type"), value: reader.rest())
        case .findByTypeValueResponse: .findByTypeValueResponse(try reader.ranges())
        case .readByTypeRequest: .readByTypeRequest(try reader.range(), type: try reader.uuid())
        case .readByTypeResponse: .readByTypeResponse(try reader.values())
        case .readByGroupTypeRequest:
            .readByGroupTypeRequest(try reader.range(), type: try reader.uuid())
        case .readByGroupTypeResponse: .readByGroupTypeResponse(try reader.groups())
        case .readRequest: .readRequest(try reader.uint16("handle"))
        case .readResponse: .readResponse(reader.rest())
        case .readBlobRequest:
            .readBlobRequest(try reader.uint16("handle"), offset: try reader.uint16("offset"))
        case .readBlobResponse: .readBlobResponse(reader.rest())
        case .readMultipleRequest: .readMultipleRequest(try reader.handles())
        case .readMultipleResponse: .readMultipleResponse(reader.rest())
        case .writeRequest: .writeRequest(try reader.uint16("handle"), reader.rest())
        case .writeResponse: .writeResponse
        case .writeCommand: .writeCommand(try reader.uint16("handle"), reader.rest())
        case .prepareWriteRequest:
            .prepareWriteRequest(
                try reader.uint16("handle"), offset: try reader.uint16("offset"), reader.rest())
        case .prepareWriteResponse:
            .prepareWriteResponse(
                try reader.uint16("handle"), offset: try reader.uint16("offset"), reader.rest())
        case .executeWriteRequest: .executeWriteRequest(commit: try reader.commit())
        case .executeWriteResponse: .executeWriteResponse
        case .notification: .notification(try reader.uint16("handle"), reader.rest())
        case .indication: .indication(try reader.uint16("handle"), reader.rest())
        case .confirmation: .confirmation
        }
    }
}

extension ByteReader {
    fileprivate mutating func range() throws(MalformedBytes) -> HandleRange {
        HandleRange(try uint16("starting handle"), try uint16("ending handle"))
    }

    fileprivate mutating func uuid() throws(MalformedBytes) -> BluetoothUUID {
        let complaint = malformed("a UUID (2 or 16 bytes)")
        guard let uuid = BluetoothUUID(littleEndian: rest()) else { throw complaint }
        return uuid
    }

    fileprivate mutating func commit() throws(MalformedBytes) -> Bool {
        let complaint = malformed("flags 0x00 or 0x01")
        switch try uint8("flags") {
        case 0: return false
        case 1: return true
        default: throw complaint
        }
    }

    fileprivate mutating func handles() throws(MalformedBytes) -> [UInt16] {
        var handles = [try uint16("handle"), try uint16("second handle")]
        while remaining > 0 { handles.append(try uint16("handle")) }
        return handles
    }

    fileprivate mutating func ranges() throws(MalformedBytes) -> [HandleRange] {
        var ranges = [try range()]
        while remaining > 0 { ranges.append(try range()) }
        return ranges
    }

    fileprivate mutating func information() throws(MalformedBytes) -> [ATTPDU.AttributeInformation]
    {
        let complaint = malformed("format 0x01 or 0x02")
        let format = try uint8("format")
        guard format == 1 || format == 2 else { throw complaint }
        var list: [ATTPDU.AttributeInformation] = []
        repeat {
            let handle = try uint16("handle")
            let bytes = try take(format == 1 ? 2 : 16, as: "type")
            guard let type = BluetoothUUID(littleEndian: bytes) else { throw complaint }
            list.append(.init(handle: handle, type: type))
        } while remaining > 0
        return list
    }

    fileprivate mutating func values() throws(MalformedBytes) -> [ATTPDU.AttributeValue] {
        let length = try elementLength(atLeast: 2)
        var list: [ATTPDU.AttributeValue] = []
        repeat {
            list.append(
                .init(handle: try uint16("handle"), value: try take(length - 2, as: "value")))
        } while remaining > 0
        return list
    }

    fileprivate mutating func groups() throws(MalformedBytes) -> [ATTPDU.GroupValue] {
        let length = try elementLength(atLeast: 4)
        var list: [ATTPDU.GroupValue] = []
        repeat {
            list.append(.init(range: try range(), value: try take(length - 4, as: "value")))
        } while remaining > 0
        return list
    }

    private mutating func elementLength(atLeast minimum: Int) throws(MalformedBytes) -> Int {
        let place = self
        let length = Int(try uint8("length"))
        guard length >= minimum else {
            throw place.malformed("a length of at least \(minimum)")
        }
        return length
    }
}
