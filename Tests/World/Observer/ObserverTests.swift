import AccessoryProtocol
import Bluetooth
import Observer
import Testing

struct ObserverTests {
    private let acd = [UInt8](
        [1, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 10) + [2, 0xAA, 0xBB])

    private func discovered() -> HeardAir {
        var air = HeardAir()
        air.discover()
        return air
    }

    @Test func everyPDUIsSeenAtBothEnds() {
        var air = discovered()
        let frame = HeardAir.frame(.writeRequest(HeardAir.rx, [0x0A]))
        #expect(
            air.all(frame, at: "ben", .sent) == [
                "att.sent link=1 peer=lock pdu=write-request length=4 handle=3 "
                    + "message=initialize",
                "msg.initialize.sent link=1 peer=lock session=1 length=1",
            ])
        #expect(
            air.all(frame, at: "lock", .received) == [
                "att.received link=1 peer=ben pdu=write-request length=4 handle=3 "
                    + "message=initialize",
                "msg.initialize.received link=1 peer=ben session=1 length=1",
            ])
    }

    @Test func aHandshakeBelongsToItsSession() {
        let parts =
            "major=1 minor=0 rate=20 reserved=x'00000000000000000000' uwb-length=2 uwb-bytes=2"
        var air = discovered()
        air.carry("ben", .writeRequest(HeardAir.rx, [0x0A]))
        #expect(
            air.carry("lock", .notification(HeardAir.tx, [0x01] + acd)) == [
                "msg.accessoryConfigurationData.sent link=1 peer=ben session=1 length=19 "
                    + "configuration=x'010000001400000000000000000000" + "02aabb' " + parts,
                "msg.accessoryConfigurationData.received link=1 peer=lock session=1 length=19 "
                    + "configuration=x'010000001400000000000000000000" + "02aabb' " + parts,
            ])
        #expect(
            air.sends("ben", .writeCommand(HeardAir.rx, [0x0B, 0x07])) == [
                "msg.configureAndStart.sent link=1 peer=lock session=1 length=2 shareable=x'07' "
                    + "announced-rate=20"
            ])
        air.gets("lock", .writeCommand(HeardAir.rx, [0x0B, 0x07]))
        #expect(
            air.carry("lock", .notification(HeardAir.tx, [0x02])).first
                == "msg.accessoryUwbDidStart.sent link=1 peer=ben session=1 length=1")
    }

    @Test func shareableDataThatCrossesNewDataTellsNothingOfTheRadio() {
        var air = discovered()
        air.carry("ben", .writeRequest(HeardAir.rx, [0x0A]))
        air.carry("lock", .notification(HeardAir.tx, [0x01] + acd))
        air.carry("ben", .writeRequest(HeardAir.rx, [0x0A]))
        let sent = air.sends("ben", .writeCommand(HeardAir.rx, [0x0B, 0x07]))
        #expect(sent.last?.hasSuffix("announced-rate=20") == true)
        air.sends("lock", .notification(HeardAir.tx, [0x01] + acd))
        let received = air.gets("lock", .writeCommand(HeardAir.rx, [0x0B, 0x07]))
        #expect(received.last?.hasSuffix("shareable=x'07'") == true)
    }

    /// R4 3.2: the maker decides when configuration data comes.
    @Test func configurationDataThatNobodyAskedForBeginsASession() {
        var air = discovered()
        let (data, start) = (HeardAir.tx, HeardAir.rx)
        let shown =
            air.carry("lock", .notification(data, [0x01] + acd))
            + air.carry("lock", .notification(data, [0x01] + acd))
            + air.carry("ben", .writeCommand(start, [0x0B, 0x07]))
            + air.carry("lock", .notification(data, [0x01] + acd))
        let sessions = shown.filter { $0.hasPrefix("msg.") && $0.contains(".sent") }
            .map { $0.split(separator: " ").first { $0.hasPrefix("session=") } }
        #expect(sessions == ["session=1", "session=1", "session=1", "session=2"])
    }

    @Test func whatHasTheKnownLayoutIsShownInItsParts() throws {
        var air = discovered()
        let data = UWBConfigData(
            version: .v1_1(clockDrift: 100), manufacturer: 1, chipset: 2, middleware: 3,
            role: .initiator, address: 0x1234)
        let configuration = try AccessoryConfigurationData(uwbConfigData: data.bytes)
        #expect(
            air.sends("lock", .notification(HeardAir.tx, [0x01] + configuration.bytes)).first?
                .hasSuffix("address=4660 role=initiator unasked=true") == true)
        let shareable = AppleUWBConfigData(
            version: .v1_1(clockDrift: 100), sessionID: 0x0102_0304, interval: 396,
            stsIV: [1, 2, 3, 4, 5, 6], destination: 0xABCD)
        #expect(
            air.sends("ben", .writeCommand(HeardAir.rx, [0x0B] + shareable.bytes)).first?
                .hasSuffix(
                    " session-id=16909060 address=43981 channel=9 preamble=10 "
                        + "sts-iv=x'010203040506' slots=6 slot-duration=3600 interval=396000000")
                == true)
    }

    @Test func whatAnswersAnEarlierSessionKeepsItsNumber() {
        var air = discovered()
        air.carry("ben", .writeCommand(HeardAir.rx, [0x0A]))
        air.carry("lock", .notification(HeardAir.tx, [0x01] + acd))
        air.carry("ben", .writeCommand(HeardAir.rx, [0x0B, 0x07]))
        air.sends("ben", .writeCommand(HeardAir.rx, [0x0C]))
        #expect(
            air.sends("ben", .writeCommand(HeardAir.rx, [0x0A])) == [
                "msg.initialize.sent link=1 peer=lock session=2 length=1"
            ])
        #expect(
            air.sends("lock", .notification(HeardAir.tx, [0x02])) == [
                "msg.accessoryUwbDidStart.sent link=1 peer=ben session=1 length=1"
            ])
        air.gets("lock", .writeCommand(HeardAir.rx, [0x0C]))
        air.gets("lock", .writeCommand(HeardAir.rx, [0x0A]))
        #expect(
            air.sends("lock", .notification(HeardAir.tx, [0x03])) == [
                "msg.accessoryUwbDidStop.sent link=1 peer=ben session=1 length=1"
            ])
        #expect(
            air.sends("lock", .notification(HeardAir.tx, [0x01] + acd)).first?.contains(
                "session=2 ")
                == true)
    }

    @Test func sessionNumbersAreUniqueAcrossLinks() {
        var air = discovered()
        air.carry("ben", .writeCommand(HeardAir.rx, [0x0A]))
        air.connect(2, central: "ann")
        #expect(
            air.sends("ann", .writeCommand(HeardAir.rx, [0x0A])) == [
                "msg.initialize.sent link=2 peer=lock session=2 length=1"
            ])
    }

    @Test func aMessageWithoutASessionSaysSo() {
        var air = discovered()
        #expect(
            air.sends("lock", .notification(HeardAir.tx, [0x03])) == [
                "msg.accessoryUwbDidStop.sent link=1 peer=ben session=null length=1"
            ])
    }

    @Test func aSubscriptionIsSeenWhenItsAnswerArrives() {
        var air = discovered()
        #expect(air.carry("ben", .writeRequest(HeardAir.cccd, [0x01, 0x00])) == [])
        #expect(air.sends("lock", .writeResponse) == [])
        #expect(
            air.gets("ben", .writeResponse) == [
                "gatt.subscribed link=1 peer=lock characteristic=tx on=true"
            ])
        air.carry("ben", .writeRequest(HeardAir.cccd, [0x00, 0x00]))
        #expect(
            air.carry("lock", .writeResponse) == [
                "gatt.subscribed link=1 peer=lock characteristic=tx on=false"
            ])
    }

    @Test func aRefusedSubscriptionIsARefusal() {
        var air = discovered()
        air.carry("ben", .writeRequest(HeardAir.cccd, [0x01, 0x00]))
        let refusal = ATTPDU.errorResponse(
            request: 0x12, handle: HeardAir.cccd, .insufficientEncryption)
        #expect(
            air.carry("lock", refusal) == [
                "gatt.refused link=1 peer=lock handle=6 characteristic=tx "
                    + "descriptor=client-configuration request=write error=15 encrypted=false"
            ])
        #expect(air.carry("lock", .writeResponse) == [])
    }

    @Test func aShortConfigurationIsReadAtOnce() {
        var air = discovered()
        air.carry("ben", .readRequest(HeardAir.single))
        #expect(air.sends("lock", .readResponse(acd)) == [])
        #expect(
            air.gets("ben", .readResponse(acd)) == [
                "gatt.configuration link=1 peer=lock "
                    + "configuration=x'01000000140000000000000000000002aabb' characteristic=single "
                    + "handle=18 encrypted=false own=null whole=true count=1"
            ])
    }

    @Test func aLongConfigurationIsPutTogether() throws {
        var air = discovered()
        let long = try AccessoryConfigurationData(
            uwbConfigData: [UInt8](repeating: 7, count: 21)
        ).bytes
        air.carry("ben", .readRequest(HeardAir.single))
        #expect(air.carry("lock", .readResponse(Array(long[..<22]))) == [])
        air.carry("ben", .readBlobRequest(HeardAir.single, offset: 22))
        let seen = air.carry("lock", .readBlobResponse(Array(long[22...])))
        #expect(seen.count == 1)
        #expect(seen.first?.contains("'010000000000") == true)
        #expect(seen.first?.contains("070707' characteristic=single") == true)
    }

    @Test func aConfigurationThatFillsTheLastPartIsWholeByItsOwnLength() throws {
        var air = discovered()
        let exact = try AccessoryConfigurationData(
            uwbConfigData: [UInt8](repeating: 7, count: 6)
        ).bytes
        air.carry("ben", .readRequest(HeardAir.single))
        #expect(exact.count == 22)
        #expect(air.carry("lock", .readResponse(exact)).count == 1)
    }

    @Test func aRefusedRestEndsAValue() {
        var air = discovered()
        let full = [UInt8](repeating: 9, count: 22)
        air.carry("ben", .readRequest(HeardAir.single))
        #expect(air.carry("lock", .readResponse(full)) == [])
        air.carry("ben", .readBlobRequest(HeardAir.single, offset: 22))
        let end = ATTPDU.errorResponse(request: 0x0C, handle: HeardAir.single, .invalidOffset)
        #expect(air.carry("lock", end).count == 1)
    }

    @Test func aConfigurationMayBeReadByItsType() {
        var air = HeardAir()
        air.carry("ben", .readByTypeRequest(.all, type: HeardAir.configuration))
        #expect(
            air.carry("lock", .readByTypeResponse([.init(handle: HeardAir.single, value: acd)]))
                .first?
                .contains("characteristic=single handle=18 ") == true)
    }

    @Test func aLongWriteIsOneMessage() {
        var air = discovered()
        let message = [0x0B] + [UInt8](repeating: 5, count: 30)
        let parts = [message[..<18], message[18...]]
        for part in parts {
            let request = ATTPDU.prepareWriteRequest(
                HeardAir.rx, offset: UInt16(part.startIndex), Array(part))
            #expect(air.carry("ben", request) == [])
        }
        let seen = air.carry("ben", .executeWriteRequest(commit: true))
        #expect(seen.count == 2)
        #expect(seen.first?.hasPrefix("msg.configureAndStart.sent link=1") == true)
        #expect(seen.first?.contains("length=31 shareable=x'0505") == true)
        #expect(air.carry("ben", .executeWriteRequest(commit: true)) == [])
    }

    @Test func aCancelledLongWriteIsNothingAndAGapIsMalformed() {
        var air = discovered()
        air.carry("ben", .prepareWriteRequest(HeardAir.rx, offset: 0, [0x0A]))
        #expect(air.carry("ben", .executeWriteRequest(commit: false)) == [])
        air.carry("ben", .prepareWriteRequest(HeardAir.rx, offset: 0, [0x0B]))
        air.carry("ben", .prepareWriteRequest(HeardAir.rx, offset: 5, [0x01]))
        #expect(
            air.sends("ben", .executeWriteRequest(commit: true)) == [
                "msg.malformed.sent link=1 peer=lock "
                    + "problem=parts of a long write do not follow one another"
            ])
    }

    @Test(
        arguments: [
            ([], "a message of no bytes: expected a message id at byte 0"),
            ([0x0A, 0x00], "initialize: expected the end at byte 1 id=10"),
            ([0x02], "accessoryUwbDidStart is not for the accessory id=2"),
        ] as [([UInt8], String)])
    func whatIsNoMessageIsMalformed(bytes: [UInt8], problem: String) {
        var air = discovered()
        #expect(
            air.sends("ben", .writeCommand(HeardAir.rx, bytes)) == [
                "msg.malformed.sent link=1 peer=lock problem=\(problem)"
            ])
    }

    @Test func aMessageOfTheManufacturersOwnIsShownAsItIs() {
        var air = discovered()
        #expect(
            air.carry("lock", .notification(HeardAir.tx, [0x50, 0x01, 0x02])) == [
                "msg.other.sent link=1 peer=ben length=3 id=80 bytes=x'0102'",
                "msg.other.received link=1 peer=lock length=3 id=80 bytes=x'0102'",
            ])
        #expect(
            air.sends("lock", .notification(HeardAir.tx, [0x50]), isSpoilt: true) == [
                "msg.malformed.sent link=1 peer=ben problem=no message has the id 0x50 (byte 0) "
                    + "id=80 unasked=true spoilt=true"
            ])
    }

    @Test func messagesAreToldApartByTheNumbersOfTheirMaker() throws {
        var air = HeardAir()
        let own = MessageService(
            service: HeardAir.service, receive: HeardAir.receive, transmit: HeardAir.transmit,
            numbers: try MessageNumbers([(.initialize, 0x82), (.stop, 0x0A)]))
        air.observer = AirObserver(services: [own])
        air.connect(1)
        air.discover()
        let names = [0x82, 0x0A, 0x0C].map { (number: UInt8) in
            air.sends("ben", .writeCommand(HeardAir.rx, [number])).first?.prefix { $0 != " " }
        }
        #expect(names == ["msg.initialize.sent", "msg.stop.sent", "msg.other.sent"])
    }

    @Test func aSpoiltMessageIsMarkedAtBothEnds() {
        var air = discovered()
        #expect(
            air.sends("ben", .writeCommand(HeardAir.rx, [0x0A]), isSpoilt: true) == [
                "msg.initialize.sent link=1 peer=lock session=1 length=1 spoilt=true"
            ])
        #expect(
            air.gets("lock", .writeCommand(HeardAir.rx, [0x0A])) == [
                "msg.initialize.received link=1 peer=ben session=1 length=1 spoilt=true"
            ])
    }
}

struct ResolutionTests {
    private let initialize = ATTPDU.writeCommand(HeardAir.rx, [0x0A])

    @Test func aHandleThatWasNeverDiscoveredIsNotGuessed() {
        var air = HeardAir()
        #expect(
            air.all(HeardAir.frame(initialize), at: "ben", .sent) == [
                "att.sent link=1 peer=lock pdu=write-command length=4 handle=3 unresolved=true"
            ])
    }

    @Test func whatOnePhoneDiscoveredHoldsForAllOfThatIncarnation() {
        var air = HeardAir()
        air.discover()
        air.connect(2, central: "ann")
        #expect(air.sends("ann", initialize).count == 1)
        air.connect(3, incarnation: 1, central: "ann")
        #expect(air.sends("ann", initialize) == [])
    }

    @Test func aBondedPhoneKeepsItsMapBeyondAnIncarnation() {
        var air = HeardAir()
        air.discover()
        air.connect(2, incarnation: 1, isBonded: true)
        #expect(air.sends("ben", initialize).count == 1)
        air.connect(3, incarnation: 2, isBonded: true)
        #expect(air.sends("ben", initialize).count == 1)
        air.connect(4, incarnation: 3)
        #expect(air.sends("ben", initialize) == [])
    }

    /// A phone that compares hashes reads one value, and goes by all else that it had kept.
    @Test func whatIsLearntOfANewIncarnationLeavesTheOlderMap() {
        var air = HeardAir()
        air.discover()
        for incarnation: UInt32 in 1...2 {
            air.connect(1 + Int(incarnation), incarnation: incarnation, isBonded: true)
            air.carry("ben", .readByTypeRequest(.all, type: .databaseHash))
            let hash = ATTPDU.AttributeValue(handle: 0x0020, value: Array(repeating: 7, count: 16))
            air.carry("lock", .readByTypeResponse([hash]))
            #expect(air.sends("ben", initialize).count == 1, "incarnation \(incarnation)")
        }
    }

    @Test func whatArrivesAfterTheLinkIsGoneIsStillSeen() {
        var air = HeardAir()
        air.discover()
        air.sends("ben", initialize)
        air.observer.linkDown(link: 1)
        #expect(
            air.gets("lock", initialize) == [
                "msg.initialize.received link=1 peer=ben session=1 length=1"
            ])
    }

    @Test func otherChannelsAreNotLookedAt() {
        var air = HeardAir()
        let signalling: [UInt8] = [0x02, 0x00, 0x05, 0x00, 0x13, 0x01]
        #expect(air.all(signalling, at: "ben", .sent) == [])
    }

    @Test func bytesThatAreNoPDUAreMalformed() {
        var air = HeardAir()
        let frames: [[UInt8]] = [
            [0x01, 0x00, 0x04, 0x00, 0xEE], [0x05, 0x00, 0x04, 0x00, 0x12, 0x03],
            [0x02, 0x00, 0x04, 0x00, 0x12, 0x03],
        ]
        for frame in frames {
            #expect(
                air.all(frame, at: "ben", .sent) == [
                    "att.sent link=1 peer=lock pdu=malformed length=\(frame.count - 4)"
                ])
        }
    }

    @Test func everyPrefixOfAFrameIsSurvived() {
        var air = HeardAir()
        air.discover()
        let frame = HeardAir.frame(.writeRequest(HeardAir.rx, [0x0B, 1, 2, 3]))
        for length in 0..<frame.count {
            _ = air.all(Array(frame[..<length]), at: "ben", .sent)
            _ = air.observer.message(in: Array(frame[..<length]), link: 1, from: "ben")
        }
    }
}

struct SpoilableMessageTests {
    private func message(_ device: String, _ pdu: ATTPDU) -> String? {
        var air = HeardAir()
        air.discover()
        return air.observer.message(in: HeardAir.frame(pdu), link: 1, from: device).map {
            "\($0.name) \($0.range)"
        }
    }

    @Test func aMessageIsFoundWithItsBytes() {
        #expect(
            message("ben", .writeRequest(HeardAir.rx, [0x0B, 1, 2])) == "configureAndStart 7..<10")
        #expect(message("ben", .writeCommand(HeardAir.rx, [0x0C])) == "stop 7..<8")
        #expect(message("lock", .notification(HeardAir.tx, [0x02])) == "accessoryUwbDidStart 7..<8")
        #expect(
            message("ben", .prepareWriteRequest(HeardAir.rx, offset: 0, [0x0B, 1]))
                == "configureAndStart 9..<11")
    }

    @Test func anythingElseIsNone() {
        #expect(message("ben", .writeRequest(HeardAir.cccd, [0x01, 0x00])) == nil)
        #expect(message("ben", .prepareWriteRequest(HeardAir.rx, offset: 18, [0x0B])) == nil)
        #expect(message("ben", .readRequest(HeardAir.single)) == nil)
        #expect(message("ben", .writeCommand(HeardAir.rx, [])) == nil)
        #expect(message("lock", .notification(HeardAir.rx, [0x02])) == nil)
        #expect(message("ben", .writeCommand(0x77, [0x0A])) == nil)
    }
}
