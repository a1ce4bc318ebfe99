package import DeviceLink
package import Topologies
package import UV

internal import class Foundation.FileManager
internal import class Foundation.ProcessInfo

/// Devices as processes of their own, children of this one, joined to it by virtual socket links.
///
/// Processes serve many runs: a reset makes a free one the device of the next run. All of it happens
/// on the loop; nothing here decides anything about the run.
package final class ProcessHosting: DeviceHosting {
    /// How devices are joined to us.
    package enum Transport: String, CaseIterable, Sendable {
        /// Two pipes.
        case pipes
        /// One socket pair.
        case socketpair
        /// A unix socket that the device dials.
        case unix
    }

    /// What can be set.
    package struct Options: Sendable {
        /// How devices are joined to us.
        package var transport = Transport.pipes
        /// Whether every run starts its own processes.
        package var usesFreshProcesses = false
        /// How long a turn may take, in milliseconds of real time.
        package var watchdog: UInt64 = 5_000
        /// Where the reference devices' programs are.
        package var programs: String
        /// Where devices that dial in by themselves find us: `DIR/NAME.sock`.
        package var sockets: String

        /// Options.
        package init(programs: String, sockets: String) {
            self.programs = programs
            self.sockets = sockets
        }
    }

    private let loop: Loop
    private let options: Options
    private let watchdog: Timer
    private weak var listener: (any HostingListener)?
    private var names: [String] = []
    private var programs: [ProgramKey] = []
    private var playing: [DeviceProcess?] = []
    private var free: [DeviceProcess] = []
    private var tick: UInt64 = 0
    private var dialled = 0

    /// A hosting on a loop.
    package init(_ loop: Loop, _ options: Options) throws {
        self.loop = loop
        self.options = options
        watchdog = try Timer(loop)
    }

    package func begin(_ topology: Topology, for listener: any HostingListener) throws {
        self.listener = listener
        names = topology.devices.map(\.name)
        programs = topology.devices.map { ProgramKey($0) }
        playing = Array(repeating: nil, count: topology.devices.count)
        let period = max(options.watchdog / 4, 10)
        watchdog.start(after: period, every: period) { [unowned self] in try watch() }
    }

    package func start(_ device: Int, _ reset: Reset) throws {
        let process = try takeProcess(for: device)
        process.device = device
        process.lastProgress = tick
        playing[device] = process
        try process.send(.reset(reset))
    }

    package func grant(
        _ device: Int, turn: UInt32, now: VirtualTime, _ event: DeviceEvent
    ) throws {
        guard let process = playing[device] else { return }
        process.lastProgress = tick
        try process.send(.grant(turn: turn, now: now, event))
    }

    package func kill(_ device: Int) throws {
        guard let process = playing[device] else { return }
        playing[device] = nil
        process.device = nil
        process.life = .dismissed
        try process.child?.kill(.kill)
        process.close()
    }

    package func freeze(_ device: Int) throws {
        playing[device]?.isStopped = true
        try playing[device]?.child?.kill(.stop)
    }

    package func thaw(_ device: Int) throws {
        guard let process = playing[device] else { return }
        process.isStopped = false
        process.lastProgress = tick
        try process.child?.kill(.continue)
    }

    package func finish() throws {
        watchdog.stop()
        for device in playing.indices {
            guard let process = playing[device] else { continue }
            if process.isStopped { try thaw(device) }
            process.device = nil
            if process.isFree && !process.keepsGlobalState && !options.usesFreshProcesses {
                free.append(process)
            } else {
                try dismiss(process)
            }
        }
        playing = []
    }

    /// The process ids of devices that wait for the next run.
    package var waitingProcessIDs: [Int32] { free.compactMap { $0.child?.pid } }

    /// Lets every free process go.
    package func shutDown() {
        for process in free { process.dismiss() }
        free = []
        watchdog.close()
    }

    private func dismiss(_ process: DeviceProcess) throws {
        if process.isFree {
            process.dismiss()
        } else {
            process.life = .dismissed
            try process.child?.kill(.kill)
            process.close()
        }
    }

    // MARK: Processes

    private func takeProcess(for device: Int) throws -> DeviceProcess {
        let program = programs[device]
        if let index = free.lastIndex(where: { $0.program == program && $0.isFree }) {
            return free.remove(at: index)
        }
        do {
            return try launch(program, for: device)
        } catch let error as UVError {
            throw DeviceFailure(
                device: device, name: names[device], kind: .launch,
                reason: "\(error); is the program there and executable?")
        }
    }

    private func launch(_ program: ProgramKey, for device: Int) throws -> DeviceProcess {
        let process = DeviceProcess(program)
        if case .dialsIn(let name) = program {
            try listen(for: process, at: "\(options.sockets)/\(name).sock")
            return process
        }
        switch options.transport {
        case .pipes:
            let (input, theirOutput) = try Descriptor.pipe(for: .reading)
            let (output, theirInput) = try Descriptor.pipe(for: .writing)
            try spawn(process, link: "pipes:3,4", [theirInput, theirOutput])
            try connect(process, input: Pipe(loop, input), output: Pipe(loop, output))
        case .socketpair:
            let (ours, theirs) = try Descriptor.socketPair()
            try spawn(process, link: "socket:3", [theirs])
            let pipe = try Pipe(loop, ours)
            try connect(process, input: pipe, output: pipe)
        case .unix:
            dialled += 1
            let path =
                "\(options.sockets)/\(ProcessInfo.processInfo.processIdentifier)-\(dialled).sock"
            try listen(for: process, at: path)
            try spawn(process, link: "unix:\(path)", [])
        }
        return process
    }

    private func listen(for process: DeviceProcess, at path: String) throws {
        try FileManager.default.createDirectory(
            atPath: options.sockets, withIntermediateDirectories: true)
        var listener: Listener?
        listener = try Listener(loop, path: path) { [unowned self] pipe in
            listener?.close()
            listener = nil
            try connect(process, input: pipe, output: pipe)
        }
    }

    private func spawn(_ process: DeviceProcess, link: String, _ descriptors: [Descriptor]) throws {
        let (log, theirLog) = try Descriptor.pipe(for: .reading)
        let number = theirLog.number ?? -1
        let (executable, arguments) = process.program.command(in: options.programs)
        var environment = ProcessInfo.processInfo.environment
        environment["ANECHOIC_LINK"] = link
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        defer { theirLog.close() }
        process.child = try ChildProcess(
            loop,
            Launch(
                executable, arguments, environment: environment,
                descriptors: [.nothing, .shared(number), .shared(number)]
                    + descriptors.map { .given($0) })
        ) { [unowned self] exit in try ended(process, exit) }
        try process.connect(log: Pipe(loop, log)) { [unowned self] bytes in
            if let device = process.device { try listener?.logged(device, bytes) }
        }
    }

    private func connect(_ process: DeviceProcess, input: Pipe, output: Pipe) throws {
        try process.connect(input: input, output: output) { [unowned self] frame in
            try received(frame, from: process)
        } onError: { [unowned self] error in
            try fail(
                process, .protocolError,
                "\(error). DEVICE-LINK.md says what a device may send")
        } onHangUp: { [unowned self] in
            // A spawned process that is gone tells by its exit; one that dialled in has no other way.
            guard process.child == nil else { return }
            try fail(process, .crash, "it closed its link")
        }
    }

    private func received(_ frame: DeviceFrame, from process: DeviceProcess) throws {
        process.lastProgress = tick
        guard let device = process.device else { return }
        switch frame {
        case .answers(_, let answers): try listener?.answered(device, answers)
        case .refused(let reason): try fail(process, .refusal, reason)
        case .hello, .ready: break
        }
    }

    private func ended(_ process: DeviceProcess, _ exit: ChildProcess.Exit) throws {
        let wasAlive = process.life == .alive
        process.life = .over
        process.close()
        free.removeAll { $0 === process }
        guard wasAlive else { return }
        let tail = process.logTail.lines
        let said =
            tail.isEmpty
            ? "it had logged nothing" : "its last lines:\n  " + tail.joined(separator: "\n  ")
        try fail(process, .crash, "the process \(exit) unasked; \(said)")
    }

    private func fail(
        _ process: DeviceProcess, _ kind: DeviceFailure.Kind, _ reason: String
    ) throws {
        guard let device = process.device else { return }
        process.device = nil
        playing[device] = nil
        if process.life == .alive { try dismiss(process) }
        try listener?.failed(
            DeviceFailure(device: device, name: names[device], kind: kind, reason: reason))
    }

    // MARK: The watchdog

    /// Compares progress with the last ticks: four without any is the time a turn may take.
    private func watch() throws {
        tick += 1
        for process in playing {
            guard let process, !process.debts.isEmpty, !process.isStopped,
                tick > process.lastProgress + 4
            else { continue }
            let state = process.child.flatMap { ProcessStatus(of: $0.pid) }.map { "\($0)" }
            process.hasHungUp = true
            try fail(
                process, .hang,
                "no \(process.debts.first?.name ?? "answer") within \(options.watchdog) ms"
                    + (state.map { " (process \($0))" } ?? "")
                    + "; --watchdog gives it longer")
        }
    }
}

extension ProgramKey {
    /// The program of a device.
    init(_ spec: DeviceSpec) {
        switch spec.program {
        case .appleDevice: self = .appleDevice
        case .accessory: self = .accessory
        case .executable(let path, let arguments, _):
            self = .executable(path: path, arguments: arguments)
        case .dialsIn: self = .dialsIn(name: spec.name)
        }
    }

    /// What is spawned for it.
    func command(in programs: String) -> (String, [String]) {
        switch self {
        case .appleDevice: ("\(programs)/apple-device", [])
        case .accessory: ("\(programs)/accessory", [])
        case .executable(let path, let arguments): (path, arguments)
        case .dialsIn: preconditionFailure("a program that dials in is not spawned")
        }
    }
}
