import DeviceLink
import Testing
import Traces

struct TraceWriterTests {
    private let header = TraceHeader(
        topology: "pair", seed: 18_446_744_073_709_551_615, scheduler: "fifo", tool: "anechoic 1")

    private func lines(_ events: TraceEvent...) -> [String] {
        var writer = TraceWriter(header)
        for event in events { writer.write(event) }
        return String(decoding: writer.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func theFirstLineNamesTheRun() {
        #expect(
            lines() == [
                #"{"schema":1,"topology":"pair","seed":18446744073709551615,"#
                    + #""scheduler":"fifo","tool":"anechoic 1"}"#
            ])
    }

    @Test func anEventIsOneLineWithItsKeysInOrder() {
        let event = TraceEvent(
            number: 7, time: VirtualTime(nanoseconds: 1_500), step: 3, kind: .niDidUpdate,
            device: "ben", isObservation: true,
            fields: [
                Field("peer", "lock"), Field("distance", .none), Field("azimuth", -90),
                Field("on", true), Field("bytes", .bytes([0x0A, 0xFF])),
            ])
        #expect(
            lines(event).last
                == #"{"number":7,"time":1500,"step":3,"kind":"ni.didUpdate","device":"ben","#
                + #""observed":true,"fields":{"peer":"lock","distance":null,"azimuth":-90,"#
                + #""on":true,"bytes":{"hex":"0aff"}}}"#)
    }

    @Test func whatIsEmptyIsLeftOut() {
        #expect(
            lines(TraceEvent(kind: .runStarted)).last
                == #"{"number":0,"time":0,"step":0,"kind":"run.started"}"#)
    }

    @Test func quotesControlsAndForeignLettersSurvive() throws {
        let text = "a \"b\" \\ \u{1}\u{1F}\n\t\r ü 無響室 \u{1F4E1}"
        let event = TraceEvent(
            kind: .scriptStep, device: "ü\"", fields: [Field("te\"xt", .text(text))])
        let line = try #require(lines(event).last)
        #expect(line.utf8.allSatisfy { $0 >= 0x20 })
        #expect(try TraceReader.line(line.utf8) == .event(event))
    }

    @Test func aDrainedBufferStartsAnew() {
        var writer = TraceWriter(header)
        var taken: [UInt8] = []
        writer.drain { taken += $0 }
        #expect(writer.count == 0)
        writer.write(TraceEvent(kind: .runEnded))
        writer.drain { taken += $0 }
        #expect(taken.split(separator: 0x0A).count == 2)
    }

    @Test func theExtremesOfNumbersSurvive() throws {
        let event = TraceEvent(
            number: .max, time: .never, step: .max, kind: .uwbRound,
            fields: [Field("low", .number(.min)), Field("high", .number(.max))])
        let line = try #require(lines(event).last)
        #expect(try TraceReader.line(line.utf8) == .event(event))
    }
}
