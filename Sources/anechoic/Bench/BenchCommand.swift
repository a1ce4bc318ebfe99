import ArgumentParser

/// `anechoic bench`: one measurement, one JSON object.
///
/// `Scripts/bench` compares and judges them.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure one thing (see Scripts/bench).",
        shouldDisplay: false,
        subcommands: [
            TurnsBench.self, CyclesBench.self, PairBench.self, WakesBench.self,
            HandshakeBench.self, FourByFourBench.self, MemoryBench.self, StartBench.self,
            GrowthBench.self, SessionsBench.self,
        ])
}
