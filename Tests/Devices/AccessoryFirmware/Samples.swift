import AccessoryFirmware
import DeviceKit
import TestSupport

/// `configureAndStart` with the shareable data that an iPhone sent in the field.
let configureAndStart = bytes(
    "0B 01000100 19 4555 A85F0000 0B 09 0600 100E C600 03 397B28D4B8D7 87B4 6400")

/// `initialize`.
let initialize: [UInt8] = [0x0A]
/// `stop`.
let stop: [UInt8] = [0x0C]
/// `accessoryUwbDidStart`.
let didStart: [UInt8] = [0x02]
/// `accessoryUwbDidStop`.
let didStop: [UInt8] = [0x03]

extension Bench {
    /// A phone brings a session to ranging; gives the configuration data of it.
    @discardableResult
    func range(_ phone: UInt16 = 1) -> [UInt8] {
        let configuration = say(initialize, phone)
        _ = say(configureAndStart, phone)
        startRadio()
        _ = heard(phone)
        return Array(configuration[0].dropFirst())
    }

    /// The radio does what it was asked for last.
    func startRadio(status: UInt8 = 0) {
        guard case .start(let session, _)? = radio.last else { return }
        give(.uwb(.started(session: session, status: status)))
    }

    /// The handles that the radio ranges with, as far as it was asked.
    var ranging: [UInt32] {
        radio.reduce(into: []) { handles, command in
            switch command {
            case .start(let session, _): handles.append(session)
            case .stop(let session), .end(let session): handles.removeAll { $0 == session }
            case .stride: break
            }
        }
    }
}
