import PromiseLibrary
import Testing

@testable import Captures

/// What a capture of HCI can decide.
@Suite struct SightTests {
    private static let phone = CapturedDevice(
        name: "phone", role: .appleDevice, address: nil, isHost: true)
    private static let accessory = CapturedDevice(
        name: "accessory", role: .accessory, address: nil, isHost: false)

    private func decided(
        _ devices: [CapturedDevice], missing gaps: CaptureGaps = CaptureGaps()
    ) -> [String] {
        CaptureSight.decidable(of: PropertyLibrary.standard, among: devices, missing: gaps)
            .properties.map(\.id)
    }

    @Test func whatMessagesAndAttributesShowIsDecided() {
        let decided = decided([Self.phone, Self.accessory])
        for promise in [
            "fresh-configuration", "little-endian", "subscribed-first", "configuration-data-sent",
            "service-declared-once", "initialize-first", "did-start-answers-configure",
        ] { #expect(decided.contains(promise), "\(promise)") }
    }

    @Test func whatRadiosAppsAndNISessionsDoIsNot() {
        let decided = decided([Self.phone, Self.accessory])
        for promise in [
            "exchanged-before-ranging", "session-automaton", "lost-link-sought",
            "shareable-data-sent", "ranging-starts-at-once", "radio-as-announced",
            "messages-arrive-whole", "stopped-before-anew",
        ] { #expect(!decided.contains(promise), "\(promise)") }
        #expect(CaptureSight.decides("message-order", missing: CaptureGaps()))
        #expect(!CaptureSight.decides("alive-again", missing: CaptureGaps()))
    }

    @Test func wherePacketsAreMissingOnlyWhatMayNeverHappenIsDecided() throws {
        var trace = try CaptureTrace(
            Heard.pcapng(SnifferTests.storyWithGap, by: .nordic), named: "story")
        while try trace.next() != nil {}
        let decided = decided([Self.phone, Self.accessory], missing: trace.gaps)
        #expect(decided.contains("little-endian"))
        #expect(!decided.contains("did-start-answers-configure"))
        #expect(!CaptureSight.decides("message-order", missing: trace.gaps))
    }

    /// Another phone may have made the accessory send what one phone reads.
    @Test func whatIsAboutAllLinksOfADeviceNeedsItsHost() {
        let promise = "configuration-characteristic-equals-message"
        #expect(!decided([Self.phone, Self.accessory]).contains(promise))
        let seen = CapturedDevice(name: "lock", role: .accessory, address: nil, isHost: true)
        #expect(decided([Self.phone, seen]).contains(promise))
    }
}
