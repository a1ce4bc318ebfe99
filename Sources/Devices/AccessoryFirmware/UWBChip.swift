import AccessoryProtocol
import DeviceKit

/// What the middlewares of all sessions of an accessory share: one chip, its handles and its numbers.
final class UWBChip {
    let context: Context
    let parameters: AccessoryParameters
    private let incarnation: UInt32
    private let serialNumber: UInt16
    private var starts: UInt64 = 0
    private var lastHandle: UInt32 = 0
    private var populated: UInt16 = 0

    /// The chip of one incarnation.
    init(_ parameters: AccessoryParameters, reset: Reset, in context: Context) {
        self.parameters = parameters
        incarnation = reset.incarnation
        serialNumber = UInt16(truncatingIfNeeded: reset.address.value)
        self.context = context
    }

    /// A handle that no other start of this incarnation had.
    func nextHandle() -> UInt32 {
        lastHandle += 1
        return lastHandle
    }

    /// Whether the start that is asked for now is one of those that fail.
    func nextStartFails() -> Bool {
        starts += 1
        guard parameters.startFailure != .none else { return false }
        return parameters.failingStarts == 0 || starts <= parameters.failingStarts
    }

    /// The configuration data of a new session with a short address, drawn.
    ///
    /// An address alone would repeat: there are 65534, and a hall of accessories draws thousands. So
    /// the chipset's model id ends in a number of this very chip, and the middleware's version is
    /// the ordinal of the session in its low half and the incarnation in its high half: within an
    /// accessory no bytes repeat (before 65536 sessions of one incarnation), whatever is drawn.
    func newConfigData() -> UWBConfigData {
        populated &+= 1
        let repeats = parameters.has(.repeatsAfterRestart)
        return UWBConfigData(
            version: version, manufacturer: 0x0003_F53F,
            chipset: 0x0BB8_0000 | UInt32(serialNumber),
            middleware: UInt32(populated) | (repeats ? 0 : incarnation << 16),
            role: parameters.isInitiator ? .initiator : .responder,
            address: repeats ? populated : drawAddress())
    }

    /// Neither 0x0000 nor 0xFFFF, which are no addresses of a device.
    private func drawAddress() -> UInt16 {
        1 + UInt16(truncatingIfNeeded: context.random("uwb-address").below(0xFFFE))
    }

    private var version: UWBConfigData.Version {
        switch parameters.version {
        case .v1_0: .v1_0
        case .v1_1: .v1_1(clockDrift: 25)
        case .v2_0: .v2_0(clockDrift: 25, UWBConfigData.Slots())
        }
    }
}
