package import DeviceKit

/// What the middlewares of all sessions of an accessory share: one chip, its handles and its numbers.
package final class UWBChip {
    /// The device's hands.
    let context: Context
    /// What the topology set.
    let parameters: AccessoryParameters
    private let incarnation: UInt32
    private var starts: UInt64 = 0
    private var lastHandle: UInt32 = 0
    private var populated: UInt16 = 0

    /// The chip of one incarnation.
    package init(_ parameters: AccessoryParameters, incarnation: UInt32, in context: Context) {
        self.parameters = parameters
        self.incarnation = incarnation
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

    /// A short address for a new session, drawn; neither 0x0000 nor 0xFFFF.
    func drawAddress() -> UInt16 {
        1 + UInt16(truncatingIfNeeded: context.random("uwb-address").below(0xFFFE))
    }

    /// A number that no other configuration data of this accessory has, whatever address was drawn: the
    /// ordinal of the session in the low half, the incarnation in the high half.
    ///
    /// It repeats after 65536 sessions of one incarnation.
    func nextOrdinal() -> UInt32 {
        populated &+= 1
        return UInt32(populated) | incarnation << 16
    }
}
