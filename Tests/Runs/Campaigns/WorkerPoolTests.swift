import Campaigns
import Foundation
import Orchestration
import Testing

/// What becomes of tasks whose workers are killed, stopped, or silent; here a worker is a line of shell.
@Suite struct WorkerPoolTests {
    private static let task = RunTask(
        name: "it", file: "it.yaml", text: "devices: {ben: {model: iPhone 15}}", seed: 1)

    /// What came of so many tasks, and what was said of the workers.
    private func play(
        _ count: Int, silence: UInt64 = 60_000, by script: String
    ) throws -> (results: [String], troubles: [String]) {
        var rest = Array(repeating: Self.task, count: count)
        var results: [String] = []
        let troubles = try WorkerPool<RunTask>.run(
            jobs: 1, silence: silence, executable: "/bin/sh", arguments: ["-c", script]
        ) {
            rest.popLast()
        } onResult: { _, result in
            switch result {
            case .success(let line): results.append(String(decoding: line, as: UTF8.self))
            case .failure(let death): results.append(death.reason)
            }
        }
        return (results, troubles)
    }

    @Test func whoIsKilledLosesNoTask() throws {
        let place = NSTemporaryDirectory() + "pool-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: place) }
        let played = try play(
            2,
            by:
                "read task; [ -e \(place) ] || { touch \(place); kill -9 $$; }; echo done; read task; echo done"
        )
        #expect(played.results == ["done", "done"])
        #expect(played.troubles == [])
    }

    @Test func whoIsKilledAgainAndAgainDiedOfItsTask() throws {
        let played = try play(1, by: "read task; kill -9 $$")
        #expect(played.results == ["the worker process was ended by SIGKILL"])
    }

    @Test func whoIsStoppedIsEndedAndToldAsOurs() throws {
        let played = try play(1, silence: 600, by: "read task; kill -STOP $$")
        #expect(played.results == ["the worker process said nothing for 0.6 s and was ended"])
        #expect(played.troubles.count == 1)
        #expect(played.troubles.first?.contains("is an error of anechoic") == true)
    }

    @Test func whoDoesNotLeaveIsEndedAndToldAsOurs() throws {
        let played = try play(1, silence: 600, by: "read task; echo done; exec sleep 600")
        #expect(played.results == ["done"])
        #expect(played.troubles.count == 1)
    }

    @Test func anEmptyLineIsASignOfLife() throws {
        let signs = "for i in 1 2 3 4 5 6 7 8; do sleep 0.2; echo; done"
        let played = try play(1, silence: 1_000, by: "read task; \(signs); echo done")
        #expect(played.results == ["done"])
        #expect(played.troubles == [])
    }
}
