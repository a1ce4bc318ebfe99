import DeviceLink
import Foundation
import Testing
import Traces

@testable import Pages

/// The pieces of a page, one by one.
struct PieceTests {
    @Test func nothingInADocumentEndsItsElementOrTurnsItsText() {
        let json = "{\"a\":\"</script><!--\",\"b\":\"ä\u{2028}\u{202E}z\"}"
        #expect(
            String(decoding: EmbeddedJSON.inside(Data(json.utf8)), as: UTF8.self)
                == "{\"a\":\"\\u003c/script>\\u003c!--\",\"b\":\"ä\u{FFFD}\u{FFFD}z\"}")
    }

    @Test func eventsAreRowsOfNumbersBesideTheirWords() {
        var table = TraceTable(participants: 2)
        let peer = Field("peer", .text("lock"))
        table.add(
            TraceEvent(
                time: VirtualTime(nanoseconds: 5), step: 1, kind: .linkUp, device: "ben",
                fields: [Field("link", .number(1)), peer]))
        table.add(
            TraceEvent(
                number: 1, time: VirtualTime(nanoseconds: 12), step: 3, kind: .linkUp,
                device: "ben", isObservation: true,
                fields: [Field("link", .number(1 << 60)), peer]))
        #expect(
            String(decoding: table.json.bytes, as: UTF8.self) == """
                {"words":["link.up (link 1)","ben","link.up (link 1152921504606846976)"],\
                "shapes":[["link.up","link","peer"]],"events":[
                [5,1,0,1,0,2,1,"lock"],
                [7,2,0,1,2,3,{"n":"1152921504606846976"},"lock"]]}
                """)
    }

    @Test func whatIsAddedAndWhatComesLaterStandsBesideNothing() {
        let (one, other) = (Array("abcdefg"), Array("abxdegf"))
        let alignment = Alignment(one.map(String.init), other.map(String.init)) {
            one[$0] == other[$0]
        }
        let picture = alignment.pairs.map { "\(one[$0.one])\($0.one)\($0.other)" }
        #expect(alignment.common == 2)
        #expect(
            ["a00 b11 d33 e44 f56", "a00 b11 d33 e44 g65"].contains(picture.joined(separator: " ")))
    }

    @Test func equalRunsAreBesideEachOtherToTheEnd() {
        let alignment = Alignment(["a", "a"], ["a", "a"]) { _ in true }
        #expect(alignment.common == 2)
        #expect(alignment.pairs.map(\.other) == [0, 1])
    }

    @Test func withoutD3ThePageSaysWhatToInstall() {
        #expect {
            try ChartLibrary(places: ["/nowhere/d3.js"])
        } throws: {
            "\($0)".hasSuffix("expected /nowhere/d3.js: apt-get install node-d3")
        }
    }

    @Test(arguments: [Page.Kind.run, .failure, .conformance, .exploration])
    func noScriptOfOursEndsItsElement(_ kind: Page.Kind) {
        #expect(!Assets.script(drawing: kind).contains("</script"))
        #expect(!Assets.style.contains("</style"))
    }
}
