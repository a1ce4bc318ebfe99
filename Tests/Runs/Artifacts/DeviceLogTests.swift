import Artifacts
import DeviceLink
import Foundation
import Reports
import RunSupport
import TestSupport
import Testing

/// What a device has logged.
struct DeviceLogTests {
    @Test func aLineHasTheTimeThatItSaysOrThatOfTheLineBeforeIt() {
        let log = DeviceLog("boot\n[0.812400 s] one\n  two\n[1.5 s] three\n[2.000001 s] [x s] four")
        #expect(
            log.lines.map { "\($0.time.nanoseconds) \($0.text)" } == [
                "0 boot", "812400999 one", "812400999   two", "812400999 [1.5 s] three",
                "2000001999 [x s] four",
            ])
        let last = log.last(2, until: VirtualTime(nanoseconds: 1_000_000_000))
        #expect(last.map(\.text) == ["  two", "[1.5 s] three"])
    }

    @Test func aFailureEndsWithWhatItsDeviceHadLoggedUntilThen() throws {
        let place = try Place()
        try FileManager.default.createDirectory(
            atPath: "\(place.path)/logs", withIntermediateDirectories: true)
        try place.write("[2.400000 s] no free slot\n[2.600000 s] late\n", to: "logs/lock.log")
        var run = RunReport.of(
            "one", seed: 1, [.of("quiet", .violated, "It ranged on.")], status: .violated)
        run.takeLog(of: ["ben", "lock", "../lock"], in: place.path)
        #expect(run.log == RunReport.LogEnd(device: "lock", lines: ["2.400 s  no free slot"]))
        let story = try #require(Console.story(run))
        #expect(
            story.contains(
                "\n  what lock had logged until then ends with\n      2.400 s  no free slot\n  replay: "
            ))
    }
}
