import Bluetooth
import BluetoothHost
import DeviceKit
import Testing

/// Each error code that a server can produce, provoked.
@Suite struct ErrorCodeTests {
    /// A database with something to refuse on every handle.
    static func build(_ server: GATTServer) {
        server.addService(0x1234)  // 1
        server.addCharacteristic(0xAA03, properties: .write)  // 3
        server.addCharacteristic(0xAA05, properties: .read, value: [1, 2, 3])  // 5
        server.addCharacteristic(0xAA07, properties: .read, read: .authenticated)  // 7
        server.addCharacteristic(
            0xAA09, properties: .read, read: Access(.open, isAuthorized: { _ in false }))  // 9
        server.addCharacteristic(
            0xAA0B, properties: .read, read: Access(.encrypted, minimumKeySize: 16))  // 11
        server.addCharacteristic(
            0xAA0D, properties: [.read, .write], value: [1, 2], length: .fixed(2))  // 13
        server.addCharacteristic(
            0xAA0F, properties: .read, onRead: { _ in Array(repeating: 0, count: 513) })  // 15
        server.addCharacteristic(0xAA11, properties: .read, read: .encrypted)  // 17
        server.addCharacteristic(
            0xAA13, properties: .write,
            onWrite: { _, value throws(ATTErrorCode) in
                throw ATTErrorCode(rawValue: value[0])
            })  // 19
        server.addCharacteristic(0xAA15, properties: .notify)  // 21, 22
    }

    static let vectors: [(code: ATTErrorCode, request: [UInt8], response: String)] = [
        (.invalidHandle, [0x0A, 0, 0], "01 0a 00 00 01"),
        (.invalidHandle, [0x0A, 0x63, 0], "01 0a 63 00 01"),
        (.invalidHandle, [0x12, 0x63, 0, 1], "01 12 63 00 01"),
        (.invalidHandle, [0x16, 0x63, 0, 0, 0, 1], "01 16 63 00 01"),
        (.invalidHandle, [0x0E, 5, 0, 0x63, 0], "01 0e 63 00 01"),
        (.invalidHandle, [0x04, 0, 0, 9, 0], "01 04 00 00 01"),
        (.invalidHandle, [0x08, 9, 0, 8, 0, 3, 0x28], "01 08 09 00 01"),
        (.invalidHandle, [0x10, 9, 0, 8, 0, 0, 0x28], "01 10 09 00 01"),
        (.invalidHandle, [0x06, 0, 0, 8, 0, 0, 0x28, 1, 2], "01 06 00 00 01"),
        (.readNotPermitted, [0x0A, 3, 0], "01 0a 03 00 02"),
        (.readNotPermitted, [0x0C, 3, 0, 0, 0], "01 0c 03 00 02"),
        (.readNotPermitted, [0x08, 1, 0, 9, 0, 0x03, 0xAA], "01 08 03 00 02"),
        (.writeNotPermitted, [0x12, 5, 0, 1], "01 12 05 00 03"),
        (.writeNotPermitted, [0x12, 1, 0, 1], "01 12 01 00 03"),
        (.writeNotPermitted, [0x16, 5, 0, 0, 0, 1], "01 16 05 00 03"),
        (.invalidPDU, [0x0A, 3], "01 0a 00 00 04"),
        (.invalidPDU, [0x0E, 3, 0], "01 0e 00 00 04"),
        (.invalidPDU, [0x18, 2], "01 18 00 00 04"),
        (.insufficientAuthentication, [0x0A, 7, 0], "01 0a 07 00 05"),
        (.requestNotSupported, [0x20, 3, 0], "01 20 00 00 06"),
        (.invalidOffset, [0x0C, 5, 0, 4, 0], "01 0c 05 00 07"),
        (.insufficientAuthorization, [0x0A, 9, 0], "01 0a 09 00 08"),
        (.attributeNotFound, [0x04, 0x17, 0, 0xFF, 0xFF], "01 04 17 00 0a"),
        (.attributeNotFound, [0x08, 1, 0, 0xFF, 0xFF, 0, 0x2A], "01 08 01 00 0a"),
        (.attributeNotFound, [0x06, 1, 0, 0xFF, 0xFF, 0, 0x28, 9, 9], "01 06 01 00 0a"),
        (.attributeNotFound, [0x10, 2, 0, 0xFF, 0xFF, 0, 0x28], "01 10 02 00 0a"),
        (.attributeNotLong, [0x0C, 13, 0, 0, 0], "01 0c 0d 00 0b"),
        (.attributeNotLong, [0x0C, 22, 0, 0, 0], "01 0c 16 00 0b"),
        (.invalidAttributeValueLength, [0x12, 13, 0, 1, 2, 3], "01 12 0d 00 0d"),
        (.invalidAttributeValueLength, [0x12, 22, 0, 1], "01 12 16 00 0d"),
        (.unlikelyError, [0x0A, 15, 0], "01 0a 0f 00 0e"),
        (.insufficientEncryption, [0x0A, 17, 0], "01 0a 11 00 0f"),
        (.insufficientEncryption, [0x08, 1, 0, 0xFF, 0xFF, 0x11, 0xAA], "01 08 11 00 0f"),
        (.unsupportedGroupType, [0x10, 1, 0, 0xFF, 0xFF, 3, 0x28], "01 10 01 00 10"),
        (.valueNotAllowed, [0x12, 22, 0, 2, 0], "01 12 16 00 13"),
        (ATTErrorCode(rawValue: 0x80), [0x12, 19, 0, 0x80], "01 12 13 00 80"),
        (.insufficientResources, [0x12, 19, 0, 0x11], "01 12 13 00 11"),
        (.databaseOutOfSync, [0x12, 19, 0, 0x12], "01 12 13 00 12"),
        (ATTErrorCode(rawValue: 0xFC), [0x12, 19, 0, 0xFC], "01 12 13 00 fc"),
        (ATTErrorCode(rawValue: 0xFD), [0x12, 19, 0, 0xFD], "01 12 13 00 fd"),
        (ATTErrorCode(rawValue: 0xFE), [0x12, 19, 0, 0xFE], "01 12 13 00 fe"),
        (ATTErrorCode(rawValue: 0xFF), [0x12, 19, 0, 0xFF], "01 12 13 00 ff"),
    ]

    @Test(arguments: vectors.indices)
    func aRequestThatMustBeRefusedIsRefused(_ index: Int) {
        let (code, request, response) = Self.vectors[index]
        let wire = Wire.connected(build: Self.build)
        wire.inject(request)
        #expect(wire.pdus == ["< " + response], "\(code)")
    }

    @Test func aShortKeyIsNotEnough() {
        let bond = Bond(key: Array(1...16), keySize: 7)
        let wire = Wire.connected(bond: bond, build: Self.build)
        wire.inCentral { _ = wire.link.encrypt() }
        wire.inject([0x0A, 11, 0])
        #expect(wire.pdus == ["< 01 0a 0b 00 0c"])
    }

    @Test func aKeyWithoutAuthenticationIsNotEnough() {
        let wire = Wire.connected(bond: Bond(key: Array(1...16)), build: Self.build)
        wire.inCentral { _ = wire.link.encrypt() }
        wire.inject([0x0A, 7, 0])
        wire.inject([0x0A, 17, 0])
        wire.inject([0x0A, 11, 0])
        #expect(wire.pdus == ["< 01 0a 07 00 05", "< 0b", "< 0b"])
    }

    @Test func anAuthenticatedKeyIsEnough() {
        let bond = Bond(key: Array(1...16), isAuthenticated: true)
        let wire = Wire.connected(bond: bond, build: Self.build)
        wire.inCentral { _ = wire.link.encrypt() }
        wire.inject([0x0A, 7, 0])
        #expect(wire.pdus == ["< 0b"])
    }

    @Test func aRequestLongerThanAgreedIsRefusedAndACommandIsPassedOver() {
        let wire = Wire.connected(build: Self.build)
        let value = [UInt8](repeating: 0, count: 19)
        wire.inject([0x16, 3, 0, 0, 0] + value)
        wire.inject([0x52, 3, 0, 0, 0] + value)
        #expect(wire.pdus == ["< 01 16 00 00 04"])
    }

    @Test func theQueueOfPreparedWritesHasAnEnd() {
        let wire = Wire.connected(build: Self.build)
        for _ in 0..<HostLimits().preparedWrites { wire.inject([0x16, 3, 0, 0, 0]) }
        #expect(wire.pdus.allSatisfy { $0 == "< 17 03 00 00 00" })
        wire.inject([0x16, 3, 0, 0, 0])
        #expect(wire.pdus.last == "< 01 16 03 00 09")
        wire.inject([0x18, 0])
        wire.inject([0x16, 3, 0, 0, 0])
        #expect(wire.pdus.last == "< 17 03 00 00 00")
    }

    @Test func theMemoryForPreparedWritesHasAnEnd() {
        let wire = Wire.connected(build: Self.build)
        wire.inject([0x02, 247, 0])
        let part = [UInt8](repeating: 0, count: 240)
        for _ in 0..<8 { wire.inject([0x16, 3, 0, 0, 0] + part) }
        #expect(wire.pdus.last?.hasPrefix("< 17") == true)
        wire.inject([0x16, 3, 0, 0, 0] + part)
        #expect(wire.pdus.last == "< 01 16 03 00 11")
    }

    @Test func anOffsetPastWhatWasPreparedIsRefusedAtTheEnd() {
        let wire = Wire.connected(build: Self.build)
        wire.inject([0x16, 3, 0, 1, 0, 9])
        wire.inject([0x18, 1])
        #expect(wire.pdus == ["< 17 03 00 01 00 09", "< 01 18 03 00 07"])
    }

    @Test func unknownCommandsAndResponsesArePassedOver() {
        let wire = Wire.connected(build: Self.build)
        // A signed write command, an unknown command, a multiple-value notification, a confirmation.
        for bytes in [[0xD2, 3, 0, 1], [0x7C], [0x23, 1, 0], [0x1E], []] as [[UInt8]] {
            wire.inject(bytes)
        }
        #expect(wire.pdus.isEmpty)
        #expect(wire.peripheral.logs.count == 5)
    }

    @Test func aMalformedCommandIsPassedOver() {
        let wire = Wire.connected(build: Self.build)
        wire.inject([0x52, 3])
        #expect(wire.pdus.isEmpty)
    }

    @Test func theClientGetsTheCodeTheHandleAndTheRequest() {
        let wire = Wire.connected(build: Self.build)
        let read = Box<[UInt8]>()
        wire.inCentral { wire.client.read(17, completion: read.take) }
        #expect(read.error == .att(.insufficientEncryption, handle: 17, request: .readRequest))
        #expect(read.error?.code == .insufficientEncryption)
    }
}
