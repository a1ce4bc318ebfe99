import TestSupport
import Testing

/// Programs that nobody of the house wrote, with each command, healthy and sick; the night plays the whole table.
@Suite(.processes) struct StrangerCellTests {
    /// One of every row and of every column.
    private static let cells = [
        ["c/shrink", "c/explain", "c/conform", "c/compare", "c/bundle"],
        ["python/--twice", "python/explore", "python/soak", "python/killed"],
        ["bumble/run", "bumble/report", "wall/run", "swift/run"],
    ]

    private static let fewer = ["--quick", "--runs", "32", "--kills", "1"]

    @Test(arguments: cells)
    func aCommandDoesItsWholeJobWithAStranger(cells: [String]) throws {
        let place = try Place()
        let outcome = try place.run(
            [
                "python3", "-B", root + "/Scripts/night.d/strangers.py",
                Command.executables + "/anechoic", "cells", "--python", Guests.python,
            ] + (isWhole ? [] : Self.fewer) + cells)
        #expect(outcome.status == 0, "\(outcome.said)")
    }
}
