/// The first byte of every message between app and embedded application; `Message` says what each is.
///
/// R4 3.2 leaves this framing to the manufacturer; these are the ids of Apple's sample app, which
/// Qorvo, NXP and STELLA firmware share. Others have `MessageNumbers`. Id 0x04 (`accessoryPaired`) marks an event inside the
/// vendor's app and never travels.
package enum MessageID: UInt8, CaseIterable, Sendable {
    case accessoryConfigurationData = 0x01
    case accessoryUwbDidStart = 0x02
    case accessoryUwbDidStop = 0x03
    case initialize = 0x0A
    case configureAndStart = 0x0B
    case stop = 0x0C
    case getReserved = 0x20
    case setReserved = 0x21
    case iOSNotify = 0x2F

    /// Who sends a message.
    package enum Direction: Sendable {
        case toApp
        case toAccessory
        /// Either: a request one way, its answer the other.
        case both
    }

    package var direction: Direction {
        switch self {
        case .accessoryConfigurationData, .accessoryUwbDidStart, .accessoryUwbDidStop,
            .iOSNotify:
            .toApp
        case .initialize, .configureAndStart, .stop, .setReserved: .toAccessory
        case .getReserved: .both
        }
    }

    /// The name in the trace, for example `configureAndStart`.
    package var name: String {
        switch self {
        case .accessoryConfigurationData: "accessoryConfigurationData"
        case .accessoryUwbDidStart: "accessoryUwbDidStart"
        case .accessoryUwbDidStop: "accessoryUwbDidStop"
        case .initialize: "initialize"
        case .configureAndStart: "configureAndStart"
        case .stop: "stop"
        case .getReserved: "getReserved"
        case .setReserved: "setReserved"
        case .iOSNotify: "iOSNotify"
        }
    }
}
