import Testing
import UV

@Suite struct LoopTests {
    struct Mishap: Error, Equatable { let number: Int }

    /// An owner in a cycle: it holds its timer, whose callback holds it.
    final class Mark {
        let timer: Timer
        init(_ timer: Timer) { self.timer = timer }
        func fired() {}
    }

    @Test func whatIsStillOpenAtTheEndIsClosed() throws {
        weak var forgotten: Timer?
        try Loop.with { loop in
            let timer = try Timer(on: loop)
            timer.start(after: 60_000) { Issue.record("a timer fired after its loop ended") }
            forgotten = timer
        }
        #expect(forgotten == nil)
    }

    @Test func aHandleLivesOnWithoutItsOwner() throws {
        var fired = false
        try Loop.with { loop in
            try Timer(on: loop).start(after: 1) {
                fired = true
                loop.stop()
            }
            try loop.run()
        }
        #expect(fired)
    }

    @Test func aClosedHandleLetsItsCallbackGo() throws {
        weak var forgotten: Mark?
        try Loop.with { loop in
            let timer = try Timer(on: loop)
            let mark = Mark(timer)
            timer.start(after: 60_000) { mark.fired() }
            forgotten = mark
        }
        #expect(forgotten == nil)
    }

    @Test func theFirstReportedErrorEndsTheRun() throws {
        try Loop.with { loop in
            let timer = try Timer(on: loop)
            timer.start(after: 0, every: 1) {
                loop.fail(Mishap(number: 1))
                loop.fail(Mishap(number: 2))
            }
            #expect(throws: Mishap(number: 1)) { try loop.run() }
            #expect(throws: Mishap(number: 1)) { try loop.runOnce() }
        }
    }

    @Test func anErrorThrownInACallbackEndsTheRun() throws {
        try Loop.with { loop in
            try Timer(on: loop).start(after: 0) { throw Mishap(number: 3) }
            #expect(throws: Mishap(number: 3)) { try loop.run() }
        }
    }

    @Test func anErrorReportedAfterTheLastRunIsNotLost() {
        #expect(throws: Mishap(number: 4)) {
            try Loop.with { loop in loop.fail(Mishap(number: 4)) }
        }
    }

    @Test func theErrorOfTheBodyComesThroughAfterClosing() {
        weak var forgotten: Timer?
        #expect(throws: Mishap(number: 5)) {
            try Loop.with { loop in
                let timer = try Timer(on: loop)
                forgotten = timer
                throw Mishap(number: 5)
            }
        }
        #expect(forgotten == nil)
    }

    @Test func aStopThatIsPendingDoesNotKeepHandlesOpen() throws {
        weak var forgotten: Timer?
        try Loop.with { loop in
            let timer = try Timer(on: loop)
            forgotten = timer
            loop.stop()
        }
        #expect(forgotten == nil)
    }

    @Test func runOnceTellsWhetherAnythingIsLeft() throws {
        try Loop.with { loop in
            #expect(try !loop.runOnce())
            let timer = try Timer(on: loop)
            timer.start(after: 1, every: 1) {}
            #expect(try loop.runOnce())
            timer.keepsLoopAlive = false
            #expect(try !loop.runOnce())
        }
    }

    @Test func pollRunsWhatIsDueAndWaitsForNothing() throws {
        try Loop.with { loop in
            var fired: [String] = []
            try Timer(on: loop).start(after: 0) { fired.append("due") }
            try Timer(on: loop).start(after: 60_000) { fired.append("in a minute") }
            try loop.poll()
            #expect(fired == ["due"])
            loop.fail(Mishap(number: 6))
            #expect(throws: Mishap(number: 6)) { try loop.poll() }
        }
    }

    @Test func aCallbackMayNotRunItsLoop() async {
        await #expect(processExitsWith: .failure) {
            try Loop.with { loop in
                try Timer(on: loop).start(after: 0) { try loop.run() }
                try loop.run()
            }
        }
    }

    @Test func aClosedLoopTakesNoNewHandle() async {
        await #expect(processExitsWith: .failure) {
            let loop = try Loop.with { $0 }
            _ = try Timer(on: loop)
        }
    }
}
