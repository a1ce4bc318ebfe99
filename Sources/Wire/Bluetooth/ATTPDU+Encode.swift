extension ATTPDU {
    /// The bytes on the air, opcode first.
    ///
    /// Lists whose elements differ in length have no form on the air; making one is an error of the
    /// program.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// The bytes of the L2CAP frame that carries it.
    package var frame: [UInt8] {
        var frame: [UInt8] = []
        // Room for most, at once.
        frame.reserveCapacity(32)
        frame.append(littleEndian: UInt16(0))
        frame.append(littleEndian: L2CAPChannel.attribute)
        append(to: &frame)
        let count = UInt16(truncatingIfNeeded: frame.count - 4)
        frame[0] = UInt8(truncatingIfNeeded: count)
        frame[1] = UInt8(truncatingIfNeeded: count >> 8)
        return frame
    }

    private func append(to bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + 28)
        bytes.append(opcode.rawValue)
        switch self {
        case .errorResponse(let request, let handle, let code):
            bytes.append(request)
            bytes.append(littleEndian: handle)
            bytes.append(code.rawValue)
        case .exchangeMTURequest(let mtu), .exchangeMTUResponse(let mtu):
            bytes.append(littleEndian: mtu)
        case .findInformationRequest(let range): bytes.append(range)
        case .findInformationResponse(let list):
            let isShort = list.allSatisfy { $0.type.short != nil }
            bytes.append(isShort ? 1 : 2)
            for element in list {
                bytes.append(littleEndian: element.handle)
                bytes += isShort ? element.type.bytes : element.type.longBytes
            }
        case .findByTypeValueRequest(let range, let type, let value):
            bytes.append(range)
            bytes.append(littleEndian: type)
            bytes += value
        case .findByTypeValueResponse(let ranges): for range in ranges { bytes.append(range) }
        case .readByTypeRequest(let range, let type), .readByGroupTypeRequest(let range, let type):
            bytes.append(range)
            bytes += type.bytes
        case .readByTypeResponse(let list):
            bytes.append(listLength(list.map { $0.value.count }, plus: 2))
            for element in list {
                bytes.append(littleEndian: element.handle)
                bytes += element.value
            }
        case .readByGroupTypeResponse(let list):
            bytes.append(listLength(list.map { $0.value.count }, plus: 4))
            for element in list {
                bytes.append(element.range)
                bytes += element.value
            }
        case .readRequest(let handle): bytes.append(littleEndian: handle)
        case .readBlobRequest(let handle, let offset):
            bytes.append(littleEndian: handle)
            bytes.append(littleEndian: offset)
        case .readMultipleRequest(let handles):
            for handle in handles { bytes.append(littleEndian: handle) }
        case .readResponse(let value), .readBlobResponse(let value),
            .readMultipleResponse(let value):
            bytes += value
        case .writeRequest(let handle, let value), .writeCommand(let handle, let value),
            .notification(let handle, let value), .indication(let handle, let value):
            bytes.append(littleEndian: handle)
            bytes += value
        case .prepareWriteRequest(let handle, let offset, let value),
            .prepareWriteResponse(let handle, let offset, let value):
            bytes.append(littleEndian: handle)
            bytes.append(littleEndian: offset)
            bytes += value
        case .executeWriteRequest(let commit): bytes.append(commit ? 1 : 0)
        case .writeResponse, .executeWriteResponse, .confirmation: break
        }
    }

    private func listLength(_ counts: [Int], plus header: Int) -> UInt8 {
        guard let count = counts.first, counts.allSatisfy({ $0 == count }),
            let length = UInt8(exactly: count + header)
        else { preconditionFailure("the elements of a \(opcode.name) must have one length") }
        return length
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ range: HandleRange) {
        append(littleEndian: range.first)
        append(littleEndian: range.last)
    }
}
