import DeviceLink
import Foundation
import Orchestration
import Reports
import Topologies

/// The runs of a conformance test.
struct ConformanceSuite {
    /// What they have shown.
    struct Outcome {
        /// All runs.
        let reports: [RunReport]
        /// Topologies that the program cannot play, and why.
        let skipped: [(name: String, reason: String)]
        /// How many runs there should have been, where somebody asked us to end before they were done.
        var interruptedOf: Int?
        /// Why files of failing runs could not be written.
        var unwritten: String?

        var isInterrupted: Bool { interruptedOf != nil }
    }

    private let tasks: [RunTask]
    private let skipped: [(name: String, reason: String)]
    private let settings: RunSettings

    /// Folders of the shipped topologies that are about something else: devices of other kinds, wrong
    /// devices, and size.
    private static let leftOut = ["classics/", "defects/", "scale/"]

    /// The topologies of a folder, or those that ship, as each variant plays them.
    init(
        folder: String?, variants: [TopologyVariant], seeds: UInt64, sweeps: Bool,
        _ settings: RunSettings
    ) throws {
        let entries = try TaskList(paths: [folder ?? Self.shipped()]).entries.filter { entry in
            folder != nil || !Self.leftOut.contains { entry.name.hasPrefix($0) }
        }
        let here = FileManager.default.currentDirectoryPath
        var tasks: [RunTask] = []
        var skipped: [(name: String, reason: String)] = []
        for variant in variants {
            let prefix = variants.count > 1 ? variant.profile.map { "\($0)/" } ?? "" : ""
            for entry in entries {
                let name = prefix + entry.name
                let text = variant.text(of: String(decoding: entry.bytes, as: UTF8.self))
                do {
                    _ = try Topology(parsing: Array(text.utf8), name: name, file: entry.file)
                } catch {
                    skipped.append((name, error.problem.message))
                    continue
                }
                // A program of the command line is started where the command is.
                let folder = (variant.accessory ?? variant.app) == nil ? nil : here
                tasks += (1...seeds).map {
                    RunTask(name: name, file: entry.file, text: text, seed: $0, folder: folder)
                }
            }
            guard sweeps else { continue }
            tasks += try Self.sweep(variant, prefix, settings)
        }
        self.tasks = tasks
        self.skipped = skipped
        self.settings = settings
    }

    /// Every kind of fault at every moment of the handshake between the devices that a variant plays, in its
    /// plain timing.
    private static func sweep(
        _ variant: TopologyVariant, _ prefix: String, _ settings: RunSettings
    ) throws -> [RunTask] {
        let text = variant.text(
            of: """
                length: 5s
                devices:
                  ben: {model: iPhone 15, at: [0m, 0m], permission: allowed}
                  lock: {profile: qorvo, at: [2m, 0m]}

                """)
        let plain = RunTask(name: "sweep/plain", file: "sweep", text: text, seed: 1)
        // A device that does not get there is looked at for so long.
        let limit = VirtualTime(nanoseconds: .seconds(5))
        let sweeps = try FaultSweep.over([plain], settings) {
            $0.kind == "ni.didUpdate" || $0.time > limit
        }
        guard let sweep = sweeps.first, let parts = TopologyParts(text) else { return [] }
        return (0..<sweep.count).compactMap { number in
            let strike = sweep.strike(number)
            return parts.text(adding: strike.steps, endingAt: strike.end).map {
                RunTask(
                    name: "\(prefix)sweep/\(sweep.name(number))", file: "sweep", text: $0, seed: 1,
                    sweptFault: strike.told)
            }
        }
    }

    /// The folder of the topologies that ship: beside the program's, or here.
    static func shipped() throws -> String {
        var folder = URL(fileURLWithPath: RunOptions.programs).resolvingSymlinksInPath()
        while folder.path != "/" {
            let topologies = folder.appending(path: "Topologies")
            if FileManager.default.fileExists(atPath: topologies.path + "/basics") {
                return topologies.path
            }
            folder.deleteLastPathComponent()
        }
        throw WrongUse(
            description: "the topologies that ship are not beside this program; give a folder of "
                + "topologies with --suite")
    }

    /// Does all runs; those that fail are done once more, with all their files, and must repeat.
    func run(jobs: Int?, output: String) throws -> Outcome {
        let campaign = Campaign(settings, jobs: jobs, format: .text)
        let (results, isInterrupted) = try campaign.results(of: tasks, keepsAll: true)
        var reports = results.reports
        if !isInterrupted { try repeatFailures(in: &reports, jobs, output) }
        let unwritten = reports.compactMap(\.unwritten).first
        // One that was cut short says nothing.
        reports.removeAll { $0.status == .interrupted }
        // A device that will not play a part says so; that is no failure of it.
        let refused = reports.filter { $0.failure?.hasPrefix("refusal of ") == true }
        return Outcome(
            reports: reports.filter { !refused.contains($0) },
            skipped: skipped + refused.map { ($0.topology, $0.failure ?? "") },
            interruptedOf: isInterrupted || Interruption.isHere ? tasks.count : nil,
            unwritten: unwritten)
    }

    /// The most failing runs that leave their files.
    private static let kept = 40

    private func repeatFailures(
        in reports: inout [RunReport], _ jobs: Int?, _ output: String
    ) throws {
        let failed = reports.indices.filter { reports[$0].status != .held }.prefix(Self.kept)
        guard !failed.isEmpty else { return }
        var settings = settings
        settings.output = output
        let (again, isInterrupted) = try Campaign(settings, jobs: jobs, format: .text)
            .results(of: failed.map { tasks[$0] }, keepsAll: true)
        guard !isInterrupted else { return }
        for (index, second) in zip(failed, again.reports) {
            let first = reports[index]
            guard second.unwritten == nil else {
                reports[index].unwritten = second.unwritten
                continue
            }
            reports[index] = second
            // A run that was given up stops wherever its devices were.
            guard first.digest != second.digest, second.status != .interrupted,
                first.ended != "abandoned", second.ended != "abandoned"
            else { continue }
            reports[index].status = .harnessError
            reports[index].verdict = ExitStatus.harnessError.word
            reports[index].failure =
                "the run did not repeat: digest \(first.digest), then \(second.digest); a device "
                + "that reads a clock, or draws numbers of its own, answers differently"
        }
    }
}
