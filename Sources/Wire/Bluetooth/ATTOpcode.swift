/// The kinds of ATT PDUs (Core Specification Vol 3 Part F 3.4.8); `ATTPDU` says what each is.
package enum ATTOpcode: UInt8, CaseIterable, Sendable {
    case errorResponse = 0x01
    case exchangeMTURequest = 0x02
    case exchangeMTUResponse = 0x03
    case findInformationRequest = 0x04
    case findInformationResponse = 0x05
    case findByTypeValueRequest = 0x06
    case findByTypeValueResponse = 0x07
    case readByTypeRequest = 0x08
    case readByTypeResponse = 0x09
    case readRequest = 0x0A
    case readResponse = 0x0B
    case readBlobRequest = 0x0C
    case readBlobResponse = 0x0D
    case readMultipleRequest = 0x0E
    case readMultipleResponse = 0x0F
    case readByGroupTypeRequest = 0x10
    case readByGroupTypeResponse = 0x11
    case writeRequest = 0x12
    case writeResponse = 0x13
    case prepareWriteRequest = 0x16
    case prepareWriteResponse = 0x17
    case executeWriteRequest = 0x18
    case executeWriteResponse = 0x19
    case notification = 0x1B
    case indication = 0x1D
    case confirmation = 0x1E
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
