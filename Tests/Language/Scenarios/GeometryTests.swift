import Testing

@testable import Scenarios

/// Angles in whole numbers, held against floating point.
struct GeometryTests {
    @Test(arguments: [
        // Azimuth, elevation, and the angle between: cos = cos · cos.
        (0, 0, 0), (3_000, 0, 3_000), (0, 4_500, 4_500), (4_500, 4_500, 6_000),
        (-6_000, 3_000, 6_434), (12_000, 2_000, 11_802), (-18_000, 1_000, 17_000),
    ])
    func anAngleOffTheAxisIsThatOfASphere(_ azimuth: Int64, _ elevation: Int64, _ expected: Int64) {
        // A tangent of the elevation that is exact to a millimetre in a kilometre.
        let up: Int64 =
            switch elevation {
            case 4_500: 1_000_000
            case 3_000: 577_350
            case 2_000: 363_970
            case 1_000: 176_327
            default: 0
            }
        let angle = Geometry.angleOffAxis(azimuth: azimuth, ahead: 1_000_000, up: up)
        #expect(abs(angle - expected) <= 2)
    }
}
