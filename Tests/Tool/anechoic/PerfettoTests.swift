import Foundation
import TestSupport
import Testing

/// `show --perfetto`, read by the message classes that Perfetto itself publishes for Python.
struct PerfettoTests {
    private static let python = root + "/.build/venv/bin/python3"

    /// Prints a line for each track, slice and flow.
    private static let reader = """
        import sys
        from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb
        trace = pb.Trace.FromString(open(sys.argv[1], "rb").read())
        names, parents, last, open_slices, flows = {}, {}, 0, {}, {}
        for packet in trace.packet:
            if packet.HasField("track_descriptor"):
                track = packet.track_descriptor
                names[track.uuid], parents[track.uuid] = track.name, track.parent_uuid
                print("track", track.name, "below", names.get(track.parent_uuid, "nothing"))
                continue
            event = packet.track_event
            assert event.track_uuid in names and packet.timestamp >= last, packet
            last = packet.timestamp
            if event.type == event.TYPE_SLICE_BEGIN:
                open_slices[event.track_uuid] = event.name
            elif event.type == event.TYPE_SLICE_END:
                print("slice", open_slices.pop(event.track_uuid))
            for flow in event.flow_ids: flows[flow] = (event.name, names[event.track_uuid])
            for flow in event.terminating_flow_ids:
                name, sender = flows.pop(flow)
                print("flow", name, sender, event.name, names[event.track_uuid])
            if list(event.categories) == ["promise"]: print(event.name, names[event.track_uuid])
        print("open", len(open_slices), "lost", sorted(name for name, _ in flows.values()))
        """

    private func read(_ more: String...) throws -> [String] {
        let place = try Place()
        _ = try Command(
            ["run", topologies + "/dropout/mid-handshake.yaml", "--seed", "42"] + more, in: place
        ).outcome()
        let shown = try Command.run(
            "show", "out/dropout/mid-handshake/42", "--perfetto", "run.perfetto", in: place)
        #expect(shown.status == 0 && shown.output.isEmpty, "\(shown.errors)")
        let outcome = try place.run([Self.python, "-c", Self.reader, "run.perfetto"])
        try #require(outcome.status == 0, "\(outcome.said)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test func aRunHasALaneForEachDeviceSlicesAndFlows() throws {
        let lines = try read()
        for line in [
            "track ben below nothing", "track lock below nothing", "track link 1 below ben",
            "track NISession 1 below ben", "slice link 1 with lock", "slice link 1 with ben",
            "flow msg.initialize.sent ben msg.initialize.received lock",
            "flow msg.accessoryConfigurationData.sent lock "
                + "msg.accessoryConfigurationData.received ben",
        ] { #expect(lines.contains(line), "\(line)\n\(lines)") }
        #expect(lines.last?.hasPrefix("open 0 ") == true)
        #expect(!lines.contains { $0.hasPrefix("broken") })
    }

    @Test func aBrokenPromiseStandsAtItsDevice() throws {
        #expect(
            try read("--defect", "lock=reused-configuration").contains(
                "broken: fresh-configuration lock"))
    }
}
