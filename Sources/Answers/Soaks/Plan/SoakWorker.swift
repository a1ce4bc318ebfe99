package import Campaigns
import Foundation
package import Orchestration

/// What a worker of a soak has: a runner for each way to play.
package struct SoakWorker {
    private let runners: [SoakArm: LocalRunner]
    private let players: [SoakArm: LotPlayer]

    package init(_ runners: [SoakArm: LocalRunner]) {
        self.runners = runners
        players = runners.mapValues { _ in LotPlayer() }
    }

    package func play(_ lot: SoakLot) throws -> LotResult {
        guard let runner = runners[lot.arm], let player = players[lot.arm] else {
            throw HarnessError("this worker has no arm \(lot.arm.rawValue)")
        }
        if lot.renewsDevices { runner.releaseDevices() }
        return try player.play(lot.lot, on: runner)
    }

    /// Lends a worker for the settings of an argument to `body`.
    package static func with(_ argument: String, _ body: (SoakWorker) throws -> Void) throws {
        let settings: [String: RunSettings] = try WorkerName.settings(in: argument)
        let sign = SignOfLife()
        try lend(settings.sorted { $0.key < $1.key }, [:]) { worker in
            for runner in worker.runners.values { runner.onProgress = sign.give }
            try body(worker)
        }
    }

    /// Runners are lent, one inside of another.
    private static func lend(
        _ settings: [(key: String, value: RunSettings)], _ runners: [SoakArm: LocalRunner],
        _ body: (SoakWorker) throws -> Void
    ) throws {
        guard let (name, first) = settings.first else { return try body(SoakWorker(runners)) }
        guard let arm = SoakArm(rawValue: name) else {
            throw WrongUse("settings: there is no arm \(name)")
        }
        try LocalRunner.with(first) { runner in
            try lend(Array(settings.dropFirst()), runners.merging([arm: runner]) { $1 }, body)
        }
    }
}
