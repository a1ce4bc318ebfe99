package import Scenarios

/// Where a device is, and where it is walking.
package struct Motion: Sendable {
    private struct Leg: Sendable {
        let departure: UInt64
        let arrival: UInt64
        let position: Position
    }

    private var legs: [Leg]
    private var start: Position

    init(from start: Position, along path: [Waypoint] = []) {
        self.start = start
        legs = path.map { Leg(departure: $0.departure, arrival: $0.arrival, position: $0.position) }
    }

    /// Whether it will never move again after `time`.
    func isStill(after time: UInt64) -> Bool { legs.allSatisfy { $0.arrival <= time } }

    func position(at time: UInt64) -> Position {
        var position = start
        for leg in legs {
            if time >= leg.arrival {
                position = leg.position
            } else if time > leg.departure {
                return Self.between(
                    position, leg.position, time - leg.departure, of: leg.arrival - leg.departure)
            } else {
                break
            }
        }
        return position
    }

    /// Leaves the path and walks to `target` from now on.
    package mutating func move(to target: Position, at time: UInt64, over duration: UInt64) {
        start = position(at: time)
        legs = [Leg(departure: time, arrival: time + duration, position: target)]
    }

    private static func between(
        _ a: Position, _ b: Position, _ part: UInt64, of whole: UInt64
    ) -> Position {
        Position(
            x: a.x.going(to: b.x, part, of: whole), y: a.y.going(to: b.y, part, of: whole),
            z: a.z.going(to: b.z, part, of: whole))
    }
}

extension Int64 {
    /// What lies this part of the whole way from here to there.
    func going(to end: Int64, _ part: UInt64, of whole: UInt64) -> Int64 {
        let way = (end - self).magnitude.multipliedFullWidth(by: part)
        let done = Int64(whole.dividingFullWidth((way.high, way.low)).quotient)
        return end >= self ? self + done : self - done
    }
}
