import Captures
import PromiseLibrary
import Testing

/// What a capture of HCI can decide.
@Suite struct SightTests {
    private static let phone = CapturedDevice(
        name: "phone", role: .appleDevice, address: nil, isHost: true)
    private static let accessory = CapturedDevice(
        name: "accessory", role: .accessory, address: nil, isHost: false)

    private func decided(_ devices: [CapturedDevice]) -> [String] {
        CaptureSight.decidable(of: PropertyLibrary.standard, among: devices).properties.map(\.id)
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
        #expect(CaptureSight.decides("message-order"))
        #expect(!CaptureSight.decides("alive-again"))
    }

    /// Another phone may have made the accessory send what one phone reads.
    @Test func whatIsAboutAllLinksOfADeviceNeedsItsHost() {
        let promise = "configuration-characteristic-equals-message"
        #expect(!decided([Self.phone, Self.accessory]).contains(promise))
        let seen = CapturedDevice(name: "lock", role: .accessory, address: nil, isHost: true)
        #expect(decided([Self.phone, seen]).contains(promise))
    }
}
