import BluetoothHost
import DeviceKit

/// One possible session of the accessory: an application, its middleware, and the link they serve while
/// there is one.
final class Session {
    /// Its place among the sessions, and among the characteristics of the Nearby Interaction Service.
    let index: Int
    let middleware: UWBMiddleware
    var application: EmbeddedApplication
    /// The phone's link.
    var connection: Connection?
    /// The phone's connection, where it has one on the network.
    var stream: NetworkConnection?
    /// What is asked of the phone about the link.
    var negotiation: Negotiation
    /// Messages for which the host had no room, oldest first.
    var outbox: [[UInt8]] = []

    /// A session without a link.
    init(_ index: Int, on chip: UWBChip) {
        self.index = index
        middleware = UWBMiddleware(session: index, on: chip)
        application = EmbeddedApplication(chip.parameters)
        negotiation = Negotiation(chip.parameters)
    }

    /// Whether a phone has it.
    var isTaken: Bool { connection != nil || stream != nil }

    /// What messages of its phone are known by while they wait; nil while it has none.
    ///
    /// Handles of Bluetooth end below those that stand for connections on the network.
    var origin: UInt16? {
        connection?.handle ?? (stream == nil ? nil : 0xF000 + UInt16(index))
    }

    /// The name of the timer of the link's negotiation.
    var negotiationTimer: String { "negotiation/\(index)" }
}
