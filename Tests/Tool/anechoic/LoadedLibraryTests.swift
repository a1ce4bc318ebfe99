import Foundation
import TestSupport
import Testing

/// A library of somebody else's, which is loaded into workers only: what it does to its process is a device's failure.
@Suite(.processes) struct LoadedLibraryTests {
    private let place: Place

    init() throws {
        place = try Place()
        try place.write(
            """
            length: 2s
            devices:
              ben: {model: iPhone 15, at: [0m, 0m]}
              lock: {run: ./taker, at: [1m, 0m]}
            """, to: "it.yaml")
    }

    private func build(_ words: String...) throws {
        let outcome = try place.run(
            ["gcc", "-shared", "-fPIC", root + "/Tests/Strangers/taker.c"] + words
                + ["-o", "libtaker-inline.so"])
        #expect(outcome.status == 0, "\(outcome.said)")
    }

    /// A sanitizer needs more time to load it; that of addresses takes signals for itself.
    private static let watchdog = Command.sanitizer == nil ? "300 ms" : "3000 ms"

    private func anechoic(_ words: String...) throws -> Command.Outcome {
        let watchdog = Self.watchdog.replacing(" ", with: "")
        return try Command(words + ["--hosting", "inline", "--watchdog", watchdog], in: place)
            .outcome()
    }

    private static let deeds = [
        ("-DDEED=exit(0)", "crash of lock: the worker process exited with status 0"),
        ("-DDEED=_exit(0)", "crash of lock: the worker process exited with status 0"),
        ("-DDEED=raise(SIGSEGV)", "crash of lock: the worker process was ended by SIGSEGV"),
        ("-DDEED=kill(getpid(),9)", "crash of lock: the worker process was ended by SIGKILL"),
        ("-DLOADING=abort()", "crash of lock: the worker process was ended by SIGABRT"),
        ("-DDEED=for(;;)", "hang of lock: it did not end its turn within \(watchdog)"),
        ("-DLOADING=for(;;)", "hang of lock: it did not end its turn within \(watchdog)"),
    ]

    @Test(
        arguments: deeds.filter {
            Command.sanitizer != "address" || !$0.1.contains("ended by SIG")
        })
    func whatALibraryDoesToItsProcessIsADevicesFailure(deed: String, said: String) throws {
        try build(deed)
        let outcome = try anechoic("run", "it.yaml", "--seed", "7", "--out", "out")
        #expect(outcome.status == 3, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("it, seed 7: device failed\n"), "\(outcome.output)")
        #expect(outcome.output.contains(said), "\(outcome.output)")
    }

    @Test func eachOfManyRunsFailsByItself() throws {
        try build("-DDEED=exit(0)")
        let outcome = try anechoic("run", "it.yaml", "--seeds", "1..3", "--no-out")
        #expect(outcome.status == 3)
        #expect(outcome.output.contains("3 runs: 3 device failed"), "\(outcome.output)")
    }

    @Test func aReplayOfALibraryIsPlayedByAWorkerToo() throws {
        try build()
        #expect(try anechoic("run", "it.yaml", "--out", "out").status == 0)
        let replay = ["replay", "out/it/1/replay.json", "--trust"]
        let same = try Command(replay + ["--hosting", "inline"], in: place).outcome()
        #expect(same.status == 0, "\(same.output)\(same.errors)")
        let halted = try Command(
            replay + ["--hosting", "inline", "--until", "1s"], in: place
        ).outcome()
        #expect(halted.status == 64)
        #expect(halted.errors.contains("cannot halt; use --hosting process"), "\(halted.errors)")
        try build("-DDEED=exit(0)")
        let other = try Command(replay + ["--hosting", "inline"], in: place).outcome()
        #expect(other.status == 3)
        #expect(other.output.contains("crash of lock: the worker"), "\(other.output)")
    }
}
