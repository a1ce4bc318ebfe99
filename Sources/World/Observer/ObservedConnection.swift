import AccessoryProtocol
import Bluetooth

/// What the observer knows of one connection on the network.
struct ObservedConnection: Sendable {
    private struct UnderWay: Sendable {
        let bytes: [UInt8]
        let pdu: ObservedPDU
        let isReliable: Bool
    }

    let app: String
    let accessory: String
    /// Whether what it carries are messages of the accessory protocol.
    let carriesMessages: Bool
    private var conversation = Conversation()
    /// Whether the accessory sends configuration data only when it is asked; nil where nobody knows.
    private var asksFirst: Bool?
    /// What was sent and not yet received, by the sender's side: the app is the central.
    private var underWay = Sides(both: [UnderWay]())

    /// How many messages that may be lost are remembered, of each side.
    private static let remembered = 256

    init(app: String, accessory: String, carriesMessages: Bool) {
        (self.app, self.accessory, self.carriesMessages) = (app, accessory, carriesMessages)
    }

    /// The session that its app began last.
    var latestSession: Int64? { conversation.sessions.latest }

    /// A message leaves a device.
    mutating func send(
        _ bytes: [UInt8], number: Int, from device: String, isReliable: Bool, isSpoilt: Bool,
        nextSession: inout Int64, noting events: inout [AirObserver.ObservedEvent]
    ) {
        let isApp = device == app
        var pdu = ObservedPDU(name: "", length: bytes.count)
        pdu.isSpoilt = isSpoilt
        if carriesMessages {
            pdu.meanings = [
                AttributeMaps.meaning(of: bytes, isApp ? .toAccessory : .toApp, .sample)
            ]
        }
        conversation.send(&pdu, fromAccessory: !isApp, asksFirst: &asksFirst, &nextSession)
        pdu.showMessage(
            number, to: isApp ? accessory : app, phase: .sent, isReliable: isReliable,
            noting: &events)
        let side: Side = isApp ? .central : .peripheral
        underWay[side].append(UnderWay(bytes: bytes, pdu: pdu, isReliable: isReliable))
        if !isReliable, underWay[side].count(where: { !$0.isReliable }) > Self.remembered,
            let oldest = underWay[side].firstIndex(where: { !$0.isReliable })
        {
            underWay[side].remove(at: oldest)
        }
    }

    /// A message reaches a device.
    mutating func deliver(
        _ bytes: [UInt8], number: Int, to device: String,
        noting events: inout [AirObserver.ObservedEvent]
    ) {
        let isApp = device == app
        let sender: Side = isApp ? .peripheral : .central
        // Those sent reliably come in sequence, others overtake.
        guard let place = underWay[sender].firstIndex(where: { $0.bytes == bytes }) else { return }
        let message = underWay[sender].remove(at: place)
        var pdu = message.pdu
        _ = conversation.receive(&pdu, fromAccessory: isApp, asksFirst: &asksFirst)
        pdu.showMessage(
            number, to: isApp ? accessory : app, phase: .received, isReliable: message.isReliable,
            noting: &events)
    }
}
