import Bluetooth
import DeviceLink
import Observer

/// A phone `ben` and an accessory `lock` whose PDUs an observer watches.
///
///     0x0001 service QNIS, 0x0002 declaration, 0x0003 RX, 0x0004 declaration, 0x0005 TX, 0x0006 CCCD
///     0x0010 Nearby Interaction Service, 0x0011 declaration, 0x0012 single configuration
struct HeardAir {
    static let rx: UInt16 = 0x0003
    static let tx: UInt16 = 0x0005
    static let cccd: UInt16 = 0x0006
    static let single: UInt16 = 0x0012
    static let service: BluetoothUUID = "2E938FD0-6A61-11ED-A1EB-0242AC120002"
    static let receive: BluetoothUUID = "2E93998A-6A61-11ED-A1EB-0242AC120002"
    static let transmit: BluetoothUUID = "2E939AF2-6A61-11ED-A1EB-0242AC120002"
    static let configuration: BluetoothUUID = "95E8D9D5-D8EF-4721-9A4E-807375F53328"

    var observer = AirObserver()
    var link = 1

    init() { connect(1) }

    /// Makes a link the present one.
    mutating func connect(
        _ link: Int, incarnation: UInt32 = 0, isBonded: Bool = false, central: String = "ben"
    ) {
        self.link = link
        observer.linkUp(
            link: link, central: central, peripheral: "lock", peripheralIncarnation: incarnation,
            isBonded: isBonded)
    }

    /// Lets the accessory's host know that the link is encrypted.
    mutating func encrypt() { observer.encryptionChanged(link: link, at: "lock", to: true) }

    /// Lets a PDU leave a host and gives what was seen, without the ATT events.
    @discardableResult
    mutating func sends(_ device: String, _ pdu: ATTPDU, isSpoilt: Bool = false) -> [String] {
        observe(Self.frame(pdu), at: device, .sent, isSpoilt)
    }

    /// Hands a PDU to a host.
    @discardableResult
    mutating func gets(_ device: String, _ pdu: ATTPDU) -> [String] {
        observe(Self.frame(pdu), at: device, .received, false)
    }

    /// Carries a PDU from its sender to the other side.
    @discardableResult
    mutating func carry(_ device: String, _ pdu: ATTPDU) -> [String] {
        sends(device, pdu) + gets(device == "lock" ? "ben" : "lock", pdu)
    }

    /// Everything that is seen of a frame.
    mutating func all(
        _ frame: [UInt8], at device: String, _ phase: AirObserver.Phase, _ isSpoilt: Bool = false
    ) -> [String] {
        var events: [AirObserver.ObservedEvent] = []
        observer.frame(
            frame, link: link, at: device, phase: phase, isSpoilt: isSpoilt, into: &events)
        return events.map(\.text)
    }

    private mutating func observe(
        _ frame: [UInt8], at device: String, _ phase: AirObserver.Phase, _ isSpoilt: Bool
    ) -> [String] {
        all(frame, at: device, phase, isSpoilt).filter { !$0.hasPrefix("att.") }
    }

    static func frame(_ pdu: ATTPDU) -> [UInt8] {
        L2CAPFrame(channel: L2CAPChannel.attribute, payload: pdu.bytes).bytes
    }

    /// Discovery as a phone does it: services, characteristics, descriptors.
    mutating func discover() {
        carry("ben", .readByGroupTypeRequest(.all, type: .primaryService))
        carry(
            "lock",
            .readByGroupTypeResponse([
                .init(range: HandleRange(1, 6), value: Self.service.bytes)
            ]))
        carry("ben", .readByTypeRequest(HandleRange(1, 0x12), type: .characteristic))
        carry(
            "lock",
            .readByTypeResponse([
                .init(handle: 2, value: [0x0C, 0x03, 0x00] + Self.receive.bytes),
                .init(handle: 4, value: [0x10, 0x05, 0x00] + Self.transmit.bytes),
                .init(handle: 0x11, value: [0x02, 0x12, 0x00] + Self.configuration.bytes),
            ]))
        carry("ben", .findInformationRequest(HandleRange(6, 6)))
        carry("lock", .findInformationResponse([.init(handle: 6, type: .clientConfiguration)]))
    }
}

extension AirObserver.ObservedEvent {
    /// `KIND NAME=VALUE…`.
    var text: String {
        ([kind.rawValue] + fields.map { "\($0.name)=\($0.value.text)" }).joined(separator: " ")
    }
}

extension Field.Value {
    fileprivate var text: String {
        switch self {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .bytes(let bytes):
            "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        case .none: "null"
        }
    }
}
