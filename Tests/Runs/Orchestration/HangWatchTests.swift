import Foundation
import Orchestration
import Testing

/// Each in a process of its own, which it may end.
struct HangWatchTests {
    @Test func whatHangsEndsByItself() async {
        let ended = await #expect(
            processExitsWith: .exitCode(70), observing: [\.standardErrorContent]
        ) {
            HangWatch.watching(for: 1, advice: "go on with --resume") { _ = sleep(30) }
        }
        let said = String(decoding: ended?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            said.contains(
                "nothing has moved for 1 s. That is an error of anechoic: please report it; go on with"
            ))
    }

    @Test func whatMovesIsLeftAlone() async {
        await #expect(processExitsWith: .success) {
            HangWatch.watching(for: 2, advice: "") {
                for _ in 0..<40 {
                    HangWatch.beat()
                    usleep(100_000)
                }
            }
        }
    }
}
