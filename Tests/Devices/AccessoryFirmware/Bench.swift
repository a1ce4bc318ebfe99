import AccessoryFirmware
import AccessoryProtocol
import Bluetooth
import DeviceKit
import Vocabulary

/// An accessory on the bench: the test plays clock, controller, radio and phones with literal bytes.
final class Bench {
    /// All requests to the radio, in order.
    private(set) var radio: [UWBCommand] = []
    /// All requests to the controller but data, in order.
    private(set) var controller: [BluetoothCommand] = []
    /// All observations: the kind, and the reason where there is one.
    private(set) var notes: [String] = []
    /// What the accessory stored, last value last.
    private(set) var stored: [StoredPair] = []
    /// Whether the controller reports completed packets at once.
    var completesPackets = true

    /// The accessory itself.
    let accessory: Accessory
    /// The service that carries its messages.
    private let service: MessageService
    private let context: Context
    private var now = VirtualTime.zero
    private var timers: [(name: String, due: VirtualTime)] = []
    private var frames: [(handle: UInt16, bytes: [UInt8])] = []
    private var uncompleted: [UInt16] = []

    /// An accessory that has been powered on.
    init(
        _ profile: String = "qorvo", _ parameters: [Pair] = [], defects: [AccessoryDefect] = [],
        incarnation: UInt32 = 0, stored: [StoredPair] = []
    ) throws {
        let reset = Reset(
            name: "lock", model: profile, incarnation: incarnation, key: 7 + UInt64(incarnation),
            address: Address(0xC0_0000_0000_01), parameters: parameters,
            defects: defects.map(\.rawValue), stored: stored)
        let isOfNordic = ["qni-2.0.5", "nxp", "estimote-like"].contains(profile)
        service = isOfNordic ? .nordicUART : .qorvo
        context = Context(reset) { _ in }
        accessory = try Accessory(reset, in: context)
        give(.boot)
    }

    /// One turn.
    func give(_ event: DeviceEvent) {
        for answer in context.turn(of: accessory, at: now, event) { take(answer) }
        if completesPackets { completePackets() }
    }

    /// The controller's buffers are free again.
    func completePackets() {
        while !uncompleted.isEmpty {
            let handle = uncompleted.removeFirst()
            give(.bluetooth(.completedPackets(handle: handle, count: 1)))
        }
    }

    /// Lets time pass; timers come due at their earliest.
    func pass(_ time: Nanoseconds) {
        let end = now + time
        while let next = timers.filter({ $0.due <= end }).min(by: { $0.due < $1.due }) {
            timers.removeAll { $0.name == next.name }
            now = max(now, next.due)
            give(.timer(name: next.name))
        }
        now = end
    }

    private func take(_ answer: Answer) {
        switch answer {
        case .bluetooth(.acl(let handle, let bytes)):
            frames.append((handle, bytes))
            uncompleted.append(handle)
        case .bluetooth(let command): controller.append(command)
        case .uwb(let command): radio.append(command)
        // Nobody is there.
        case .network, .camera: break
        case .setTimer(let name, let after, _):
            timers.removeAll { $0.name == name }
            timers.append((name, now + after))
        case .cancelTimer(let name): timers.removeAll { $0.name == name }
        case .post: preconditionFailure("the accessory has no queues")
        case .store(let key, let value): stored.append(StoredPair(key, value ?? []))
        case .observe(let kind, let fields):
            let reason = fields.first { $0.name == "reason" }
            if case .text(let text) = reason?.value { notes.append("\(kind): \(text)") }
            if reason == nil { notes.append(kind) }
        }
    }
}

// The phone's side of a link; every phone has the connection handle by which it is known.
extension Bench {
    /// A phone connects, exchanges its MTU where it is not the smallest, and subscribes to TX.
    func connect(_ phone: UInt16 = 1, mtu: UInt16 = 185, subscribes: Bool = true) {
        give(
            .bluetooth(
                .connectionComplete(
                    status: 0, handle: phone, isCentral: false, peer: Self.address(of: phone),
                    ConnectionParameters(interval: 24, latency: 0, timeout: 72))))
        if mtu > 23 { _ = att([0x02] + mtu.bytes, phone) }
        if subscribes { subscribe(phone) }
    }

    /// The phone's Bluetooth address.
    static func address(of phone: UInt16) -> Address { Address(0xC0_FFEE_0000_00 + UInt64(phone)) }

    /// A phone subscribes to TX.
    func subscribe(_ phone: UInt16 = 1) {
        let configuration = handle(of: service.transmit, phone) + 1
        _ = att([0x12] + configuration.bytes + [0x01, 0x00], phone)
    }

    /// A phone is gone.
    func disconnect(_ phone: UInt16 = 1, reason: UInt8 = 0x13) {
        give(.bluetooth(.disconnectionComplete(handle: phone, reason: reason)))
    }

    /// A phone has encrypted the link.
    func encrypt(_ phone: UInt16 = 1) {
        give(.bluetooth(.longTermKeyRequest(handle: phone)))
        give(.bluetooth(.encryptionChange(status: 0, handle: phone, isEncrypted: true)))
    }

    /// A phone writes a message and waits until it is handled; gives what it is notified of.
    func say(_ message: [UInt8], _ phone: UInt16 = 1) -> [[UInt8]] {
        write(message, phone)
        pass(.milliseconds(2))
        return heard(phone)
    }

    /// A phone writes a message and does not wait.
    func write(_ message: [UInt8], _ phone: UInt16 = 1) {
        _ = att([0x12] + handle(of: service.receive, phone).bytes + message, phone)
    }

    /// A phone writes a message without response and waits until it is handled.
    func command(_ message: [UInt8], to receive: UInt16, _ phone: UInt16 = 1) {
        _ = att([0x52] + receive.bytes + message, phone)
        pass(.milliseconds(2))
    }

    /// What a phone was notified of since it was asked last.
    func heard(_ phone: UInt16 = 1) -> [[UInt8]] {
        let notifications = frames.filter { $0.handle == phone && $0.bytes[4] == 0x1B }
        frames.removeAll { $0.handle == phone }
        return notifications.map { Array($0.bytes[7...]) }
    }

    /// Sends an ATT PDU; gives the response.
    func att(_ pdu: [UInt8], _ phone: UInt16 = 1) -> [UInt8] {
        send([UInt8(pdu.count), 0, 0x04, 0x00] + pdu, phone)
        guard let index = frames.lastIndex(where: { $0.handle == phone && $0.bytes[4] != 0x1B })
        else { return [] }
        return Array(frames.remove(at: index).bytes[4...])
    }

    /// Sends an L2CAP frame.
    func send(_ frame: [UInt8], _ phone: UInt16 = 1) {
        give(.bluetooth(.acl(handle: phone, frame)))
    }

    /// L2CAP frames on the signalling channel since the phone was asked last.
    func signals(_ phone: UInt16 = 1) -> [[UInt8]] {
        let signals = frames.filter { $0.handle == phone && $0.bytes[2] == 0x05 }
        frames.removeAll { $0.handle == phone }
        return signals.map { Array($0.bytes[4...]) }
    }

    /// The handles of all values of a characteristic.
    func handles(of uuid: BluetoothUUID, _ phone: UInt16 = 1) -> [UInt16] {
        var found: [UInt16] = []
        var start: UInt16 = 1
        while true {
            let response = att([0x08] + start.bytes + [0xFF, 0xFF, 0x03, 0x28], phone)
            guard response.first == 0x09 else { return found }
            let length = Int(response[1])
            for entry in stride(from: 2, to: response.count, by: length) {
                start = (UInt16(response[entry]) | UInt16(response[entry + 1]) << 8) + 1
                if Array(response[entry + 5..<entry + length]) == uuid.bytes {
                    found.append(UInt16(response[entry + 3]) | UInt16(response[entry + 4]) << 8)
                }
            }
        }
    }

    /// The handle of the only value of a characteristic.
    func handle(of uuid: BluetoothUUID, _ phone: UInt16 = 1) -> UInt16 {
        handles(of: uuid, phone)[0]
    }
}

extension UInt16 {
    /// Least significant byte first.
    var bytes: [UInt8] { [UInt8(truncatingIfNeeded: self), UInt8(truncatingIfNeeded: self >> 8)] }
}
