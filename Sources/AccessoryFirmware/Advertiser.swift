package import DeviceLink

/// When the accessory advertises, and how fast: quickly at first, then slowly (QA1931).
///
/// A value: what it wants done it returns.
package struct Advertiser: Equatable, Sendable {
    /// How fast.
    private enum Pace: Equatable, Sendable { case fast, slow }

    /// What has to be done.
    package enum Action: Equatable, Sendable {
        /// Advertise, at an interval in units of 0.625 ms.
        case advertise(interval: UInt16)
        /// Call `slowDown` after this time.
        case slowDown(after: Nanoseconds)
        /// Do not call `slowDown` any more.
        case keepPace
        /// Do not advertise.
        case stop
    }

    private let fastInterval: UInt16
    private let slowInterval: UInt16
    private let fastTime: Nanoseconds
    private let capacity: Int
    private let startsOnce: Bool
    private var pace: Pace?

    /// An advertiser for `capacity` links at once.
    package init(_ parameters: AccessoryParameters) {
        fastInterval = Self.units(parameters.fastInterval)
        slowInterval = Self.units(parameters.slowInterval)
        fastTime = parameters.fastTime
        capacity = parameters.links
        startsOnce = parameters.has(.advertisesOnce)
    }

    /// Power on: quickly from now on.
    package mutating func powerOn() -> [Action] {
        pace = fastTime > 0 ? .fast : .slow
        let advertise = Action.advertise(interval: interval)
        return fastTime > 0 ? [advertise, .slowDown(after: fastTime)] : [advertise]
    }

    /// Power off.
    package mutating func powerOff() -> [Action] {
        defer { pace = nil }
        return pace == nil ? [] : [.stop, .keepPace]
    }

    /// A connection was made, which ends advertising: goes on at the same pace while links are free.
    package mutating func connected(links: Int) -> [Action] {
        guard pace != nil else { return [] }
        guard links < capacity, !startsOnce else {
            pace = nil
            return [.keepPace]
        }
        return [.advertise(interval: interval)]
    }

    /// A link is free again: quickly from now on.
    package mutating func disconnected() -> [Action] { startsOnce ? [] : powerOn() }

    /// The time of the fast pace is over.
    package mutating func slowDown() -> [Action] {
        guard pace == .fast else { return [] }
        pace = .slow
        return [.advertise(interval: interval)]
    }

    private var interval: UInt16 { pace == .slow ? slowInterval : fastInterval }

    private static func units(_ duration: Nanoseconds) -> UInt16 {
        UInt16(truncatingIfNeeded: duration / .microseconds(625))
    }
}
