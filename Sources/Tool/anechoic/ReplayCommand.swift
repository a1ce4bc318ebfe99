import ArgumentParser
import Artifacts
import Basics
import Campaigns
import DeviceLink
import Foundation
import Orchestration
import Reports
import Schedules

struct ReplayCommand: ParsableCommand, PlayingCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Repeat a run from its replay file, to the byte.",
        discussion: """
            --until and --event stop the run there and show its state: devices, links, radios, \
            sessions, open obligations and pending events. Exit status 0; trace, captures and logs end \
            at that place. If that moment never comes, the command says so, and the run goes on to its \
            end.

            --pause-device holds one device there, or before its first turn, for a debugger; Enter (or \
            the end of standard input) goes on to the end of the run, with the same digest. Virtual \
            time stands still meanwhile, and the device may take as long as it wants from then on.

            Trace, captures and logs of the repetition stand in a folder replay, beside the file, unless \
            --out names another output tree; the recorded run stays as it is.

            A run that does not repeat, because the topology in the file, this program or a device has \
            changed, ends with 70. With the trace.jsonl of the recorded run beside the replay file \
            the command names the event and step at which it first differs.

            A bundle is unpacked beside itself, into a folder of its name.

            A replay file runs the programs that its topology names, in the folder of that topology, or in \
            the current folder if that one is on another machine. --program gives the path of a program on \
            this machine. The command reports a program whose build differs from that of the recorded run. \
            Without --trust it asks before it runs a program; if nobody can be asked, it ends with 64. A program \
            that --program names needs no confirmation, unless the file has arguments for it.
            """)

    @Argument(
        help: ArgumentHelp("A replay.json, or a bundle.", valueName: "file"),
        completion: .file(extensions: ["json", "zip"]))
    var named: String

    @Option(
        help: ArgumentHelp(
            "Leave the run before its first step at this virtual time or later: 812.4ms, 3s.",
            valueName: "time"),
        transform: VirtualTime.init(argument:))
    var until: VirtualTime?

    @Option(
        help: ArgumentHelp(
            "Leave the run before the step that leads to this event, by its number in trace.jsonl.",
            valueName: "number"), transform: wholeNumber)
    var event: UInt64?

    @Option(
        help: ArgumentHelp(
            "Hold this device's process there until Enter is pressed, then go on.",
            valueName: "device"))
    var pauseDevice: String?

    @OptionGroup var places: ProgramOption

    @OptionGroup var trust: TrustOption

    @OptionGroup var options: RunOptions

    @OptionGroup var amount: AmountOptions

    @OptionGroup var colour: ColourOption

    @OptionGroup var json: JSONOption

    @OptionGroup var reports: ReportOptions

    func validate() throws {
        try json.refuse(tap: options.format == .tap)
        if until != nil && event != nil {
            throw ValidationError("--until and --event exclude one another")
        }
        guard pauseDevice != nil else { return }
        if options.hosting == .inline {
            throw ValidationError(
                "--pause-device needs a device with a process of its own; omit --hosting inline")
        }
        if options.format != .text || json.isOn {
            let option = json.isOn ? "--json" : "--format \(options.format)"
            throw ValidationError("--pause-device is for people; omit \(option)")
        }
    }

    func play(
        into document: ResultsDocument?, noting results: inout TestResults
    ) throws -> ExitStatus {
        let file = try RunBundle.isBundle(named) ? RunBundle.unpack(named) : named
        let recording = try Replay.read(file)
        try recording.tellDifferences(of: file, programs: places.program)
        var settings = options.settings(
            scheduler: try Strategy(of: recording, file),
            defects: recording.defects.map {
                RunSettings.Defect(device: $0.device, name: $0.name)
            })
        settings.tracesTurns = recording.tracesTurns ?? false
        settings.programs = places.program
        try settings.repeats(recording, from: file, into: options.out)
        try trust.demand(
            for: file, running: [recording.task], started: places.program, isReplay: true)
        if settings.runsTwice { try settings.avoidGlobalState(in: [recording.task]) }
        let sockets = try settings.makeSockets(for: [recording.task])
        defer { sockets?.remove() }
        if let pauseDevice { try demand(pauseDevice, in: recording) }
        var isReached = false
        let halt = halt(into: document) { isReached = true }
        var manner = Campaign.Manner()
        (manner.isQuiet, manner.isVerbose) = (amount.isBrief, amount.isWhole)
        manner.ink = colour.ink
        var suites: [TestSuite] = []
        manner.onReport = {
            suites.append(.ofTopology($0.topology, file: $1.file, shownBy: Evidence([$0])))
        }
        let status = try Campaign(settings, jobs: 1, format: options.format, manner: manner)
            .replay(recording, trace: recording.trace(beside: file), halt: halt, into: document)
        results.found = suites
        results.conclusion = "\(recording.name), seed \(recording.seed): \(status.word)"
        let isPlayed = ![.interrupted, .wrongFile, .wrongUse].contains(status)
        if halt != nil, isPlayed, !isReached { tellMissed() }
        return status
    }

    /// - Throws: `WrongUse` where the topology has no such device.
    private func demand(_ device: String, in recording: Replay) throws {
        let topology = try recording.topology.read(name: recording.name, file: recording.file)
        let names = topology.devices.map(\.name)
        guard !names.contains(device) else { return }
        throw WrongUse(
            "--pause-device \(device): \(recording.name) has no device \(device)"
                + Suggestion.question(about: device, among: names))
    }

    private func halt(into document: ResultsDocument?, _ onHalt: @escaping () -> Void) -> Halt? {
        let place: Halt.Place? = until.map { .moment($0) } ?? event.map { .event($0) }
        guard place != nil || pauseDevice != nil else { return nil }
        return Halt(at: place, holding: pauseDevice) { [options] state, held in
            onHalt()
            if let document { return try document.add(state) }
            switch options.format {
            case .json: try write(Artifacts.json(state), to: STDOUT_FILENO)
            case .text: try show(state.text + "\n")
            case .tap: break
            }
            if let held { try show("\n" + invitation(held)) }
        }
    }

    private func invitation(_ held: Halt.Held) -> String {
        let how =
            held.process.map { "\(held.name) is process \($0): lldb -p \($0), or gdb -p \($0)" }
            ?? "\(held.name) dials in: attach a debugger where it runs"
        return "\(how)\nVirtual time stands still until you press Enter.\n"
    }

    private func tellMissed() {
        let place =
            until.map { "there was no step at \($0.seconds) or later" }
            ?? event.map { "there was no event \($0)" }
        let turn = pauseDevice.map { "\($0) had no turn" + (place == nil ? "" : " from there on") }
        printError("the run did not halt: \(place ?? turn ?? "")")
    }
}

extension Replay {
    /// The whole trace of the recorded run, where it still stands beside the replay file.
    fileprivate func trace(beside file: String) -> String? {
        let trace = URL(filePath: file).deletingLastPathComponent().appending(path: "trace.jsonl")
            .relativePath
        // A run that was cut off somewhere will not be cut off there again.
        return !digest.isEmpty && FileManager.default.fileExists(atPath: trace) ? trace : nil
    }
}
