import Testing
import UV

@Suite struct TickerTests {
    @Test func aTickerTicksUntilItIsStoppedAndCanBeStartedAgain() throws {
        var ticked: [String] = []
        try Loop.with { loop in
            let ticker = try Ticker(on: loop)
            try ticker.start(every: 1) {
                ticked.append("first")
                guard ticked.count == 2 else { return }
                try ticker.stop()
                try ticker.start(every: 1) {
                    ticked.append("again")
                    ticker.close()
                }
            }
            try loop.runBriefly()
        }
        #expect(ticked == ["first", "first", "again"])
    }

    @Test func aStoppedTickerKeepsNoLoopAlive() throws {
        try Loop.with { loop in
            let ticker = try Ticker(on: loop)
            try ticker.start(every: 60_000) { Issue.record("a minute has not passed") }
            try ticker.stop()
            try loop.runBriefly()
            ticker.close()
        }
    }
}
