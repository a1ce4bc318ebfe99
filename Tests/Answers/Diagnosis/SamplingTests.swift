import Campaigns
import Foundation
import Orchestration
import RunSupport
import TestSupport
import Testing

@testable import Diagnosis

/// Runs that are shared out are the same runs.
struct SamplingTests {
    @Test func whatAWorkerIsSentIsWhatIsPlayedHere() throws {
        let name = "dropout/mid-handshake"
        let task = RunTask(
            name: name, file: name, text: try text(of: "Topologies/\(name).yaml"), seed: 1)
        try LocalRunner.inline { settings in
            settings.defects = [
                RunSettings.Defect(device: "ben", name: "keeps-session-after-disconnect")
            ]
        } _: { runner in
            let study = try runner.study(task, by: .portfolio, seed: 3)
            let half = study.picks.count / 2
            for sampling in [
                Sampling(of: task, seeds: 5...24, mostSteps: 10_000),
                Sampling(
                    of: task, on: study, following: half, seeds: 5...24, mostSteps: 10_000),
            ] {
                let whole = try sampling.play(runner)
                let parts = sampling.split(into: 3)
                #expect(parts.count == 3)
                let sent = try parts.map {
                    try TaskLine.task(Sampling.self, in: Data(TaskLine.bytes(of: $0).dropLast()))
                }
                #expect(try sent.flatMap { try $0.play(runner) } == whole)
            }
        }
    }

    @Test func whatACrewPlaysIsWhatIsPlayedHere() throws {
        let name = "dropout/mid-handshake"
        let task = RunTask(
            name: name, file: name, text: try text(of: "Topologies/\(name).yaml"), seed: 1)
        let sampling = Sampling(of: task, seeds: 1...12, mostSteps: 10_000)
        let here = try LocalRunner.inline { _ in
        } _: {
            try sampling.play($0)
        }
        var settings = RunSettings(programs: Command.executables, tool: "test")
        settings.hosting = .process
        let crew = try Crew(jobs: 2, settings: settings)
        let answers: [[Sampling.Verdict]?] = try crew.play(
            sampling.split(into: crew.parts), by: WorkerName.samples
        ) { false }
        #expect(answers.count == 3, "four runs each")
        #expect(answers.compactMap(\.self).flatMap(\.self) == here)
        let late: [[Sampling.Verdict]?] = try crew.play([sampling], by: WorkerName.samples) { true }
        #expect(late == [nil])
    }
}
