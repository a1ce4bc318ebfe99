import ArgumentParser
import Orchestration

/// `anechoic-bench`: one measurement, one JSON object.
///
/// `Scripts/bench` compares and judges them.
@main
struct AnechoicBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "anechoic-bench", abstract: "Measure one thing (see Scripts/bench).",
        subcommands: [
            TurnsBench.self, CyclesBench.self, PairBench.self, WakesBench.self,
            HandshakeBench.self, FourByFourBench.self, MemoryBench.self, StartBench.self,
            GrowthBench.self, SessionsBench.self,
        ])
}

extension RunSettings.Hosting: ExpressibleByArgument {}
extension ProcessHosting.Transport: ExpressibleByArgument {}
