import Bluetooth
import DeviceLink
import FuzzBytes
import Traces

/// What a stranger does otherwise than a device of ours, as an input says.
///
/// It knows what a device can know: addresses, handles, timers and sessions that there are. Absurd is
/// what it does with them.
final class Mischief {
    private var input: InputReader
    private var addresses: [Address] = []
    private var handles: [UInt16] = [0]
    private var sessions: [UInt32] = [0]
    private var timers: [String] = [""]
    private var frames: [[UInt8]] = []

    init(_ input: InputReader) { self.input = input }

    func learn(_ address: Address) { if !addresses.contains(address) { addresses.append(address) } }

    func learn(_ event: DeviceEvent) {
        guard case .bluetooth(.connectionComplete(_, let handle, _, _, _)) = event else { return }
        handles.append(handle)
    }

    private func learn(_ answers: [Answer]) {
        for answer in answers {
            switch answer {
            case .setTimer(let name, _, _) where timers.count < 16: timers.append(name)
            case .uwb(.start(let session, _)) where sessions.count < 16: sessions.append(session)
            case .bluetooth(.acl(_, let frame)) where frames.count < 64: frames.append(frame)
            default: break
            }
        }
    }

    /// The answers of a turn: as they were for most of an input's bytes, and behind its end.
    func answers(insteadOf honest: [Answer]) -> [Answer] {
        learn(honest)
        switch input.byte() {
        case ..<128: return honest
        case ..<176: return honest + some()
        case ..<200: return some() + honest
        case ..<224: return honest.map { spoilt($0) }
        case ..<232: return some()
        case ..<240: return []
        case ..<248: return honest + honest
        default: return honest.reversed()
        }
    }

    private func some() -> [Answer] { (0...input.below(4)).map { _ in absurd() } }

    /// One of ours with other values; the frame of a message changes in one place.
    private func spoilt(_ answer: Answer) -> Answer {
        switch answer {
        case .bluetooth(.acl(let handle, let frame)):
            .bluetooth(.acl(handle: handle, spoilt(frame)))
        case .bluetooth(.connect(let peer, _)): .bluetooth(.connect(peer: peer, parameters()))
        case .bluetooth(.updateConnection(let handle, _)):
            .bluetooth(.updateConnection(handle: handle, parameters()))
        case .bluetooth(.advertise(_, let data, let response)):
            .bluetooth(
                .advertise(
                    interval: input.number(), data: spoilt(data), scanResponse: spoilt(response)))
        case .setTimer(let name, let after, let slack):
            .setTimer(name: name, after: delay(after), slack: delay(slack))
        case .uwb(.start(let session, let ranging)):
            .uwb(.start(session: session, spoilt(ranging)))
        case .observe(let kind, let values):
            .observe(kind: kind, fields: values.map { Field($0.name, value(insteadOf: $0.value)) })
        case .store(let key, let bytes): .store(key: key, value: bytes.map(spoilt))
        default: answer
        }
    }

    private func spoilt(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        let place = Int(input.byte()) % bytes.count
        var bytes = bytes
        switch input.below(4) {
        case 0: bytes[place] = input.byte()
        case 1: bytes.removeSubrange(place...)
        case 2: bytes.insert(input.byte(), at: place)
        default: break
        }
        return bytes
    }

    private func spoilt(_ ranging: UWBParameters) -> UWBParameters {
        var ranging = ranging
        switch input.below(8) {
        case 0: ranging.sessionID = input.number()
        case 1: ranging.address = input.number()
        case 2: ranging.peer = input.number()
        case 3: ranging.channel = input.number()
        case 4: ranging.slotsPerRound = input.number()
        case 5: ranging.slotDuration = input.number()
        case 6: ranging.interval = input.number()
        default: ranging.isInitiator.toggle()
        }
        return ranging
    }

    /// Something that nobody asked for.
    private func absurd() -> Answer {
        switch input.below(20) {
        case 0: .setTimer(name: timer(), after: delay(1_000_000), slack: delay(0))
        case 1: .cancelTimer(name: timer())
        case 2: .post(queue: input.below(2) == 0 ? "main" : name(), item: input.number())
        case 3, 4: store()
        case 5, 6, 7: observation()
        case 8:
            .bluetooth(
                .advertise(
                    interval: input.number(mostly: 0x20...0x4000), data: advertisement(),
                    scanResponse: advertisement()))
        case 9: .bluetooth(.stopAdvertising)
        case 10: .bluetooth(.scan(active: input.below(2) == 0, period: input.number()))
        case 11: .bluetooth(.stopScan)
        case 12: .bluetooth(.connect(peer: address(), parameters()))
        case 13: .bluetooth(.cancelConnect(peer: address()))
        case 14, 15: .bluetooth(.acl(handle: handle(), frame()))
        case 16: .bluetooth(.disconnect(handle: handle(), reason: input.byte()))
        case 17: .bluetooth(.updateConnection(handle: handle(), parameters()))
        case 18: security()
        default: radio()
        }
    }

    private func security() -> Answer {
        let key = (0..<16).map { _ in UInt8(input.below(2)) }
        return switch input.below(3) {
        case 0: .bluetooth(.encrypt(handle: handle(), key: key))
        case 1: .bluetooth(.longTermKey(handle: handle(), key))
        default: .bluetooth(.longTermKey(handle: handle(), nil))
        }
    }

    private func radio() -> Answer {
        guard input.below(4) > 0 else {
            return input.below(2) == 0
                ? .uwb(.stop(session: session())) : .camera(interval: input.number())
        }
        return .uwb(
            .start(
                session: session(),
                UWBParameters(
                    sessionID: input.number(), address: input.number(), peer: input.number(),
                    channel: input.number(mostly: 5...14), preamble: input.number(mostly: 9...12),
                    stsIV: Array(repeating: input.byte(), count: 6),
                    slotsPerRound: input.number(mostly: 1...30),
                    slotDuration: input.number(mostly: 1_200...3_600),
                    interval: input.number(mostly: 20...1_000), isInitiator: input.below(2) == 0)))
    }

    private func store() -> Answer {
        let key = input.below(2) == 0 ? name() : "bond/\(address())"
        let size = input.below(8) == 0 ? Int(input.number(UInt16.self)) : input.below(64)
        guard input.below(4) > 0 else { return .store(key: key, value: nil) }
        return .store(key: key, value: Array(repeating: input.byte(), count: size))
    }

    private func observation() -> Answer {
        let kinds =
            input.below(8) == 0 ? EventKind.allCases.map(\.rawValue) + ["", "ni."] : Self.ownKinds
        let kind = input.one(of: kinds) ?? ""
        let fields = (0..<input.below(5)).map { _ in Field(fieldName(), value()) }
        return .observe(kind: kind, fields: fields)
    }

    /// What a device may observe.
    private static let ownKinds =
        EventKind.allCases.filter(\.isObserved).map(\.rawValue) + ["lab.sensor"]

    /// The names that the judge reads, and others.
    private static let fieldNames = [
        "peer", "peripheral", "session", "service", "run", "data", "reason", "interval", "latency",
        "timeout", "handle", "distance", "azimuth", "state", "link", "incarnation", "role", "id",
        "",
    ]

    private func fieldName() -> String { input.one(of: Self.fieldNames) ?? "" }

    private func value(insteadOf honest: Field.Value = .none) -> Field.Value {
        switch input.below(8) {
        case 0: .number(input.number())
        case 1: .text(name())
        case 2: .flag(input.below(2) == 0)
        case 3: .bytes(input.take(input.below(32)))
        case 4: .none
        case 5: .number(Int64(input.byte()))
        default: honest
        }
    }

    private func name() -> String {
        switch input.below(6) {
        case 0: ""
        case 1: "\(address())"
        case 2: ["ben", "lock", "amy", "door"][input.below(4)]
        case 3: String(repeating: "x", count: Int(input.byte()) * 16)
        case 4: String(decoding: input.take(input.below(16)), as: UTF8.self)
        default: "\u{202E}\n\u{1B}[2J"
        }
    }

    private func timer() -> String { input.one(of: timers + [name()]) ?? "" }
    private func handle() -> UInt16 {
        input.below(4) == 0 ? input.number() : input.one(of: handles) ?? 0
    }
    private func session() -> UInt32 {
        input.below(4) == 0 ? input.number() : input.one(of: sessions) ?? 0
    }
    private func address() -> Address {
        input.below(4) == 0 ? Address(input.number()) : input.one(of: addresses) ?? Address(0)
    }

    private func delay(_ honest: Nanoseconds) -> Nanoseconds {
        switch input.below(4) {
        case 0: honest
        case 1: UInt64(input.byte()) * 1_000_000
        default: input.number()
        }
    }

    private func parameters() -> ConnectionParameters {
        ConnectionParameters(
            interval: input.number(mostly: 6...3_200), latency: input.number(mostly: 0...499),
            timeout: input.number(mostly: 10...3_200))
    }

    private func advertisement() -> [UInt8] { input.take(input.below(40)) }

    /// A frame of L2CAP: made up, or one of the device's own again, whole or spoilt.
    private func frame() -> [UInt8] {
        switch input.below(4) {
        case 0: input.block()
        case 1: input.one(of: frames) ?? []
        case 2: spoilt(input.one(of: frames) ?? [])
        default:
            L2CAPFrame(channel: [4, 4, 4, 5, 6, 64][input.below(6)], payload: input.block()).bytes
        }
    }
}
