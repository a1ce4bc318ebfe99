/// Geometry in whole numbers: millimetres and hundredths of a degree.
///
/// There is no floating point here because its results differ from machine to machine.
package enum Geometry {
    /// The largest whole number whose square is not above `number`.
    package static func squareRoot(_ number: UInt64) -> UInt64 {
        guard number > 1 else { return number }
        var guess = UInt64(1) << UInt64((65 - number.leadingZeroBitCount) / 2)
        while true {
            let next = (guess + number / guess) / 2
            if next >= guess { return guess }
            guess = next
        }
    }

    /// The distance between two points, in millimetres.
    package static func distance(_ a: Position, _ b: Position) -> Int64 {
        let (x, y, z) = (b.x - a.x, b.y - a.y, b.z - a.z)
        return Int64(squareRoot(UInt64(x * x + y * y + z * z)))
    }

    /// The angle of the vector (x, y) from the x axis, counter-clockwise, in hundredths of a
    /// degree: -18000 … 18000.
    ///
    /// CORDIC in vectoring mode (Volder 1959).
    package static func arcTangent(y: Int64, x: Int64) -> Int64 {
        guard x != 0 || y != 0 else { return 0 }
        var (x, y, angle) = (x << 16, y << 16, Int64(0))
        if x < 0 {
            angle = y >= 0 ? 180_000_000 : -180_000_000
            (x, y) = (-x, -y)
        }
        for (shift, step) in microdegrees.enumerated() {
            let (dx, dy) = (x >> Int64(shift), y >> Int64(shift))
            if y > 0 {
                (x, y, angle) = (x + dy, y - dx, angle + step)
            } else {
                (x, y, angle) = (x - dy, y + dx, angle - step)
            }
        }
        return (angle + (angle < 0 ? -5_000 : 5_000)) / 10_000
    }

    /// Arc tangents of 2⁻ⁱ in millionths of a degree.
    private static let microdegrees: [Int64] = [
        45_000_000, 26_565_051, 14_036_243, 7_125_016, 3_576_334, 1_789_911, 895_174, 447_614,
        223_811, 111_906, 55_953, 27_976, 13_988, 6_994, 3_497, 1_749, 874, 437, 219, 109,
    ]

    /// The angle between where somebody looks and what is `ahead` of them on the ground, `azimuth` aside and `up` above it:
    /// 0 … 18000 hundredths of a degree.
    package static func angleOffAxis(azimuth: Int64, ahead: Int64, up: Int64) -> Int64 {
        guard up != 0 else { return abs(azimuth) }
        let turned = stretched((ahead, 0), by: azimuth)
        let above = up * gain.numerator / gain.denominator
        let aside = squareRoot(UInt64(turned.y * turned.y + above * above))
        return arcTangent(y: Int64(aside), x: turned.x)
    }

    /// A vector, turned by an angle of -18000 … 18000 hundredths of a degree.
    package static func turned(
        _ vector: (x: Int64, y: Int64), by angle: Int64
    ) -> (x: Int64, y: Int64) {
        let (x, y) = stretched(vector, by: angle)
        return (x * gain.denominator / gain.numerator, y * gain.denominator / gain.numerator)
    }

    /// A vector, turned by an angle, and longer by the gain.
    ///
    /// CORDIC in rotation mode.
    private static func stretched(
        _ vector: (x: Int64, y: Int64), by angle: Int64
    ) -> (x: Int64, y: Int64) {
        let isBehind = abs(angle) > 9_000
        var (x, y) = (vector.x << 16, vector.y << 16)
        var rest = (isBehind ? angle - (angle < 0 ? -18_000 : 18_000) : angle) * 10_000
        for (shift, step) in microdegrees.enumerated() {
            let (dx, dy) = (x >> Int64(shift), y >> Int64(shift))
            if rest >= 0 {
                (x, y, rest) = (x - dy, y + dx, rest - step)
            } else {
                (x, y, rest) = (x + dy, y - dx, rest + step)
            }
        }
        return isBehind ? (-x >> 16, -y >> 16) : (x >> 16, y >> 16)
    }

    /// By how much a vector grows that is turned in these steps.
    private static let gain: (numerator: Int64, denominator: Int64) = (1_646_760, 1_000_000)

    /// An angle brought into -18000 … 18000 hundredths of a degree.
    package static func normalized(_ angle: Int64) -> Int64 {
        let turn = angle % 36_000
        if turn > 18_000 { return turn - 36_000 }
        return turn < -18_000 ? turn + 36_000 : turn
    }
}
