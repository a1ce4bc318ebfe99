import Foundation
import TestSupport
import Testing

/// `Scripts/convert-log`: what real devices logged becomes a trace that can be judged.
@Suite(.processes) struct ConvertedLogTests {
    private static let promises =
        root + "/Sources/Language/PromiseLibrary/Library/accessory-protocol-r4.yaml"
    private static let configuration =
        "01000000140000000000000000000015010001003ff50300230cb80b01000000012c081900"
    private static let shareable = "01000100195553b03d82dc0a090600100ec6000372aec69cf6f492bf6400"

    private static let healthy = """
        2026-11-21 10:00:00.000 ben connected lock interval=30ms timeout=720ms
        2026-11-21 10:00:00.400 ben subscribed lock
        2026-11-21 10:00:00.410 ben write lock 0a
        2026-11-21 10:00:00.440 lock notify ben 01\(configuration)
        2026-11-21 10:00:00.450 ben NISession 1 run peer=lock configuration=\(configuration)
        2026-11-21 10:00:00.470 ben NISession 1 didGenerateShareableConfigurationData \
        shareable=\(shareable)
        2026-11-21 10:00:00.480 ben write lock 0b\(shareable)
        2026-11-21 10:00:00.500 lock uwb starting handle=1 session-id=3699522992 address=2092 \
        peer-address=49042 role=initiator channel=9 preamble=10 sts-iv=72aec69cf6f4 slots=6 \
        slot-duration=3600 interval=198ms
        2026-11-21 10:00:00.510 lock notify ben 02
        2026-11-21 10:00:00.600 ben NISession 1 didStartRunning peer=lock
        2026-11-21 10:00:00.800 ben NISession 1 didUpdate peer=lock distance=1.23
        2026-11-21 10:00:01.000 ben NISession 1 invalidate peer=lock
        """

    private static let reused = """
        2026-11-21 10:00:00.000 ben connected lock interval=30ms timeout=720ms
        2026-11-21 10:00:00.400 ben subscribed lock
        2026-11-21 10:00:00.410 ben write lock 0a
        2026-11-21 10:00:00.440 lock notify ben 01\(configuration)
        2026-11-21 10:00:00.450 ben NISession 1 run peer=lock configuration=\(configuration)
        2026-11-21 10:00:00.900 ben disconnected lock reason=0x13
        2026-11-21 10:00:00.910 lock air advertising on=true
        2026-11-21 10:00:01.000 ben NISession 1 invalidate peer=lock
        2026-11-21 10:00:01.200 ben connected lock interval=30ms timeout=720ms
        2026-11-21 10:00:01.400 ben subscribed lock
        2026-11-21 10:00:01.410 ben write lock 0a
        2026-11-21 10:00:01.440 lock notify ben 01\(configuration)
        """

    /// Runs the converter; returns its status, and what it printed or complained of.
    private func convert(_ log: String, in place: Place) throws -> (status: Int32, text: String) {
        try place.write(log + "\n", to: "real.log")
        let outcome = try place.run(["python3", "-B", root + "/Scripts/convert-log", "real.log"])
        try place.write(outcome.output, to: "trace.jsonl")
        return (outcome.status, outcome.said)
    }

    private func judged(_ log: String) throws -> Command.Outcome {
        let place = try Place()
        let converted = try convert(log, in: place)
        try #require(converted.status == 0, "\(converted.text)")
        return try Command.run("judge", "trace.jsonl", "--promises", Self.promises, in: place)
    }

    @Test func aHealthyLogHolds() throws {
        let outcome = try judged(Self.healthy)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        let held = outcome.output.split(separator: "\n").filter { $0.contains(" held ") }
        for promise in [
            "exchanged-before-ranging", "fresh-configuration", "messages-arrive-whole",
            "radio-as-announced", "subscribed-first",
        ] {
            #expect(held.contains { $0.hasPrefix(promise + " ") }, "\(outcome.output)")
        }
    }

    @Test func aReusedConfigurationIsFound() throws {
        let outcome = try judged(Self.reused)
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("promise fresh-configuration, kept by the accessory"))
        #expect(outcome.output.contains("broken at 1.440 s"))
    }

    @Test func theTraceSaysWhatTheLogSays() throws {
        let place = try Place()
        let trace = try convert(Self.healthy, in: place).text
        #expect(trace.contains(#""device":"lock","fields":{"incarnation":0,"role":"accessory"}"#))
        #expect(trace.contains(#""major":1,"minor":0,"rate":20,"#))
        #expect(trace.contains(#""uwb-length":21,"uwb-bytes":21,"address":2092"#))
        #expect(
            trace.contains(#""session-id":3699522992,"address":49042,"channel":9,"preamble":10,"#))
        #expect(trace.contains(#""distance":1230,"azimuth":null,"elevation":null"#))
    }

    @Test(arguments: ["ben write lock 0a", "ben connected", "ben wrote lock 0a", "ben"])
    func aLineThatMeansNothingIsNamed(_ line: String) throws {
        let (status, text) = try convert(
            "# a comment\n2026-11-21 10:00:00.000 " + line, in: try Place())
        #expect(status == 1)
        #expect(text.hasPrefix("real.log:2: error: expected an event"), "\(text)")
    }
}
