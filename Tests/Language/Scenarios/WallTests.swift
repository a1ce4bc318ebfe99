import Testing

@testable import Scenarios

/// A wall from (0, 2 m) to (3 m, 2 m), and who sees whom.
struct WallTests {
    private let wall = Wall(from: place(0, 2_000), to: place(3_000, 2_000))

    private static func place(_ x: Int64, _ y: Int64) -> Position { Position(x: x, y: y, z: 0) }

    @Test(arguments: [
        // Through its middle, past its end, along it, short of it, and through its very end.
        ((1_000, 0), (1_000, 4_000), true), ((4_000, 0), (4_000, 4_000), false),
        ((-1_000, 1_000), (4_000, 1_000), false), ((1_000, 0), (1_000, 1_999), false),
        ((3_000, 0), (3_000, 4_000), true), ((0, 0), (6_000, 4_000), true),
    ])
    func itStandsBetweenThoseOnItsTwoSides(
        _ here: (Int64, Int64), _ there: (Int64, Int64), _ isBetween: Bool
    ) {
        let (here, there) = (Self.place(here.0, here.1), Self.place(there.0, there.1))
        #expect(wall.stands(between: here, and: there) == isBetween)
        #expect(wall.stands(between: there, and: here) == isBetween)
    }
}
