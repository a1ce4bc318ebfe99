/// Sine and cosine for the direction vectors at the API's edge.
///
/// The C library's differ by machine; these use only operations that IEEE 754 defines to the last
/// bit.
package enum Angle {
    /// The sine of hundredths of a degree.
    package static func sine(_ hundredths: Int) -> Double {
        let turned = ((hundredths % 36_000) + 36_000) % 36_000
        switch turned {
        case 0...9_000: return quadrantSine(turned)
        case 9_001...18_000: return quadrantSine(18_000 - turned)
        case 18_001...27_000: return -quadrantSine(turned - 18_000)
        default: return -quadrantSine(36_000 - turned)
        }
    }

    package static func cosine(_ hundredths: Int) -> Double { sine(hundredths + 9_000) }

    /// Taylor's series for 0 … 90 degrees; the error is below 10⁻¹¹.
    private static func quadrantSine(_ hundredths: Int) -> Double {
        let x = Double(hundredths) * Double.pi / 18_000
        var term = x
        var sum = x
        for n in stride(from: 2.0, through: 14.0, by: 2.0) {
            term = -(term * x * x) / (n * (n + 1))
            sum += term
        }
        return sum
    }
}
