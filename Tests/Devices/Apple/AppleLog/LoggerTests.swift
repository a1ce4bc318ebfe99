import AppleLog
import DeviceChamber
import Testing

/// What an app logs is in its device's log, behind the virtual time.
struct LoggerTests {
    @Test func valuesAreWrittenAsTheLineSays() throws {
        let bench = try AppBench()
        bench.wait(.milliseconds(1_500))
        bench.app {
            let logger = Logger(subsystem: "finder", category: "link")
            logger.info("link \(3) to \("lock", privacy: .private)")
            logger.error("\(0.126, format: .fixed(precision: 2)) m, \(255, format: .hex)")
            os_log("%{public}@ has %d", log: .default, type: .debug, "ben" as String, 4)
            OSAllocatedUnfairLock(initialState: 1).withLock { logger.log("locked \($0)") }
        }
        #expect(
            bench.chamber.logs == [
                "[1.500000 s] [finder:link] info: link 3 to lock",
                "[1.500000 s] [finder:link] error: 0.13 m, ff",
                "[1.500000 s] debug: ben has 4",
                "[1.500000 s] [finder:link] locked 1",
            ])
    }
}
