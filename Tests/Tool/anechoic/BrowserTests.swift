import Foundation
import TestSupport
import Testing

/// Pages as a reader has them: in a browser.
@Suite(.enabled(if: Visit.isPossible), .serialized, .processes)
struct BrowserTests {
    private static let topology = topologies + "/dropout/mid-handshake.yaml"

    /// A place with the page of a run in which the lock has a defect.
    private func page(of defect: String = "lock=reused-configuration") throws -> Place {
        let place = try Place()
        _ = try Command.run(
            "run", Self.topology, "--seed", "42", "--defect", defect, in: place)
        let outcome = try Command.run("report", "out/dropout/mid-handshake/42", in: place)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return place
    }

    @Test(
        arguments: [(375, true), (1_440, false), (1_440, true), (375, false)].prefix(
            isWhole ? 4 : 1))
    func everybodyCanReadWhatBroke(_ width: Int, _ isDark: Bool) throws {
        let visit = try Visit(
            "look", to: "report.html", in: page(), "--width=\(width)",
            isDark ? "--dark" : "--light")
        #expect(visit["heading"] == "dropout/mid-handshake")
        #expect(visit["verdict"] == "violated")
        #expect(visit["finding"].hasPrefix("✗ For every new session the accessory generates new"))
        #expect(visit["detail"] == "accessoryConfigurationData (session 2) on lock")
        #expect(visit["ground"] == (isDark ? "rgb(22, 23, 26)" : "rgb(255, 255, 255)"))
        #expect(try #require(visit.number("wider than the window")) <= 0)
        #expect(visit.list("rules broken") == [])
        #expect(visit.complaints == [])
    }

    @Test(.long) func keysZoomTheDiagramAndTheTimeline() throws {
        let visit = try Visit("zoom", to: "report.html", in: page())
        let (zoom, until) = (visit.numbers("zoom"), visit.numbers("until"))
        try #require(zoom.count == 4 && until.count == 4, "\(visit)")
        #expect(zoom[1] > zoom[0] && zoom[2] == zoom[0] && zoom[3] == 1)
        #expect(until[1] < until[0] && until[3] == until[0])
        #expect(visit.complaints == [])
    }

    @Test(.long) func filtersLeaveLessAndResetBringsAllBack() throws {
        let told = try Visit("filter", to: "report.html", in: page()).list("told")
        let drawn = told.compactMap { Int($0.prefix { $0 != " " }) }
        try #require(drawn.count == 4, "\(told)")
        #expect(drawn[0] > drawn[1] && drawn[1] > drawn[2] && drawn[3] == drawn[0])
    }

    @Test func aClickShowsAMessageByteByByte() throws {
        let visit = try Visit("click", to: "report.html", in: page())
        #expect(visit["proof"] == "accessoryConfigurationData (session 2) on lock")
        #expect(
            visit["bytes"].hasPrefix(
                "0 01 message id\naccessoryConfigurationData\n1 01 00 major version\n1\n"))
        #expect(visit["row"] == "app.launched on ben")
        #expect(visit["copy"] == "Copied")
        #expect(visit.complaints == [])
    }

    @Test func whatADeviceLogsAndSaysInNumbersIsSeenAndFound() throws {
        let place = try page()
        let run = place.path + "/out/dropout/mid-handshake/42"
        try place.write(
            "[0.400000 s] one free slot\n  of three\n[1.500000 s] no free SLOT\n",
            to: "out/dropout/mid-handshake/42/logs/lock.log")
        let trace = try String(contentsOfFile: "\(run)/trace.jsonl", encoding: .utf8)
        let count = trace.split(separator: "\n").count - 1
        let own = (0..<2).map { number in
            """
            {"number":\(count + number),"time":99000000000,"step":999999,"kind":"lock.pool","device":"lock",\
            "observed":true,"fields":{"used":\(number)}}

            """
        }
        try place.write(trace + own.joined(), to: "out/dropout/mid-handshake/42/trace.jsonl")
        let outcome = try Command.run("report", "out/dropout/mid-handshake/42", in: place)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let visit = try Visit("search", to: "report.html", in: place)
        #expect(visit["told"].hasPrefix("3 of "), "\(visit["told"])")
        #expect(visit["row"] == "one free slot on lock")
        #expect(visit["about"] == "0.400000 s · a line of its log")
        #expect(visit.list("charts").contains("lock.pool used"), "\(visit.list("charts"))")
        #expect(visit.complaints == [])
    }

    @Test func theKeyboardIsEnough() throws {
        let visit = try Visit("keys", to: "report.html", in: page())
        let spoken = visit.list("spoken")
        try #require(spoken.count == 5, "\(spoken)")
        #expect(Set(spoken).count > 2)
        #expect(
            spoken[4] == "1.562 s, accessoryConfigurationData (session 2) on lock to ben",
            "\(spoken)")
        #expect(visit["detail"] == "accessoryConfigurationData (session 2) on lock")
    }

    @Test func whateverADeviceSaysStaysText() throws {
        let place = try Place()
        try place.write(Hostile.trace, to: "hostile.jsonl")
        let outcome = try Command.run("report", "hostile.jsonl", in: place)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let visit = try Visit("inject", to: "report.html", in: place)
        #expect(visit.number("hit") == 0)
        #expect(visit.number("images") == 0)
        #expect(visit.number("scripts") == 3)
        #expect(visit["text"].contains("</script><img src=x onerror=\"window.hit=true\">"))
        #expect(!visit["text"].unicodeScalars.contains("\u{202E}"))
        #expect(visit.complaints == [])
    }
}

/// A trace whose words are an attack.
enum Hostile {
    private static let words =
        "</script><img src=x onerror=\\\"window.hit=true\\\">'`\\u2028\\u202e"

    static let trace = """
        {"schema":1,"topology":"\(words)","seed":1,"scheduler":"random","tool":"anechoic"}
        {"number":0,"time":0,"step":0,"kind":"device.started","device":"\(words)","fields":{"incarnation":0,"address":"\(words)","role":"accessory"}}
        {"number":1,"time":5,"step":1,"kind":"\(words)","device":"\(words)","observed":true,"fields":{"\(words)":"\(words)","__proto__":"\(words)"}}
        {"number":2,"time":9,"step":2,"kind":"app.notification","device":"ben","observed":true,"fields":{"peer":"\(words)","text":"\(words)"}}

        """
}
