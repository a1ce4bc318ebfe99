/// The kinds of ATT PDUs (Core Specification Vol 3 Part F 3.4.8).
package enum ATTOpcode: UInt8, CaseIterable, Sendable {
    /// A request was refused.
    case errorResponse = 0x01
    /// How long may a PDU to the client be?
    case exchangeMTURequest = 0x02
    /// How long may a PDU to the server be?
    case exchangeMTUResponse = 0x03
    /// Which attributes are there?
    case findInformationRequest = 0x04
    /// Attributes and their types.
    case findInformationResponse = 0x05
    /// Which attributes have this type and this value?
    case findByTypeValueRequest = 0x06
    /// The attributes, each with the end of its group.
    case findByTypeValueResponse = 0x07
    /// Which values have the attributes of this type?
    case readByTypeRequest = 0x08
    /// Attributes and their values.
    case readByTypeResponse = 0x09
    /// Which value has an attribute?
    case readRequest = 0x0A
    /// A value, or its beginning.
    case readResponse = 0x0B
    /// Which value has an attribute, from an offset on?
    case readBlobRequest = 0x0C
    /// A part of a value.
    case readBlobResponse = 0x0D
    /// Which values have several attributes?
    case readMultipleRequest = 0x0E
    /// Values, one after the other.
    case readMultipleResponse = 0x0F
    /// Which groups of this type are there?
    case readByGroupTypeRequest = 0x10
    /// Groups and the values of their first attributes.
    case readByGroupTypeResponse = 0x11
    /// Set a value and confirm it.
    case writeRequest = 0x12
    /// The value is set.
    case writeResponse = 0x13
    /// Remember a part of a value.
    case prepareWriteRequest = 0x16
    /// The part is remembered.
    case prepareWriteResponse = 0x17
    /// Write what was remembered, or forget it.
    case executeWriteRequest = 0x18
    /// What was remembered is written, or forgotten.
    case executeWriteResponse = 0x19
    /// A value that the server sends by itself, without a confirmation.
    case notification = 0x1B
    /// A value, unasked, to be confirmed.
    case indication = 0x1D
    /// The indication has arrived.
    case confirmation = 0x1E
    /// Set a value and do not answer.
    case writeCommand = 0x52

    /// What a PDU is in a transaction.
    package enum Role: Sendable {
        /// A client's PDU that wants a response; one at a time (Core Specification Vol 3 Part F 3.3.2).
        case request
        case response
        /// Wants nothing, from client to server.
        case command
        /// Wants nothing, from server to client.
        case notification
        /// Wants a confirmation, from server to client.
        case indication
        case confirmation
    }

    /// What a PDU of this kind is in a transaction.
    package var role: Role {
        switch self {
        case .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest,
            .readByTypeRequest, .readRequest, .readBlobRequest, .readMultipleRequest,
            .readByGroupTypeRequest, .writeRequest, .prepareWriteRequest, .executeWriteRequest:
            .request
        case .errorResponse, .exchangeMTUResponse, .findInformationResponse,
            .findByTypeValueResponse, .readByTypeResponse, .readResponse, .readBlobResponse,
            .readMultipleResponse, .readByGroupTypeResponse, .writeResponse,
            .prepareWriteResponse, .executeWriteResponse:
            .response
        case .writeCommand: .command
        case .notification: .notification
        case .indication: .indication
        case .confirmation: .confirmation
        }
    }

    /// The kind that answers this kind; nil where nothing does.
    package var response: ATTOpcode? {
        switch role {
        case .request: ATTOpcode(rawValue: rawValue + 1)
        case .indication: .confirmation
        case .response, .command, .notification, .confirmation: nil
        }
    }

    /// The name in the trace, for example `write-request`.
    package var name: String {
        switch self {
        case .errorResponse: "error-response"
        case .exchangeMTURequest: "exchange-mtu-request"
        case .exchangeMTUResponse: "exchange-mtu-response"
        case .findInformationRequest: "find-information-request"
        case .findInformationResponse: "find-information-response"
        case .findByTypeValueRequest: "find-by-type-value-request"
        case .findByTypeValueResponse: "find-by-type-value-response"
        case .readByTypeRequest: "read-by-type-request"
        case .readByTypeResponse: "read-by-type-response"
        case .readRequest: "read-request"
        case .readResponse: "read-response"
        case .readBlobRequest: "read-blob-request"
        case .readBlobResponse: "read-blob-response"
        case .readMultipleRequest: "read-multiple-request"
        case .readMultipleResponse: "read-multiple-response"
        case .readByGroupTypeRequest: "read-by-group-type-request"
        case .readByGroupTypeResponse: "read-by-group-type-response"
        case .writeRequest: "write-request"
        case .writeResponse: "write-response"
        case .prepareWriteRequest: "prepare-write-request"
        case .prepareWriteResponse: "prepare-write-response"
        case .executeWriteRequest: "execute-write-request"
        case .executeWriteResponse: "execute-write-response"
        case .notification: "notification"
        case .indication: "indication"
        case .confirmation: "confirmation"
        case .writeCommand: "write-command"
        }
    }
}
