import Artifacts
package import DeviceLink
import Glibc
package import Scenarios
package import UV

/// Devices as processes of their own, children of this one, joined to it by virtual socket links.
///
/// Processes serve many runs: a reset makes a free one the device of the next run. All of it happens
/// on the loop; nothing here decides anything about the run.
package final class ProcessHosting: DeviceHosting {
    package enum Transport: String, Codable, CaseIterable, Sendable {
        case pipes
        case socketpair
        /// A unix socket that the device dials.
        case unix
    }

    /// How processes are started, joined to us and watched.
    package struct Options: Codable, Equatable, Sendable {
        package var transport = Transport.pipes
        /// Whether every run has processes as if they had just started: a device that can sees to it by itself.
        package var usesFreshProcesses = false
        /// Whether a device that is killed gets its next life by a reset of the process that it had, as it would in
        /// the next run: to start a program costs more than to play the rest of a run.
        package var restartsInPlace = false
        /// How long a turn may take, in milliseconds of real time.
        package var watchdog: UInt64 = 5_000
        /// Where the reference devices' programs are.
        package var programs: String
        /// Where devices that dial in by themselves find us: `DIR/NAME.sock`; nil is a new folder.
        package var sockets: String?
        /// The most bytes of address space that somebody else's program may have; 0 is without a limit.
        package var memory: UInt64 = 0

        package init(programs: String, sockets: String? = nil) {
            self.programs = programs
            self.sockets = sockets
        }
    }

    let loop: Loop
    let options: Options
    private let watchdog: Ticker
    weak var listener: (any HostingListener)?
    /// Called now and then while a run goes on.
    var onProgress: () -> Void = {}
    private struct Seat {
        let name: String
        let program: ProgramKey
        /// Whether its crash is an error of ours.
        let mayNotCrash: Bool
        let log = LogBudget()
        /// Which of its lives it was asked for last.
        var incarnation: UInt32 = 0
        /// In which it lives, while it lives.
        var process: DeviceProcess?
    }

    private var seats: [Seat] = []
    private var free: [DeviceProcess] = []
    /// Processes of devices that were killed in a turn: free as soon as they have answered.
    private var leaving: [DeviceProcess] = []
    private var tick: UInt64 = 0
    /// The device that may take as long as it wants.
    private var unwatched: Int?
    /// How many sockets were listened on so far, for their names.
    var socketCount = 0
    /// How many processes with hosts were started so far, for their places.
    var placeCount = 0
    /// Whether hosts are to write into their logs what they do in each turn.
    var tellsTurns = false {
        // Who has been started does not change that.
        didSet { releaseDevices() }
    }
    /// The folder of the sockets, once there are any.
    private var socketsFolder: SocketsFolder?
    /// Who ends what foreign devices leave behind where we are killed, once there are any: he waits for
    /// the end of a pipe.
    var warden: (mark: String, pipe: Descriptor)?

    package init(_ loop: Loop, _ options: Options) throws {
        self.loop = loop
        self.options = options
        watchdog = try Ticker(on: loop)
    }

    package func begin(_ topology: Topology, for listener: any HostingListener) throws {
        self.listener = listener
        seats = topology.devices.map {
            Seat(
                name: $0.name, program: ProgramKey($0, in: topology.folder),
                mayNotCrash: $0.mayNotCrash)
        }
        unwatched = nil
        try watchdog.start(every: period) { [unowned self] in try watch() }
    }

    package func start(_ device: Int, _ reset: Reset) throws {
        let process = try takeProcess(for: device)
        if process.program.hasStorage {
            try process.place?.lead(
                toDevice: device, of: sockets().path, isNew: reset.incarnation == 0)
        }
        process.device = device
        process.lastProgress = tick
        seats[device].process = process
        seats[device].incarnation = reset.incarnation
        if process.logger == nil { log(process, asDevice: device) }
        try process.send(.reset(reset))
    }

    private func log(_ process: DeviceProcess, asDevice device: Int) {
        process.logger = { [listener, budget = seats[device].log] bytes in
            try budget.spend(bytes) { try listener?.logged(device, $0) }
        }
    }

    package func grant(
        _ device: Int, turn: UInt32, now: VirtualTime, _ event: DeviceEvent
    ) throws {
        guard let process = seats[device].process else { return }
        process.lastProgress = tick
        let grant = OrchestratorFrame.grant(turn: turn, now: now, event)
        // What it logs before it is ready belongs to the run before, what it logs in a turn to this one.
        if process.owesReady { process.firstGrant = grant } else { try process.send(grant) }
    }

    package func kill(_ device: Int) throws {
        guard let process = seats[device].process else { return }
        seats[device].process = nil
        process.device = nil
        guard options.restartsInPlace, process.child != nil else { return try end(process) }
        process.firstGrant = nil
        leaving.append(process)
        try release(process)
    }

    package func expel(_ device: Int) throws {
        guard let process = seats[device].process else { return }
        seats[device].process = nil
        process.device = nil
        try end(process)
    }

    package func freeze(_ device: Int) throws {
        seats[device].process?.isStopped = true
        try seats[device].process?.child?.kill(.stop)
    }

    package func thaw(_ device: Int) throws {
        guard let process = seats[device].process else { return }
        process.isStopped = false
        process.lastProgress = tick
        try process.child?.kill(.continue)
    }

    package func settle() throws {
        for process in seats.compactMap(\.process)
        where !process.isOfOurs && !process.program.isHost && process.isFree && !process.isStopped {
            try settle(process)
        }
    }

    /// What a device says after its answers it says at once: as soon as it waits for us, all of it is there.
    private func settle(_ process: DeviceProcess) throws {
        let first = process.status?.cpuMilliseconds ?? 0
        while let status = process.status, status.state == .running || status.state == .waiting,
            status.cpuMilliseconds < first + Self.patience
        { usleep(100) }
        try process.drainLink()
        guard process.life == .alive, let truncation = process.truncation else { return }
        try fail(
            process, .protocolError,
            plainLine("\(truncation), between turns. DEVICE-LINK.md says what a device may send"))
    }

    /// How long a device that goes on working after its last turn is waited for, in milliseconds of processor time.
    ///
    /// It is its own time: on a busy machine it may not have worked at all. A virtual machine counts what its host takes
    /// from it as well, some tens of milliseconds at once.
    private static let patience: UInt64 = 100

    package func finish() throws {
        try watchdog.stop()
        for device in seats.indices {
            guard let process = seats[device].process else { continue }
            if process.isStopped { try thaw(device) }
            try process.drainLog()
            process.device = nil
            if process.isFree && process.isClean(asIfFresh: options.usesFreshProcesses) {
                free.append(process)
            } else {
                try dismiss(process)
            }
        }
        for process in leaving { try end(process) }
        leaving = []
        if let socketsFolder, seats.contains(where: \.program.hasStorage) {
            HostPlace.removeFiles(in: socketsFolder.path)
        }
        seats = []
    }

    package func lastFrame(of device: Int) -> UInt64? { seats[device].process?.lastFrame }

    /// The process in which a device lives; nil where it has none, or one that dialled in.
    package func processID(of device: Int) -> Int32? { seats[device].process?.home }

    /// Whether a device has yet to say that it is what it was told to be.
    func owesReady(_ device: Int) -> Bool { seats[device].process?.owesReady == true }

    /// Lets a device take as long as it wants in this run: somebody debugs it.
    package func stopWatching(_ device: Int) { unwatched = device }

    /// The process ids of devices that wait for the next run.
    package var waitingProcessIDs: [Int32] { free.compactMap { $0.child?.pid } }

    /// Lets every free process go: the next run has new ones.
    func releaseDevices() {
        for process in free { process.dismiss() }
        free = []
    }

    /// Lets every free process go, for good.
    ///
    /// Those of somebody else get a moment to write what is left of their logs.
    package func shutDown() {
        for process in free { process.dismiss() }
        let slow = free.filter { $0.program.isForeign }
        free = []
        var isTimeUp = false
        do { try watchdog.start(every: Self.farewell) { isTimeUp = true } } catch {
            isTimeUp = true
        }
        while !isTimeUp, slow.contains(where: { $0.life != .over }) {
            guard (try? loop.runOnce()) != nil else { break }
        }
        watchdog.close()
        socketsFolder?.remove()
    }

    /// The folder of the sockets, made where it is not there yet.
    func sockets() throws -> SocketsFolder {
        if let socketsFolder { return socketsFolder }
        let folder = try SocketsFolder(options.sockets)
        socketsFolder = folder
        return folder
    }

    /// How long a foreign device may take to leave, in milliseconds.
    private static let farewell: UInt64 = 500

    private func dismiss(_ process: DeviceProcess) throws {
        if process.isFree { process.dismiss() } else { try end(process) }
    }

    private func end(_ process: DeviceProcess) throws {
        process.life = .dismissed
        try process.child?.kill(.kill)
        process.close()
    }

    // MARK: Processes

    private func takeProcess(for device: Int) throws -> DeviceProcess {
        let program = seats[device].program
        if let index = free.lastIndex(where: { $0.program == program && $0.isFree }) {
            return free.remove(at: index)
        }
        do {
            return try launch(program)
        } catch let error as UVError {
            throw HarnessError(launching: seats[device].name, error)
        } catch let error as LaunchFailure {
            throw DeviceFailure(
                device: device, name: seats[device].name, kind: .launch, reason: error.reason)
        }
    }

    func connect(_ process: DeviceProcess, input: Pipe, output: Pipe) throws {
        try process.connect(input: input, output: output) { [unowned self] frame in
            try received(frame, from: process)
        } onError: { [unowned self] error in
            try fail(
                process, .protocolError,
                plainLine("\(error). DEVICE-LINK.md says what a device may send"))
        } onHangUp: { [unowned self] in
            // A spawned process that is gone tells by its exit; one that dialled in has no other way.
            guard process.child == nil else { return }
            let truncation = process.truncation
            try fail(
                process, truncation == nil ? .crash : .protocolError,
                truncation.map { "\($0)" } ?? "it closed its link")
        }
    }

    private func received(_ frame: DeviceFrame, from process: DeviceProcess) throws {
        process.lastProgress = tick
        guard let device = process.device else { return try release(process) }
        switch frame {
        case .answers(_, let answers): try listener?.answered(device, answers)
        case .ready, .refused:
            // It has flushed what belongs to the run before.
            try process.drainLog()
            log(process, asDevice: device)
            if case .refused(let reason) = frame {
                return try fail(
                    process,
                    DeviceFailure(
                        refusing: plainLine(reason), device, seats[device].name,
                        incarnation: seats[device].incarnation))
            }
            if let grant = process.firstGrant { try process.send(grant) }
            process.firstGrant = nil
        case .hello: break
        }
    }

    /// Makes the process of a device that was killed free, once it owes nothing more; one that keeps global state
    /// ends, as it would have.
    private func release(_ process: DeviceProcess) throws {
        guard process.isFree, let place = leaving.firstIndex(where: { $0 === process }) else {
            return
        }
        leaving.remove(at: place)
        if process.isClean(asIfFresh: options.usesFreshProcesses) {
            free.append(process)
        } else {
            try end(process)
        }
    }

    func ended(_ process: DeviceProcess, by exit: ChildProcess.Exit) throws {
        let wasAlive = process.life == .alive
        process.life = .over
        process.close()
        free.removeAll { $0 === process }
        leaving.removeAll { $0 === process }
        guard wasAlive else { return }
        if exit == .signaled(.kill) { return try crashed(process, exit) }
        if process.isOfOurs, process.owesHello {
            // Until it is in a group of its own, what asks us to end may end it as well.
            try Interruption.check()
            throw HarnessError(
                "our own program for \(process.device.map { seats[$0].name } ?? "a device") "
                    + "did not start: the process \(exit); \(process.lastWords). "
                    + HarnessError.limits)
        }
        if process.program.isForeign, try isNoProgram(process, exit) { return }
        if case .exited = exit, let truncation = process.truncation {
            let said = process.lastWords
            try fail(process, .protocolError, "\(truncation); the process \(exit), \(said)")
        } else {
            try crashed(process, exit)
        }
    }

    private func crashed(_ process: DeviceProcess, _ exit: ChildProcess.Exit) throws {
        let isLimited = process.program.isForeign && options.memory > 0
        let limit = isLimited ? " (--device-memory limits what it may have)" : ""
        let isOurs = process.device.map { seats[$0].mayNotCrash } ?? false
        let blame = isOurs ? ", which is an error of anechoic: please report it" : ""
        try fail(
            process,
            process.device.map {
                DeviceFailure(
                    device: $0, name: seats[$0].name, kind: .crash,
                    reason: "the process \(exit) unasked\(limit)\(blame); \(process.lastWords)",
                    isOurs: isOurs, isKilled: exit == .signaled(.kill))
            })
    }

    /// Whether somebody else's program ended before it ran; if so, this is reported.
    ///
    /// - Throws: `HarnessError` where the system would not have it.
    private func isNoProgram(
        _ process: DeviceProcess, _ exit: ChildProcess.Exit
    ) throws -> Bool {
        let name = process.device.map { seats[$0].name } ?? "a device"
        switch process.launchReport.outcome {
        case .begun: return false
        // That is what --device-memory asks for.
        case .refused(let error) where error.code == .noMemory && options.memory > 0: return false
        case .refused(let error): throw HarnessError(launching: name, error)
        case .neverTried:
            throw HarnessError(
                "our launcher for \(name) came to nothing: the process \(exit); "
                    + "\(process.lastWords). \(HarnessError.limits)")
        case .noProgram(let reason):
            try fail(process, .launch, "it cannot be run: \(reason); \(process.lastWords)")
            return true
        }
    }

    private func fail(
        _ process: DeviceProcess, _ kind: DeviceFailure.Kind, _ reason: String
    ) throws {
        try fail(
            process,
            process.device.map {
                DeviceFailure(device: $0, name: seats[$0].name, kind: kind, reason: reason)
            })
    }

    private func fail(_ process: DeviceProcess, _ failure: DeviceFailure?) throws {
        free.removeAll { $0 === process }
        leaving.removeAll { $0 === process }
        if process.life == .alive { try end(process) }
        // Between runs there is nobody to blame a run on; the next one gets another process.
        guard let device = process.device, let failure else { return }
        process.device = nil
        seats[device].process = nil
        try listener?.failed(failure)
    }

    // MARK: The watchdog

    /// How long a tick lasts, in milliseconds.
    private var period: UInt64 { max(options.watchdog / 4, 10) }

    /// Compares progress with the last ticks: four without any is the time a turn may take.
    ///
    /// What a device waits for a core is the machine's time and not its own: for as much as a tick it is given one more.
    private func watch() throws {
        tick += 1
        // Whoever owes something is late sooner or later; where nobody does, nothing bounds how long it lasts.
        if seats.contains(where: { $0.process?.debts.next != nil }) { onProgress() }
        for process in seats.compactMap(\.process) where process.life == .alive {
            let queue = process.worker.map(ProcessStatus.queueMilliseconds) ?? 0
            if queue >= process.queueGiven + period {
                process.queueGiven = queue
                process.lastProgress += 1
                continue
            }
            if process.hasHungUp {
                // Where it exits as well, that tells more.
                process.ticksHungUp += 1
                guard process.ticksHungUp > 2 else { continue }
                try fail(process, .protocolError, "\(process.prematureEnd)\(process.whatItDoes)")
            } else if process.debts.next != nil, !process.isStopped, process.device != unwatched,
                tick > process.lastProgress + 4
            {
                let missing =
                    process.listener.map { "nobody dialled \($0.path)" }
                    ?? "\(process.debts.next ?? "an answer") did not come"
                try fail(
                    process, .hang,
                    "\(missing) within \(options.watchdog) ms\(process.whatItDoes); --watchdog gives it longer"
                )
            }
        }
    }
}
