import Bluetooth
import DeviceLink
import FuzzBytes
import Invariants
import Orchestration
import Reports
import Scenarios
import Simulation
import Traces

/// Watches a run as a recorder does, without files, and sees to it that its trace is one.
final class RunWatcher: RunSink {
    private var judge: Judge
    private var number: UInt64 = 0
    private var now = VirtualTime.zero
    private var observations = 0
    /// How many observations of a run are written and read again, which takes longer than the rest.
    private static let mostChecked = 50

    init(_ topology: Topology) { judge = Judge(topology) }

    func begin() {
        judge.reset()
        (number, now, observations) = (0, .zero, 0)
    }

    func take(_ event: TraceEvent) {
        demand(event.number == number, "a trace with a gap")
        demand(event.time >= now, "a trace in which time runs backwards")
        (number, now) = (number + 1, event.time)
        if event.isObservation, observations < Self.mostChecked { checkWriting(of: event) }
        if event.isObservation { observations += 1 }
        judge.observe(event)
    }

    func take(_ packet: World.HostControllerRecord) {
        switch packet.packet {
        case .command(let command): check(HCIPacket.packets(for: command), at: packet.time)
        case .event(let event): check(HCIPacket.packets(for: event), at: packet.time)
        case .uci: break
        }
    }

    var awaitsDeadline: Bool { judge.awaitsDeadline(at: now) }

    /// The run is over: there is a verdict, and it can be written.
    func finish() {
        _ = judge.openObligations(at: now)
        let verdict = judge.verdict()
        var report = RunReport(
            topology: "stage", seed: 0, scheduler: "", status: ExitStatus(verdict), ended: "",
            digest: "", steps: 0, simulated: verdict.end.nanoseconds)
        report.take(verdict)
        _ = Console.story(report)
    }
}
