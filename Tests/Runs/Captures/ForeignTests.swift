import Captures
import Foundation
import TestSupport
import Testing

/// Captures that others made: stacks, snoopers and clocks that nobody here wrote.
@Suite struct ForeignTests {
    /// Bumble's phone talks to Bumble's accessory; its snooper sat below the phone's host.
    @Test func bumblesCaptureShowsTheMessages() throws {
        let file = root + "/Tests/Runs/Captures/Foreign/bumble.btsnoop"
        var trace = try CaptureTrace(
            Array(Data(contentsOf: URL(filePath: file))), named: "bumble")
        var seen: [String] = []
        while let events = try trace.next() {
            seen += events.filter { $0.name.hasPrefix("msg.") || $0.name.hasPrefix("link.") }
                .filter { $0.device == "phone" }.map { "\($0.name) \($0.number("session") ?? 0)" }
        }
        #expect(
            seen == [
                "link.up 0", "msg.initialize.sent 1", "msg.accessoryConfigurationData.received 1",
                "msg.configureAndStart.sent 1", "msg.accessoryUwbDidStart.received 1",
                "msg.stop.sent 1", "msg.accessoryUwbDidStop.received 1", "link.down 0",
            ])
        #expect(trace.devices.map(\.name) == ["phone", "accessory"])
        #expect(
            trace.devices.map { $0.address?.description } == [
                "F0:F1:F2:F3:F4:F5", "C0:C1:C2:C3:C4:C5",
            ])
        #expect(trace.devices.map(\.isHost) == [true, false])
        #expect(trace.mtus == ["phone": 185, "accessory": 517])
        #expect(trace.gaps.sentences == [])
    }
}
