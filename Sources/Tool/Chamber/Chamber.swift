import Foundation

/// An anechoic chamber for tests: plays a topology with a seed, and says whether every promise was kept.
///
///     @Test(arguments: 1...20 as ClosedRange<UInt64>)
///     func aDroppedLinkComesBack(seed: UInt64) throws {
///         let run = try Chamber.run("dropout/mid-handshake", seed: seed)
///         #expect(run.holds)
///     }
///
/// A run is played by the `anechoic` program, in a process of its own, so that tests may run in parallel. The
/// same topology, seed and version of the program give the same run.
public struct Chamber: Sendable {
    /// Where topologies are looked for, beside those that ship with anechoic: a folder, by default the folder
    /// `Topologies` of the package that the calling file belongs to.
    public var topologies: String

    /// The folder whose programs a topology may name without a path (`run: door-lock`), by default that of the
    /// test program, where SwiftPM puts the package's executables.
    public var programs: String

    /// The `anechoic` program; nil where it was not found.
    public var executable: String?

    /// The strategy that picks the next event, as `--scheduler` names it; nil for the random walk.
    public var scheduler: String?

    /// Defects of reference devices that are switched on, each as `lock=reused-configuration`.
    public var defects: [String] = []

    /// Whether a failing run is explained: which two events race, or what it takes to pass.
    ///
    /// It costs some hundred runs.
    public var explains = true

    /// A chamber for the package that `file` belongs to.
    public init(for file: String = #filePath) {
        topologies = InstalledPlaces.package(of: file) + "/Topologies"
        programs = InstalledPlaces.ofTests
        executable = InstalledPlaces.executable
    }

    /// Plays one run in the chamber of the calling package; see ``run(_:seed:)-instance``.
    public static func run(
        _ topology: String, seed: UInt64 = 1, file: String = #filePath
    ) throws(ChamberError) -> Run {
        try Chamber(for: file).run(topology, seed: seed)
    }

    /// Plays one run.
    ///
    /// In a test of Swift Testing, a run that does not hold leaves its trace, its capture and its page as
    /// attachments.
    ///
    /// - Parameters:
    ///   - topology: The name of a topology, of this package or one that ships (`dropout/mid-handshake`), the path
    ///     of its file, or the topology itself as YAML, where it has more than one line.
    ///   - seed: What all draws of the run follow from.
    /// - Returns: The run, whether it holds or not.
    /// - Throws: `ChamberError` where nothing could be played: there is no such topology, it is wrong, or the
    ///   program is missing. A run that fails is no error.
    public func run(_ topology: String, seed: UInt64 = 1) throws(ChamberError) -> Run {
        let tool = try tool
        let folder = try RunFolder()
        let file =
            try topology.contains("\n")
            ? folder.write(topology, to: "topology.yaml") : self.file(of: topology)
        var words = [
            "run", file, "--seed", "\(seed)", "--out", folder.path, "--quiet", "--color", "never",
        ]
        words += scheduler.map { ["--scheduler", $0] } ?? []
        words += defects.flatMap { ["--defect", $0] }
        let outcome = try tool.run(words)
        guard let verdict = Verdict(rawValue: outcome.status) else {
            throw ChamberError(outcome.errors.isEmpty ? outcome.output : outcome.errors)
        }
        var run = try Run(in: folder, verdict: verdict, telling: outcome.output + outcome.errors)
        guard !run.holds else { return run }
        folder.keep()
        if explains, let replay = run.replayFile {
            run.explanation = try tool.explanation(of: replay)
        }
        // Its page, where charts can be drawn.
        _ = try tool.run(["report", run.path, "--out", "\(run.path)/report.html"])
        run.attach()
        return run
    }

    private var tool: CalledProgram {
        get throws(ChamberError) {
            guard let executable else { throw .missingProgram }
            return CalledProgram(executable: executable, programs: programs)
        }
    }

    private func file(of name: String) throws(ChamberError) -> String {
        let places =
            [name, "\(topologies)/\(name)", "\(topologies)/\(name).yaml"]
            + InstalledPlaces.shipped(with: executable).flatMap {
                ["\($0)/\(name)", "\($0)/\(name).yaml"]
            }
        if let file = places.first(where: InstalledPlaces.isFile) { return file }
        throw ChamberError(
            "there is no topology \(name); looked for:\n" + places.map { "  \($0)\n" }.joined())
    }
}

/// Why nothing could be played.
public struct ChamberError: Error, CustomStringConvertible, Sendable {
    /// What is wrong, where, and what to do.
    public let description: String

    init(_ description: String) { self.description = description }

    static let missingProgram = ChamberError(
        "there is no anechoic program; looked for: \(InstalledPlaces.executables.joined(separator: ", ")), and in PATH. "
            + "Build it (Scripts/anechoic --version), install it (Scripts/install PREFIX) and put PREFIX/bin into "
            + "PATH, or name it by the variable ANECHOIC")
}
