internal import DeviceLink
internal import Foundation
internal import Invariants
internal import Reports
internal import Simulation
internal import Topologies
internal import Traces

/// What watches a run that is judged and written down.
final class Recorder: RunSink {
    private let topology: Topology
    private var judge: Judge
    private let artifacts: RunArtifacts?
    private var now = VirtualTime.zero

    init(_ topology: Topology, folder: String?, header: TraceHeader) throws {
        self.topology = topology
        judge = Judge(topology)
        artifacts = try folder.map {
            try RunArtifacts($0, header: header, devices: topology.devices.map(\.name))
        }
    }

    func take(_ event: TraceEvent) throws {
        judge.observe(event)
        now = event.time
        try artifacts?.append(event)
    }

    func take(_ packet: World.HostControllerRecord) throws { try artifacts?.append(packet) }

    func log(_ device: Int, _ bytes: UnsafeRawBufferPointer) throws {
        try artifacts?.append(log: bytes, of: device)
    }

    var awaitsDeadline: Bool { judge.awaitsDeadline(at: now) }

    /// The report of a run that is over.
    func report(_ run: Run, _ task: RunTask, _ settings: RunSettings) throws -> RunReport {
        let verdict = judge.verdict()
        var report = RunReport(
            topology: topology.name, seed: task.seed, scheduler: settings.scheduler.rawValue,
            status: ExitStatus(verdict), ended: run.world.ended?.rawValue ?? "abandoned",
            digest: run.world.digest.text, steps: run.world.step, simulated: run.world.now)
        report.take(verdict)
        switch run.outcome {
        case .failed(let failure)?: report.fail(.deviceFailed, "\(failure)")
        case .interrupted?:
            report.fail(.interrupted, "interrupted; what was written so far is kept")
        case .ended?, nil: break
        }
        if let artifacts {
            report.replay = "\(settings.command) replay \(artifacts.folder)/replay.json"
        }
        return report
    }

    /// Writes verdict and replay file and closes the others.
    func close(
        _ report: RunReport, _ task: RunTask, _ settings: RunSettings,
        decisions: [RecordedDecision]
    ) throws {
        guard let artifacts else { return }
        var verdict = report
        verdict.wall = nil
        try artifacts.close()
        try artifacts.write(json(verdict), to: "verdict.json")
        let replay = Replay(
            tool: settings.tool, name: task.name, file: task.file, topology: task.text,
            seed: task.seed, scheduler: settings.scheduler.rawValue,
            defects: settings.defects.map { Replay.Defect(device: $0.device, name: $0.name) },
            decisions: decisions.map(Replay.Decision.init), digest: report.digest)
        try artifacts.write(json(replay), to: "replay.json")
    }
}
