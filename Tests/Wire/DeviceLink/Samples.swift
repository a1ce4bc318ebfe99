import DeviceLink

/// Something that golden.txt has bytes for.
///
/// An event or answer stands there without its frame.
enum Sample: Equatable {
    case orchestrator(OrchestratorFrame)
    case device(DeviceFrame)
    case event(DeviceEvent)
    case answer(Answer)
}

/// Every name in golden.txt, in its order, and what it means.
let samples: [(name: String, sample: Sample)] = frames + events + answers

private let lock = Address(0xC0FF_EE00_0102)
private let phone = Address(0x0011_2233_4455, isRandom: false)
private let parameters = ConnectionParameters(interval: 24, latency: 0, timeout: 72)
private let offered = NetworkService(type: "_nearby._tcp", name: "lock")
private let key = (0..<16).map { UInt8($0) }

private let frames: [(name: String, sample: Sample)] = [
    ("frame.hello", .device(.hello(Hello(program: "accessory")))),
    ("frame.hello.global", .device(.hello(Hello(program: "x", keepsGlobalState: true)))),
    ("frame.hello.afresh", .device(.hello(Hello(program: "x", isAfreshByReset: true)))),
    ("frame.reset", .orchestrator(.reset(Reset(name: "lock", model: "qorvo", address: lock)))),
    (
        "frame.reset.full",
        .orchestrator(
            .reset(
                Reset(
                    name: "lock", model: "qorvo", incarnation: 2, key: 0x0102_0304_0506_0708,
                    address: phone, parameters: [Pair("mtu", "100"), Pair("role", "1")],
                    defects: ["silent-rejection"],
                    stored: [StoredPair("bond", [0xB0, 0x4D]), StoredPair("empty", [])])))
    ),
    ("frame.ready", .device(.ready)),
    ("frame.refused", .device(.refused("there is no model \"qorv\""))),
    (
        "frame.grant",
        .orchestrator(
            .grant(turn: 7, now: VirtualTime(nanoseconds: 812_400_000), .timer(name: "tick")))
    ),
    (
        "frame.answers",
        .device(.answers(turn: 7, [.setTimer(name: "tick", after: 1_000_000, slack: 0)]))
    ),
    ("frame.answers.none", .device(.answers(turn: 8, []))),
    ("frame.farewell", .orchestrator(.farewell)),
]

private let events: [(name: String, sample: Sample)] = [
    ("event.boot", .event(.boot)),
    ("event.timer", .event(.timer(name: "tick"))),
    ("event.queue", .event(.queue(name: "main", item: 3))),
    (
        "event.command",
        .event(.command(name: "permission", arguments: [Pair("answer", "allow")]))
    ),
    (
        "event.advertisingReport",
        .event(
            .bluetooth(
                .advertisingReport(
                    peer: lock, isScanResponse: false, isConnectable: true, rssi: -60,
                    data: [0x02, 0x01, 0x06])))
    ),
    (
        "event.connectionComplete",
        .event(
            .bluetooth(
                .connectionComplete(
                    status: 0, handle: 0x0040, isCentral: true, peer: lock, parameters)))
    ),
    (
        "event.disconnectionComplete",
        .event(.bluetooth(.disconnectionComplete(handle: 0x0040, reason: 0x08)))
    ),
    (
        "event.acl",
        .event(
            .bluetooth(.acl(handle: 0x0040, [0x03, 0x00, 0x04, 0x00, 0x03, 0x64, 0x00])))
    ),
    ("event.completedPackets", .event(.bluetooth(.completedPackets(handle: 0x0040, count: 4)))),
    ("event.longTermKeyRequest", .event(.bluetooth(.longTermKeyRequest(handle: 0x0040)))),
    (
        "event.longTermKeyRequest.legacy",
        .event(
            .bluetooth(
                .longTermKeyRequest(
                    handle: 0x0040, random: 0x0102_0304_0506_0708, diversifier: 0x1234)))
    ),
    (
        "event.encryptionChange",
        .event(.bluetooth(.encryptionChange(status: 0, handle: 0x0040, isEncrypted: true)))
    ),
    (
        "event.connectionUpdateComplete",
        .event(
            .bluetooth(.connectionUpdateComplete(status: 0, handle: 0x0040, parameters)))
    ),
    ("event.uwbStarted", .event(.uwb(.started(session: 1, status: 0)))),
    (
        "event.uwbRound",
        .event(
            .uwb(
                .round(
                    session: 1,
                    UWBMeasurement(
                        distance: 2_500, azimuth: -1_550, elevation: 420, isLineOfSight: true))))
    ),
    (
        "event.uwbRound.outOfView",
        .event(
            .uwb(
                .round(
                    session: 1,
                    UWBMeasurement(
                        distance: 2_500, azimuth: nil, elevation: nil, isLineOfSight: false))))
    ),
    (
        "event.uwbRound.sight",
        .event(
            .uwb(
                .round(
                    session: 1,
                    UWBMeasurement(
                        distance: 2_500, azimuth: 9_000, elevation: 0, isLineOfSight: true,
                        sight: UWBSight(
                            isInView: false, horizontal: 9_000, vertical: 0,
                            place: RoomPlace(x: 2_500, y: 0, z: 0))))))
    ),
    (
        "event.camera",
        .event(
            .camera(
                CameraFrame(
                    place: RoomPlace(x: 1_000, y: 0, z: 1_500), heading: 9_000, pitch: -500,
                    isUpright: true, light: 500)))
    ),
    ("event.uwbRound.missed", .event(.uwb(.round(session: 1, nil)))),
    (
        "event.found",
        .event(.network(.found(offered, host: "lock", record: Array("v1".utf8))))
    ),
    ("event.lost", .event(.network(.lost(offered, host: "lock")))),
    (
        "event.opened",
        .event(.network(.opened(connection: 0x8000_0000, offered, host: "ben")))
    ),
    ("event.received", .event(.network(.received(connection: 0x8000_0000, [0x0A])))),
    ("event.closed", .event(.network(.closed(connection: 1, .timedOut)))),
]

private let answers: [(name: String, sample: Sample)] = [
    ("answer.setTimer", .answer(.setTimer(name: "tick", after: 1_000_000, slack: 50_000))),
    ("answer.cancelTimer", .answer(.cancelTimer(name: "tick"))),
    ("answer.post", .answer(.post(queue: "main", item: 3))),
    ("answer.store", .answer(.store(key: "bond", value: [0xB0, 0x4D]))),
    ("answer.store.forget", .answer(.store(key: "bond", value: nil))),
    (
        "answer.observe",
        .answer(
            .observe(
                kind: "ni.didUpdate",
                fields: [
                    Field("peripheral", "C0:FF:EE:00:01:02"), Field("distance", 2_500),
                    Field("azimuth", .none), Field("stale", false),
                    Field("raw", .bytes([0xCA, 0xFE])),
                ]))
    ),
    (
        "answer.advertise",
        .answer(
            .bluetooth(
                .advertise(
                    interval: 32, data: [0x02, 0x01, 0x06],
                    scanResponse: [0x05, 0x09, 0x6C, 0x6F, 0x63, 0x6B])))
    ),
    ("answer.stopAdvertising", .answer(.bluetooth(.stopAdvertising))),
    ("answer.scan", .answer(.bluetooth(.scan(active: true, period: 8)))),
    ("answer.stopScan", .answer(.bluetooth(.stopScan))),
    ("answer.connect", .answer(.bluetooth(.connect(peer: lock, parameters)))),
    ("answer.cancelConnect", .answer(.bluetooth(.cancelConnect(peer: lock)))),
    (
        "answer.acl",
        .answer(
            .bluetooth(.acl(handle: 0x0040, [0x03, 0x00, 0x04, 0x00, 0x02, 0xB9, 0x00])))
    ),
    ("answer.disconnect", .answer(.bluetooth(.disconnect(handle: 0x0040, reason: 0x13)))),
    ("answer.encrypt", .answer(.bluetooth(.encrypt(handle: 0x0040, key: key)))),
    (
        "answer.encrypt.legacy",
        .answer(
            .bluetooth(
                .encrypt(
                    handle: 0x0040, key: key, random: 0x0102_0304_0506_0708, diversifier: 0x1234)))
    ),
    ("answer.longTermKey", .answer(.bluetooth(.longTermKey(handle: 0x0040, key)))),
    ("answer.longTermKey.none", .answer(.bluetooth(.longTermKey(handle: 0x0040, nil)))),
    (
        "answer.updateConnection",
        .answer(.bluetooth(.updateConnection(handle: 0x0040, parameters)))
    ),
    (
        "answer.setAddress",
        .answer(.bluetooth(.setAddress(Address(0x4FEE_0001_0203, isRandom: true))))
    ),
    (
        "answer.uwbStart",
        .answer(
            .uwb(
                .start(
                    session: 1,
                    UWBParameters(
                        sessionID: 0x5FA8, address: 0x1A2B, peer: 0xB487, channel: 9, preamble: 11,
                        stsIV: [0x39, 0x7B, 0x28, 0xD4, 0xB8, 0xD7], slotsPerRound: 6,
                        slotDuration: 3_600, interval: 198, isInitiator: true))))
    ),
    ("answer.uwbStop", .answer(.uwb(.stop(session: 1)))),
    ("answer.uwbEnd", .answer(.uwb(.end(session: 1)))),
    ("answer.camera", .answer(.camera(interval: 100))),
    ("answer.camera.off", .answer(.camera(interval: 0))),
    ("answer.uwbStride", .answer(.uwb(.stride(session: 1, intervals: 4)))),
    (
        "answer.uwbStartExtended",
        .answer(
            .uwb(
                .start(
                    session: 1,
                    UWBParameters(
                        sessionID: 0x5FA8, address: 0x1A2B, peer: 0xB487, channel: 9, preamble: 11,
                        stsIV: [0x39, 0x7B, 0x28, 0xD4, 0xB8, 0xD7], slotsPerRound: 6,
                        slotDuration: 3_600, interval: 198, isInitiator: true, isExtended: true))))
    ),
    ("answer.publish", .answer(.network(.publish(offered, record: Array("v1".utf8))))),
    ("answer.withdraw", .answer(.network(.withdraw(offered)))),
    ("answer.browse", .answer(.network(.browse(type: offered.type)))),
    ("answer.stopBrowsing", .answer(.network(.stopBrowsing(type: offered.type)))),
    ("answer.open", .answer(.network(.open(connection: 1, offered)))),
    ("answer.send", .answer(.network(.send(connection: 1, isReliable: true, [0x0A])))),
    ("answer.close", .answer(.network(.close(connection: 1)))),
]
