import Scenarios

/// Where a device looks, and where it is being turned to.
package struct Turning: Sendable {
    private var start: Aim
    private var target: Aim
    private var departure: UInt64 = 0
    private var arrival: UInt64 = 0

    init(from start: Aim) { (self.start, target) = (start, start) }

    func aim(at time: UInt64) -> Aim {
        guard time < arrival else { return target }
        let (part, whole) = (time - departure, arrival - departure)
        // The shorter way around.
        let end = start.heading + Geometry.normalized(target.heading - start.heading)
        return Aim(
            heading: Geometry.normalized(start.heading.going(to: end, part, of: whole)),
            pitch: start.pitch.going(to: target.pitch, part, of: whole))
    }

    /// Begins to turn to a new aim.
    package mutating func turn(to target: Aim, at time: UInt64, over duration: UInt64) {
        start = aim(at: time)
        self.target = Aim(heading: Geometry.normalized(target.heading), pitch: target.pitch)
        (departure, arrival) = (time, time + duration)
    }
}

/// Where a device looks, in hundredths of a degree.
package struct Aim: Equatable, Sendable {
    /// Clockwise from ahead: -18000 … 18000.
    package var heading: Int64
    /// Up: -9000 … 9000.
    package var pitch: Int64

    package init(heading: Int64, pitch: Int64) { (self.heading, self.pitch) = (heading, pitch) }
}
