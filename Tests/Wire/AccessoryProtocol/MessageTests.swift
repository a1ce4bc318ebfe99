import AccessoryProtocol
import Testing

@Suite struct MessageTests {
    /// A message each, and its bytes.
    static let vectors: [(Message, [UInt8])] = [
        (.accessoryUwbDidStart, [0x02]),
        (.accessoryUwbDidStop, [0x03]),
        (.initialize, [0x0A]),
        (.configureAndStart([1, 2]), [0x0B, 1, 2]),
        (.stop, [0x0C]),
        (.getReserved([]), [0x20]),
        (.setReserved([9]), [0x21, 9]),
        (.iOSNotify(distance: 3, text: "Hé"), [0x2F, 5, 3, 0x48, 0xC3, 0xA9]),
        (.iOSNotify(distance: 0, text: ""), [0x2F, 2, 0]),
    ]

    @Test(arguments: vectors.indices)
    func aMessageIsItsIdAndItsPayload(_ index: Int) throws {
        let (message, bytes) = Self.vectors[index]
        #expect(message.bytes == bytes)
        #expect(try Message(bytes) == message)
        #expect(message.id.rawValue == bytes[0])
    }

    @Test func aTextThatIsTooLongIsCutBetweenTwoCharacters() throws {
        let text = String(repeating: "é", count: 127)
        let bytes = Message.iOSNotify(distance: 0, text: text).bytes
        #expect(bytes.count == 3 + 252)
        #expect(
            try Message(bytes) == .iOSNotify(distance: 0, text: String(text.dropLast())))
    }

    @Test func theConfigurationMessageOfVersion11Has38Bytes() throws {
        let configuration = try AccessoryConfigurationData(
            preferredUpdateRate: .userInteractive, uwbConfigData: Captures.accessory)
        let message = Message.accessoryConfigurationData(configuration.bytes)
        #expect(message.bytes.count == 38)
        #expect(Array(message.bytes.prefix(6)) == [0x01, 1, 0, 0, 0, 20])
        #expect(message.bytes[16] == 21)
        #expect(try Message(message.bytes) == message)
    }

    @Test func theConfigurationMessageOfVersion10Has36Bytes() throws {
        let configuration = try AccessoryConfigurationData(
            uwbConfigData: Array(repeating: 0, count: 19))
        #expect(Message.accessoryConfigurationData(configuration.bytes).bytes.count == 36)
    }

    @Test func theStartMessageOfVersion11Has31Bytes() throws {
        let message = Message.configureAndStart(Captures.phone)
        #expect(message.bytes.count == 31)
        #expect(try Message(message.bytes) == message)
    }

    @Test func bytesThatAreNoMessageAreNamed() {
        #expect(throws: ProtocolError.empty) { try Message([]) }
        #expect(throws: ProtocolError.unknownMessage(id: 0x04)) { try Message([0x04]) }
        #expect(throws: ProtocolError.unknownMessage(id: 0xA5)) { try Message([0xA5, 1]) }
        #expect(throws: ProtocolError.overlong(kind: "stop", offset: 1)) {
            try Message([0x0C, 0x00])
        }
        #expect(
            throws: ProtocolError.truncated(
                kind: "configureAndStart", offset: 1, field: "AppleUWBConfigData")
        ) { try Message([0x0B]) }
        #expect(
            throws: ProtocolError.truncated(
                kind: "iOSNotify", offset: 4, field: "text of 2 bytes")
        ) { try Message([0x2F, 4, 0, 0x41]) }
        #expect(
            throws: ProtocolError.invalid(
                kind: "iOSNotify", offset: 1, expected: "a length of at least 2")
        ) { try Message([0x2F, 1]) }
    }

    @Test func aConfigurationMessageIsAsLongAsItSays() throws {
        let data = try AccessoryConfigurationData(uwbConfigData: Captures.accessory).bytes
        let whole = [0x01] + data
        for count in 1..<whole.count {
            #expect(throws: ProtocolError.self, "\(count) bytes") {
                try Message(Array(whole[..<count]))
            }
        }
        #expect(
            throws: ProtocolError.short(kind: "accessoryConfigurationData", count: 37, of: 38)
        ) { try Message(whole.dropLast()) }
        #expect(throws: ProtocolError.overlong(kind: "accessoryConfigurationData", offset: 38)) {
            try Message(whole + [0])
        }
    }

    @Test func aComplaintIsASentence() {
        #expect(
            "\(ProtocolError.empty)" == "a message of no bytes: expected a message id at byte 0")
        #expect("\(ProtocolError.unknownMessage(id: 4))" == "no message has the id 0x04 (byte 0)")
        #expect(
            "\(ProtocolError.truncated(kind: "stop", offset: 3, field: "more"))"
                == "stop: ends at byte 3, expected more")
        #expect("\(ProtocolError.short(kind: "it", count: 20, of: 38))" == "20 of 38 bytes of it")
        #expect(
            "\(ProtocolError.overlong(kind: "stop", offset: 1))"
                == "stop: expected the end at byte 1")
    }

    @Test func everyMessageKnowsWhoSendsIt() {
        let toApp = MessageID.allCases.filter { $0.direction == .toApp }.map(\.name)
        let toAccessory = MessageID.allCases.filter { $0.direction == .toAccessory }.map(\.name)
        #expect(
            toApp == [
                "accessoryConfigurationData", "accessoryUwbDidStart", "accessoryUwbDidStop",
                "iOSNotify",
            ])
        #expect(toAccessory == ["initialize", "configureAndStart", "stop", "setReserved"])
    }
}

/// Any bytes are a message that writes itself back, or a complaint; never a trap.
@Suite struct GarbageTests {
    @Test func bytesEitherReadAndWriteBackOrComplain() {
        var state: UInt32 = 1
        func next(_ bound: UInt32) -> UInt8 {
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8((state >> 16) % bound)
        }
        let ids: [UInt8] = [0x01, 0x02, 0x0A, 0x0B, 0x20, 0x21, 0x2F, 0x30]
        for _ in 0..<20_000 {
            let payload = (0..<next(48)).map { _ in next(next(2) == 0 ? 4 : 128) }
            let bytes = [ids[Int(next(8))]] + payload
            if let message = try? Message(bytes) { #expect(message.bytes == bytes) }
            if let data = try? UWBConfigData(payload) { #expect(data.bytes == payload) }
            if let data = try? AppleUWBConfigData(payload) { #expect(data.bytes == payload) }
            if let several = try? MultipleConfigurationData(payload) {
                #expect(several.bytes == payload)
            }
        }
    }
}
