import DeviceLink
import Sequences
import Testing

/// Diagrams as people see them.
struct DiagramTests {
    private static let handshake = """
        0 device.started on lock with role = accessory
        0 device.started on ben with role = apple-device
        0.02 link.up on lock with peer = ben and link = 1
        0.0205 link.up on ben with peer = lock and link = 1
        0.5 msg.initialize.sent on ben with peer = lock and link = 1 and session = 1
        0.53 msg.initialize.received on lock with peer = ben and link = 1 and session = 1
        1.6 script.step with step = "suspend: ben"
        & 1.6 fault.command on ben with command = suspend
        1.7 ni.sessionWasSuspended on ben with ni-session = 1
        2 run.ended with reason = finished
        """

    private static let findings = SequenceFindings(
        violations: [
            .init(
                promise: "quiet", clause: "R4 3.6.1", device: "lock",
                time: VirtualTime(nanoseconds: 1_900_000_000),
                sentence: "The radio was still on, although the link was gone.", events: [5])
        ], turned: [.init(event: 8, words: "first here: it breaks")])

    @Test func aRun() throws {
        let drawn = try diagram(Self.handshake, Self.findings)
        #expect(
            drawn == """
                   time [s]  event  ben                                                     lock
                                    apple-device                                       accessory
                   0.020000      2  │◀─────────────────── link.up (link 1) ───────────────────▶│
                   0.500000      4  │─────────────────────── initialize ──────────────────────▶│
                                    │                                              ▲ see quiet │
                                    ⋮ 1.070 s                                                  ⋮
                   1.600000      6  ═══════════════════════ suspend: ben ═══════════════════════
                   1.700000      8  │ ni.sessionWasSuspended (session 1)                       │
                                    │ ▲ first here: it breaks                                  │
                   1.900000         │ ✗ quiet is broken (R4 3.6.1)                             │
                                    │   The radio was still on, although the link was gone.    │
                   2.000000      9  │ the run ends: finished                                   │

                """)
    }

    @Test func withASCIIAlone() throws {
        let text = "0.5 msg.stop.sent on ben with peer = lock\n0.6 uwb.stopped on lock"
        let drawn = try diagram(text, width: 60, isASCII: true)
        #expect(
            drawn == """
                   time [s]  event  ben                                 lock
                   0.500000      0  |---------------- stop ................|
                   0.600000      1  |                          uwb.stopped |

                """)
    }

    @Test func ofManyDevicesTheRowsSayWho() throws {
        let devices = (1...9).map { "0 device.started on tag-\($0)" }.joined(separator: "\n")
        let text =
            devices + """

                0.5 msg.stop.sent on tag-1 with peer = tag-2 and session = 1
                0.6 msg.stop.received on tag-2 with peer = tag-1 and session = 1
                0.7 uwb.stopped on tag-2
                """
        let drawn = try diagram(text)
        #expect(
            drawn == """
                   time [s]  event
                   0.500000      9  tag-1 ── stop ──▶ tag-2
                   0.700000     11  tag-2  uwb.stopped

                """)
    }

    @Test func whatDevicesSaySteersNoTerminal() throws {
        let text = "0.5 app.notification on ben with text = \"\u{1B}[31mred\""
        #expect(try !diagram(text).contains("\u{1B}"))
    }
}
