/// The handles from `first` to `last`, both included.
///
/// A peer may send one that is empty or begins with 0, so nothing here forbids it.
package struct HandleRange: Hashable, Codable, Sendable {
    package var first: UInt16
    package var last: UInt16

    package init(_ first: UInt16, _ last: UInt16) {
        self.first = first
        self.last = last
    }

    /// All handles: 0x0001 … 0xFFFF.
    package static let all = HandleRange(0x0001, 0xFFFF)

    /// Whether a request may ask for it (Core Specification Vol 3 Part F 3.4.3.1).
    package var isValid: Bool { first != 0 && first <= last }

    package func contains(_ handle: UInt16) -> Bool { first <= handle && handle <= last }
}

/// One ATT PDU (Core Specification Vol 3 Part F 3.4).
package enum ATTPDU: Equatable, Sendable {
    /// A request was refused. `request` is its opcode, which need not be one we know.
    case errorResponse(request: UInt8, handle: UInt16, ATTErrorCode)
    /// The longest PDU the client can receive.
    case exchangeMTURequest(UInt16)
    /// The longest PDU the server can receive.
    case exchangeMTUResponse(UInt16)
    /// Which attributes are there?
    case findInformationRequest(HandleRange)
    /// Attributes and their types; all types have the same length.
    case findInformationResponse([AttributeInformation])
    /// Which attributes of this type (a 16-bit one) have exactly this value?
    case findByTypeValueRequest(HandleRange, type: UInt16, value: [UInt8])
    /// The attributes found, each with the end of its group.
    case findByTypeValueResponse([HandleRange])
    /// Which attributes of this type are there, and what are their values?
    case readByTypeRequest(HandleRange, type: BluetoothUUID)
    /// Attributes and their values, all of one length.
    case readByTypeResponse([AttributeValue])
    /// What is its value?
    case readRequest(UInt16)
    /// The value, or as much as fits.
    case readResponse([UInt8])
    /// What is its value from `offset` on?
    case readBlobRequest(UInt16, offset: UInt16)
    /// The value from there on, or as much as fits.
    case readBlobResponse([UInt8])
    /// What are their values?
    case readMultipleRequest([UInt16])
    /// The values, one after the other, or as much as fits.
    case readMultipleResponse([UInt8])
    /// Which groups of this type are there, and what are the values of their first attributes?
    case readByGroupTypeRequest(HandleRange, type: BluetoothUUID)
    /// Groups and the values of their first attributes, all of one length.
    case readByGroupTypeResponse([GroupValue])
    /// Set an attribute's value and confirm it.
    case writeRequest(UInt16, [UInt8])
    case writeResponse
    /// Set its value, and do not answer.
    case writeCommand(UInt16, [UInt8])
    /// Remember this part of a value.
    case prepareWriteRequest(UInt16, offset: UInt16, [UInt8])
    /// It is remembered: the request, repeated.
    case prepareWriteResponse(UInt16, offset: UInt16, [UInt8])
    /// Write what was remembered (`commit`), or forget it.
    case executeWriteRequest(commit: Bool)
    case executeWriteResponse
    /// Its value is now this.
    case notification(UInt16, [UInt8])
    /// Its value is now this; confirm.
    case indication(UInt16, [UInt8])
    /// An indication has arrived.
    case confirmation

    package struct AttributeInformation: Equatable, Sendable {
        package var handle: UInt16
        package var type: BluetoothUUID

        package init(handle: UInt16, type: BluetoothUUID) {
            self.handle = handle
            self.type = type
        }
    }

    package struct AttributeValue: Equatable, Sendable {
        package var handle: UInt16
        /// The value, or as much as fits.
        package var value: [UInt8]

        package init(handle: UInt16, value: [UInt8]) {
            self.handle = handle
            self.value = value
        }
    }

    package struct GroupValue: Equatable, Sendable {
        /// From the declaration of the group to its last attribute.
        package var range: HandleRange
        /// The value of its first attribute, for a service its UUID.
        package var value: [UInt8]

        package init(range: HandleRange, value: [UInt8]) {
            self.range = range
            self.value = value
        }
    }
}

extension ATTPDU {
    package var opcode: ATTOpcode {
        switch self {
        case .errorResponse: .errorResponse
        case .exchangeMTURequest: .exchangeMTURequest
        case .exchangeMTUResponse: .exchangeMTUResponse
        case .findInformationRequest: .findInformationRequest
        case .findInformationResponse: .findInformationResponse
        case .findByTypeValueRequest: .findByTypeValueRequest
        case .findByTypeValueResponse: .findByTypeValueResponse
        case .readByTypeRequest: .readByTypeRequest
        case .readByTypeResponse: .readByTypeResponse
        case .readRequest: .readRequest
        case .readResponse: .readResponse
        case .readBlobRequest: .readBlobRequest
        case .readBlobResponse: .readBlobResponse
        case .readMultipleRequest: .readMultipleRequest
        case .readMultipleResponse: .readMultipleResponse
        case .readByGroupTypeRequest: .readByGroupTypeRequest
        case .readByGroupTypeResponse: .readByGroupTypeResponse
        case .writeRequest: .writeRequest
        case .writeResponse: .writeResponse
        case .writeCommand: .writeCommand
        case .prepareWriteRequest: .prepareWriteRequest
        case .prepareWriteResponse: .prepareWriteResponse
        case .executeWriteRequest: .executeWriteRequest
        case .executeWriteResponse: .executeWriteResponse
        case .notification: .notification
        case .indication: .indication
        case .confirmation: .confirmation
        }
    }

    /// The longest value an attribute can have (Core Specification Vol 3 Part F 3.2.9).
    package static let maximumValueLength = 512
    /// The longest PDU before an exchange, and the shortest that can be agreed on
    /// (Core Specification Vol 3 Part G 5.2.1).
    package static let defaultMTU: UInt16 = 23
    /// A response must arrive within this many seconds (Core Specification Vol 3 Part F 3.3.3).
    package static let transactionSeconds: UInt64 = 30
}
