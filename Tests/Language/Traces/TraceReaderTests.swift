import DeviceLink
import Testing
import Traces

struct TraceReaderTests {
    @Test func aHeaderIsReadBack() throws {
        let header = TraceHeader(topology: "a/b", seed: 42, scheduler: "random", tool: "anechoic 1")
        let line = TraceWriter(header).bytes
        #expect(try TraceReader.line(line) == .header(header))
    }

    @Test func linesThatOtherToolsRewroteAreRead() throws {
        let line = """
             { "kind" : "link.up", "fields": {"peer":"l\\u00fcck \\ud83d\\ude00"}, "time": 5,
               "number": 1, "step": 2 , "extra": {"a": {}} }
            """
        let event = TraceEvent(
            number: 1, time: VirtualTime(nanoseconds: 5), step: 2, kind: .linkUp,
            fields: [Field("peer", "lück 😀")])
        #expect(try TraceReader.line(line.utf8) == .event(event))
    }

    @Test(arguments: [
        ("", "expected an object at byte 0 of the line"),
        (#"{"number":1"#, "expected a comma or a closing brace at byte 11 of the line"),
        (#"{"number":-1,"time":0}"#, "a whole number that is not negative for \"number\""),
        (#"{"number":1,"step":0,"kind":"x"}"#, "expected the key \"time\""),
        (#"{"number":18446744073709551616}"#, "expected a number of 64 bits at byte 29"),
        (#"{"number":1.5}"#, "expected a comma or a closing brace at byte 11"),
        (#"{"schema":2}"#, "expected schema 1"),
        (#"{"a":"\ud800x"}"#, "second half of a surrogate pair"),
        (#"{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}}}"#, "at most 8 levels"),
        (
            #"{"number":1,"time":0,"step":0,"kind":"x","fields":{"c":{"hex":"0"}}}"#,
            #"bytes as {"hex":"…"} for "c" at byte 55"#
        ),
        (
            #"{"number":1,"time":0,"step":0,"kind":"x","fields":{"c":9223372036854775808}}"#,
            "a number of 64 bits for \"c\""
        ),
    ])
    func aWrongLineNamesItsOffset(line: String, message: String) {
        let failure = #expect(throws: TraceReader.Failure.self) {
            try TraceReader.line(line.utf8)
        }
        #expect(failure?.description.contains(message) == true, "\(failure?.description ?? "")")
    }

    @Test func everyPrefixOfALineIsRefusedWithoutATrap() {
        var writer = TraceWriter(
            TraceHeader(topology: "t", seed: 1, scheduler: "fifo", tool: "x"))
        writer.drain { _ in }
        writer.write(
            TraceEvent(
                kind: .niRun, device: "b\u{7}en", isObservation: true,
                fields: [Field("configuration", .bytes([1, 2])), Field("n", -3)]))
        let line = writer.bytes.dropLast()
        for length in 0..<line.count {
            #expect(throws: TraceReader.Failure.self) { try TraceReader.line(line.prefix(length)) }
        }
    }
}
