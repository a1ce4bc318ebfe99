package import DeviceLink

/// The first pending event of a channel that is not held: a candidate for the next step.
package struct Head: Sendable {
    /// Not before this, in nanoseconds.
    package var earliest: UInt64
    /// Not after this, in nanoseconds.
    package var latest: UInt64
    /// Order of creation in the whole run.
    package let order: UInt64
    /// The key of its channel, whatever the seed.
    package let owner: Keyed
    /// Which one of its channel it is, from 0.
    package let ordinal: UInt64
    /// The order of the event whose effect it is; ``noCause`` for the first ones.
    package let cause: UInt64
    /// How often a scheduler looked at it already.
    package var looks: UInt32 = 0
    package let channel: Int32
    /// The device that it reaches; -1 for what happens in the air, by the script or by a fault.
    package let device: Int32
    /// Whether the device has set it for itself.
    package let isTimer: Bool

    @inlinable
    package init(
        earliest: UInt64, latest: UInt64, order: UInt64, owner: Keyed, ordinal: UInt64,
        cause: UInt64, channel: Int32, device: Int32, isTimer: Bool = false
    ) {
        (self.earliest, self.latest) = (earliest, latest)
        (self.order, self.owner) = (order, owner)
        (self.ordinal, self.cause) = (ordinal, cause)
        (self.channel, self.device, self.isTimer) = (channel, device, isTimer)
    }

    /// Whether it matters which of two events happens first: both reach one device, or one of them
    /// reaches none, and may change anything.
    ///
    /// A turn changes its own device only, and what it answers waits in channels of its own: turns of
    /// different devices at one moment lead to the same whichever is first.
    package func races(with other: Head) -> Bool {
        device < 0 || other.device < 0 || device == other.device
    }
}

/// The cause of what nothing in the run has led to.
package let noCause = UInt64.max
