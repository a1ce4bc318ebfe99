import Reports
import Testing

/// How far a long command is, as it is told.
struct ProgressTests {
    /// A clock that stands where it is put, and what was told.
    private final class Desk {
        var now = ContinuousClock().now
        var lines: [String] = []
    }

    private func display(_ place: ProgressDisplay.Place, _ desk: Desk) -> ProgressDisplay {
        ProgressDisplay(at: place, tell: { desk.lines.append($0) }, now: { desk.now })
    }

    @Test func aLogHasAnEstimateAfterTenSecondsAndThenALineAMinute() {
        let desk = Desk()
        let display = display(.log, desk)
        for second in 1...140 {
            desk.now += .seconds(1)
            display.show("suite: ", done: second, of: 200, later: 100)
        }
        display.end()
        #expect(
            desk.lines == [
                "suite: 10 of 200 runs, and 100 later, about 4 min 50 s left",
                "suite: 70 of 200 runs, and 100 later, about 3 min 50 s left",
                "suite: 130 of 200 runs, and 100 later, about 2 min 50 s left",
            ])
    }

    @Test func aTerminalHasALineThatGoesAtTheEnd() {
        let desk = Desk()
        let display = display(.terminal, desk)
        display.show(done: 0, of: 3)
        for done in 1...3 {
            desk.now += .milliseconds(150)
            display.show(done: done, of: 3)
        }
        display.end()
        #expect(desk.lines == ["0 of 3 runs", "2 of 3 runs, about 0.1 s left", ""])
    }

    @Test func nowhereNothingIsTold() {
        let desk = Desk()
        let display = display(.nowhere, desk)
        desk.now += .seconds(100)
        display.show(done: 1, of: 2)
        display.end()
        #expect(desk.lines.isEmpty)
    }
}
