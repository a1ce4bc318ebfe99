import AccessoryProtocol
import Bluetooth
import Testing

/// What a phone is shown of attributes.
///
///     0x0010 Nearby Interaction Service, 0x0011 declaration, 0x0012 single, 0x0013 description
struct DiscoveryTests {
    private let service: BluetoothUUID = "48FE3E40-0817-4BB2-8633-3073689C2DBA"
    private let description: UInt16 = 0x0013
    private let range = HandleRange(0x0010, 0x0013)

    /// The service, its characteristic and its descriptor, each with what was seen.
    private func discover(_ air: inout HeardAir) -> [String] {
        air.carry("ben", .readByGroupTypeRequest(.all, type: .primaryService))
        let services = air.carry(
            "lock",
            .readByGroupTypeResponse([
                .init(range: HandleRange(1, 6), value: HeardAir.service.bytes),
                .init(range: range, value: service.bytes),
            ]))
        air.carry("ben", .readByTypeRequest(range, type: .characteristic))
        let characteristics = air.carry(
            "lock",
            .readByTypeResponse([
                .init(handle: 0x11, value: [0x02, 0x12, 0x00] + HeardAir.configuration.bytes)
            ]))
        air.carry("ben", .readByTypeRequest(HandleRange(0x12, 0x13), type: .characteristic))
        let end = air.carry(
            "lock", .errorResponse(request: 0x08, handle: 0x12, .attributeNotFound))
        air.carry("ben", .findInformationRequest(HandleRange(0x13, 0x13)))
        let descriptors = air.carry(
            "lock", .findInformationResponse([.init(handle: 0x13, type: .userDescription)]))
        return services + characteristics + end + descriptors
    }

    private let all = [
        "gatt.service link=1 peer=lock handle=1 service=qnis primary=true",
        "gatt.service link=1 peer=lock handle=16 service=nearby-interaction primary=true",
        "gatt.characteristic link=1 peer=lock handle=18 characteristic=single properties=2 "
            + "read=true beyond-read=0 service=nearby-interaction",
        "gatt.discovered link=1 peer=lock service=nearby-interaction singles=1 "
            + "multiples=0",
        "gatt.descriptor link=1 peer=lock handle=19 descriptor=user-description "
            + "characteristic=single value-handle=18",
        "gatt.described link=1 peer=lock characteristic=single value-handle=18 siblings=1 "
            + "user-descriptions=1",
    ]

    /// R4 4.3 forbids no characteristic of the maker's own; what is nearly configuration data is a mistake.
    @Test(arguments: [
        ("1176CF7B-BED2-4690-BD69-5F34001E820D", "misspells=multiple"),
        ("2833F575-7380-4E9A-2147-EFD8D5D9E895", "misspells=single"),
        ("11112222-3333-4444-5555-666677778888", "service=null"),
    ]) func aUUIDThatIsNearlyThatOfConfigurationDataIsSaid(uuid: String, end: String) throws {
        var air = HeardAir()
        _ = discover(&air)
        let type = try #require(BluetoothUUID(uuid))
        air.carry("ben", .readByTypeRequest(HandleRange(0x13, 0x20), type: .characteristic))
        let declaration = [0x02, 0x15, 0x00] + type.longBytes
        let shown = air.carry(
            "lock", .readByTypeResponse([.init(handle: 0x14, value: declaration)]))
        #expect(
            shown.first { $0.hasPrefix("gatt.characteristic") }?.hasSuffix(end) == true, "\(shown)")
    }

    @Test func aDiscoveryIsShownOnEachLink() {
        var air = HeardAir()
        #expect(discover(&air) == all)
        air.connect(2)
        #expect(discover(&air) == all.map { $0.replacing("link=1", with: "link=2") })
    }

    @Test func aServiceMayBeFoundByItsUUIDAndBeSecondary() {
        var air = HeardAir()
        for (type, isPrimary) in [(UInt16(0x2800), true), (0x2801, false)] {
            air.carry("ben", .findByTypeValueRequest(.all, type: type, value: service.bytes))
            #expect(
                air.carry("lock", .findByTypeValueResponse([range])) == [
                    "gatt.service link=1 peer=lock handle=16 service=nearby-interaction "
                        + "primary=\(isPrimary)"
                ])
        }
    }

    @Test func oneSearchMayEndSeveralServices() {
        var air = HeardAir()
        _ = discover(&air)
        air.carry("ben", .readByTypeRequest(.all, type: .characteristic))
        let first = ATTPDU.readByTypeResponse([
            .init(handle: 0x02, value: [0x0C, 0x03, 0x00] + HeardAir.receive.bytes),
            .init(handle: 0x11, value: [0x02, 0x12, 0x00] + HeardAir.configuration.bytes),
        ])
        #expect(
            air.carry("lock", first).suffix(2) == [
                all[2],
                "gatt.discovered link=1 peer=lock service=qnis singles=0 "
                    + "multiples=0",
            ])
    }

    @Test func whatNobodyDiscoveredHasNoName() {
        var air = HeardAir()
        air.carry("ben", .findInformationRequest(.all))
        #expect(
            air.carry("lock", .findInformationResponse([.init(handle: 0x13, type: 0x2904)])) == [
                "gatt.descriptor link=1 peer=lock handle=19 descriptor=2904 characteristic=null "
                    + "value-handle=null"
            ])
    }

    @Test func aDescriptionIsShownAsText() {
        var air = HeardAir()
        _ = discover(&air)
        air.carry("ben", .readRequest(description))
        #expect(
            air.carry("lock", .readResponse(Array("Session 1".utf8))) == [
                "gatt.description link=1 peer=lock handle=19 characteristic=single "
                    + "value-handle=18 encrypted=false text=Session 1"
            ])
    }

    @Test func aRefusalSaysWhatWasWantedAndOnWhatLink() {
        var air = HeardAir()
        _ = discover(&air)
        air.carry("ben", .readRequest(HeardAir.single))
        let unread = ATTPDU.errorResponse(
            request: 0x0A, handle: HeardAir.single, .insufficientEncryption)
        #expect(
            air.carry("lock", unread) == [
                "gatt.refused link=1 peer=lock handle=18 characteristic=single descriptor=null "
                    + "request=read error=15 encrypted=false"
            ])
        air.encrypt()
        air.carry("ben", .writeRequest(description, [0x41]))
        let unwritten = ATTPDU.errorResponse(
            request: 0x12, handle: description, .writeNotPermitted)
        #expect(
            air.carry("lock", unwritten) == [
                "gatt.refused link=1 peer=lock handle=19 characteristic=single "
                    + "descriptor=user-description request=write error=3 encrypted=true"
            ])
    }
}

/// What is said of a value of the Nearby Interaction Service.
struct ConfigurationTests {
    private let data: [UInt8] = [1, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 10) + [1, 0xAA]
    private let other: [UInt8] = [1, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 10) + [1, 0xBB]
    private let multiple: UInt16 = 0x0022

    /// Single at 0x0012, Multiple at 0x0022.
    private func discovered() -> HeardAir {
        var air = HeardAir()
        air.discover()
        let uuid: BluetoothUUID = "1176CF7B-BED2-4690-BD69-5F34001E820C"
        air.carry("ben", .readByTypeRequest(.all, type: .characteristic))
        air.carry(
            "lock",
            .readByTypeResponse([.init(handle: 0x21, value: [0x02, 0x22, 0x00] + uuid.bytes)]))
        return air
    }

    /// What is said of a value that is read.
    private func read(_ handle: UInt16, _ value: [UInt8], in air: inout HeardAir) -> String? {
        air.carry("ben", .readRequest(handle))
        return air.carry("lock", .readResponse(value)).first.map {
            $0.split(separator: " ").drop { !$0.hasPrefix("encrypted=") }.joined(separator: " ")
        }
    }

    @Test func aValueIsHeldAgainstTheMessageThatWasSentLast() {
        var air = discovered()
        #expect(
            read(HeardAir.single, data, in: &air) == "encrypted=false own=null whole=true count=1")
        air.encrypt()
        air.carry("lock", .notification(HeardAir.tx, [0x01] + data))
        #expect(
            read(HeardAir.single, data, in: &air) == "encrypted=true own=true whole=true count=1")
        #expect(
            read(HeardAir.single, other, in: &air) == "encrypted=true own=false whole=true count=1")
        air.sends("lock", .notification(HeardAir.tx, [0x01] + other), isSpoilt: true)
        air.gets("ben", .notification(HeardAir.tx, [0x01] + other))
        #expect(
            read(HeardAir.single, other, in: &air) == "encrypted=true own=null whole=true count=1")
        air.connect(2)
        #expect(
            read(HeardAir.single, data, in: &air) == "encrypted=false own=null whole=true count=1")
    }

    @Test(
        arguments: [
            ([1, 17], true, 1, nil), ([2, 17], false, 2, "count"), ([1, 16], false, 1, "length"),
            ([0, 17], false, 0, "count"), ([0, 9], false, 0, "rest"), ([], false, nil, nil),
        ] as [([UInt8], Bool, Int?, String?)])
    func severalValuesAreWholeWhereNumberAndLengthsFit(
        before: [UInt8], isWhole: Bool, count: Int?, fault: String?
    ) {
        var air = discovered()
        let value = before.isEmpty ? [] : before + data
        let number = count.map { "\($0)" } ?? "null"
        let wrong = fault.map { " fault=\($0)" } ?? ""
        #expect(
            read(multiple, value, in: &air)
                == "encrypted=false own=null whole=\(isWhole) count=\(number)\(wrong)")
    }

    @Test func whoHasReadAllSinglesHasFoundItsConfigurationOrNot() {
        var air = discovered()
        air.carry("ben", .readByGroupTypeRequest(.all, type: .primaryService))
        let uuid: BluetoothUUID = "48FE3E40-0817-4BB2-8633-3073689C2DBA"
        air.carry(
            "lock",
            .readByGroupTypeResponse([.init(range: HandleRange(0x10, 0x30), value: uuid.bytes)]))
        air.carry("lock", .notification(HeardAir.tx, [0x01] + data))
        for (value, isOwn) in [(other, false), (data, true)] {
            air.carry("ben", .readRequest(HeardAir.single))
            #expect(
                air.carry("lock", .readResponse(value)).last
                    == "gatt.compared link=1 peer=lock characteristic=single values=1 sessions=1 missing=0 own=\(isOwn)"
            )
        }
    }

    @Test func aValueWhosePartsMayDifferIsTorn() {
        var air = discovered()
        let long = data + [UInt8](repeating: 7, count: 22 - data.count)
        air.carry("ben", .readRequest(HeardAir.single))
        air.carry("lock", .readResponse(long))
        air.carry("lock", .notification(HeardAir.tx, [0x01] + data))
        air.carry("ben", .readBlobRequest(HeardAir.single, offset: 22))
        let shown = air.carry("lock", .readBlobResponse([8])).first
        #expect(shown?.hasSuffix("torn=true") == true)
    }

    @Test func oneOfSeveralMessagesIsEnough() {
        var air = discovered()
        air.carry("lock", .notification(HeardAir.tx, [0x01] + data))
        #expect(
            read(multiple, [1, 17] + data, in: &air)
                == "encrypted=false own=true whole=true count=1")
        #expect(
            read(multiple, [1, 17] + other, in: &air)
                == "encrypted=false own=false whole=true count=1")
    }

    /// On an open link nobody may have even a part of one.
    @Test func aPartOfAValueIsShownWhereItLeaks() {
        let requests: [(ATTPDU, ATTPDU)] = [
            (.readBlobRequest(HeardAir.single, offset: 0), .readBlobResponse([1, 0])),
            (
                .readMultipleRequest([HeardAir.single, HeardAir.single]),
                .readMultipleResponse([1, 0])
            ),
        ]
        for (request, response) in requests {
            var air = HeardAir()
            air.discover()
            air.carry("ben", request)
            let told = air.carry("lock", response).last ?? ""
            #expect(told.hasPrefix("gatt.configuration "), "\(told)")
            #expect(told.contains(" encrypted=false ") && told.hasSuffix(" torn=true"), "\(told)")
            air.encrypt()
            air.carry("ben", request)
            #expect(!(air.carry("lock", response).last ?? "").contains("torn"))
        }
    }
}
