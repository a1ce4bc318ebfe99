import Bluetooth

/// ATT PDUs and their bytes, at least one of every kind.
enum PDUVectors {
    static let all: [(pdu: ATTPDU, bytes: [UInt8])] = searches + values

    private static let uart: BluetoothUUID = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
    private static let uartBytes: [UInt8] = [
        0x9E, 0xCA, 0xDC, 0x24, 0x0E, 0xE5, 0xA9, 0xE0, 0x93, 0xF3, 0xA3, 0xB5, 0x01, 0x00, 0x40,
        0x6E,
    ]

    private static let searches: [(pdu: ATTPDU, bytes: [UInt8])] = [
        (.errorResponse(request: 0x0A, handle: 0x0102, .invalidHandle), [0x01, 0x0A, 2, 1, 0x01]),
        (.exchangeMTURequest(185), [0x02, 185, 0]),
        (.exchangeMTUResponse(247), [0x03, 247, 0]),
        (.findInformationRequest(.all), [0x04, 1, 0, 0xFF, 0xFF]),
        (
            .findInformationResponse([
                .init(handle: 1, type: 0x2800), .init(handle: 2, type: 0x2803),
            ]),
            [0x05, 1, 1, 0, 0, 0x28, 2, 0, 3, 0x28]
        ),
        (.findInformationResponse([.init(handle: 3, type: uart)]), [0x05, 2, 3, 0] + uartBytes),
        (
            .findByTypeValueRequest(.all, type: 0x2800, value: [0x0F, 0x18]),
            [0x06, 1, 0, 0xFF, 0xFF, 0, 0x28, 0x0F, 0x18]
        ),
        (
            .findByTypeValueResponse([HandleRange(1, 5), HandleRange(9, 12)]),
            [0x07, 1, 0, 5, 0, 9, 0, 12, 0]
        ),
        (.readByTypeRequest(HandleRange(1, 9), type: 0x2803), [0x08, 1, 0, 9, 0, 3, 0x28]),
        (.readByTypeRequest(HandleRange(1, 9), type: uart), [0x08, 1, 0, 9, 0] + uartBytes),
        (
            .readByTypeResponse([
                .init(handle: 2, value: [0x02, 3, 0, 0, 0x2A]),
                .init(handle: 4, value: [0x02, 5, 0, 1, 0x2A]),
            ]),
            [0x09, 7, 2, 0, 0x02, 3, 0, 0, 0x2A, 4, 0, 0x02, 5, 0, 1, 0x2A]
        ),
        (
            .readByGroupTypeRequest(.all, type: 0x2800), [0x10, 1, 0, 0xFF, 0xFF, 0, 0x28]
        ),
        (
            .readByGroupTypeResponse([
                .init(range: HandleRange(1, 5), value: [0, 0x18]),
                .init(range: HandleRange(6, 9), value: [1, 0x18]),
            ]),
            [0x11, 6, 1, 0, 5, 0, 0, 0x18, 6, 0, 9, 0, 1, 0x18]
        ),
        (
            .readByGroupTypeResponse([.init(range: HandleRange(10, 14), value: uartBytes)]),
            [0x11, 20, 10, 0, 14, 0] + uartBytes
        ),
    ]

    private static let values: [(pdu: ATTPDU, bytes: [UInt8])] = [
        (.readRequest(3), [0x0A, 3, 0]),
        (.readResponse([1, 2, 3]), [0x0B, 1, 2, 3]),
        (.readBlobRequest(3, offset: 22), [0x0C, 3, 0, 22, 0]),
        (.readBlobResponse([4, 5]), [0x0D, 4, 5]),
        (.readMultipleRequest([3, 5, 7]), [0x0E, 3, 0, 5, 0, 7, 0]),
        (.readMultipleResponse([1, 2]), [0x0F, 1, 2]),
        (.writeRequest(3, [0x0A]), [0x12, 3, 0, 0x0A]),
        (.writeResponse, [0x13]),
        (.writeCommand(3, [0x0A]), [0x52, 3, 0, 0x0A]),
        (.prepareWriteRequest(3, offset: 18, [9, 8]), [0x16, 3, 0, 18, 0, 9, 8]),
        (.prepareWriteResponse(3, offset: 18, [9, 8]), [0x17, 3, 0, 18, 0, 9, 8]),
        (.executeWriteRequest(commit: true), [0x18, 1]),
        (.executeWriteRequest(commit: false), [0x18, 0]),
        (.executeWriteResponse, [0x19]),
        (.notification(5, [0x02]), [0x1B, 5, 0, 0x02]),
        (.indication(5, [0x02]), [0x1D, 5, 0, 0x02]),
        (.confirmation, [0x1E]),
    ]
}
