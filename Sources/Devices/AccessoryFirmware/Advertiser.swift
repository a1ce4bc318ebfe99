package import DeviceLink

/// When the accessory advertises, and how fast: quickly at first, then slowly (QA1931).
///
/// A value: what it wants done it returns.
package struct Advertiser: Equatable, Sendable {
    private enum State: Equatable, Sendable {
        case off
        /// No link is free, or (a defect) nobody starts it.
        case silent
        /// At the first interval.
        case fast
        /// At the second interval.
        case slow
    }

    package enum Action: Equatable, Sendable {
        /// Advertise, at an interval in units of 0.625 ms.
        case advertise(interval: UInt16)
        /// Call `slowDown` after this time.
        case slowDown(after: Nanoseconds)
        /// Do not call `slowDown` any more.
        case keepPace
    }

    private let fastInterval: UInt16
    private let slowInterval: UInt16
    private let fastTime: Nanoseconds
    private let capacity: Int
    private let startsOnce: Bool
    private var state = State.off

    /// An advertiser for so many links at once as the parameters allow.
    package init(_ parameters: AccessoryParameters) {
        fastInterval = Self.units(parameters.fastInterval)
        slowInterval = Self.units(parameters.slowInterval)
        fastTime = parameters.fastTime
        capacity = parameters.links
        startsOnce = parameters.has(.advertisesOnce)
    }

    package var isPowered: Bool { state != .off }

    /// Power on, with so many links (that still end): quickly from now on.
    package mutating func powerOn(links: Int) -> [Action] {
        guard state == .off else { return [] }
        state = .silent
        return links < capacity ? begin() : []
    }

    /// Power off.
    ///
    /// The host stops advertising by itself.
    package mutating func powerOff() -> [Action] {
        defer { state = .off }
        return state == .fast ? [.keepPace] : []
    }

    /// A connection was made, which ended advertising: goes on at the same pace while links are free.
    package mutating func connected(links: Int) -> [Action] {
        guard links < capacity, !startsOnce else {
            defer { state = .silent }
            return state == .fast ? [.keepPace] : []
        }
        switch state {
        case .off, .silent: return []
        case .fast: return [.advertise(interval: fastInterval)]
        case .slow: return [.advertise(interval: slowInterval)]
        }
    }

    /// A link is free again: quickly from now on.
    package mutating func disconnected(links: Int) -> [Action] {
        state == .off || startsOnce || links >= capacity ? [] : begin()
    }

    /// The time of the fast pace is over.
    package mutating func slowDown() -> [Action] {
        guard state == .fast else { return [] }
        state = .slow
        return [.advertise(interval: slowInterval)]
    }

    private mutating func begin() -> [Action] {
        guard fastTime > 0 else {
            state = .slow
            return [.advertise(interval: slowInterval)]
        }
        state = .fast
        return [.advertise(interval: fastInterval), .slowDown(after: fastTime)]
    }

    private static func units(_ duration: Nanoseconds) -> UInt16 {
        UInt16(truncatingIfNeeded: duration / .microseconds(625))
    }
}
