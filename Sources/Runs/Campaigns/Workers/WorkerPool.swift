import Artifacts
package import Orchestration
import UV

package import struct Foundation.Data
package import class Foundation.ProcessInfo

/// Runs spread over worker processes, one for each core, so that a device that takes its process down
/// costs one run only.
///
/// A worker reads a task a line and answers a result a line, both JSON; an empty line says that it goes on. One that
/// says nothing at all is ended. Where SIGKILL ends one, which a system does that is short of memory, what it had in
/// hand is done by another one.
package final class WorkerPool<Work: Encodable & TopologyTask> {
    private let loop: Loop
    private var jobs: Int
    private let ahead: Int
    private let command: (executable: String, arguments: [String])
    private let next: () throws -> Work?
    private let onResult: (Work, Result<Data, WorkerDied>) throws -> Void
    /// How long a worker may say nothing, in milliseconds; nil is for ever.
    private let silence: UInt64?
    /// Tasks whose worker died before it did them.
    private var returned: [Given] = []
    private var workers: [Worker] = []
    /// What was wrong with workers, beside what tasks show.
    private var troubles: [String] = []

    /// A task, and how many workers were killed with it in hand.
    private struct Given {
        let work: Work
        var kills = 0
    }

    private final class Worker {
        var child: ChildProcess?
        var input: Pipe?
        var output: Pipe?
        /// Whose turn it was, if a device's library has taken it along.
        var slate: TurnSlate?
        /// What it has been given and not done, in that order.
        var tasks: [Given] = []
        /// For how many looks it has said nothing.
        var silence = 0
        /// What the last task that it was given plays.
        var document: TopologyDocument?
        /// Whether it gets no more.
        var isLeaving = false
        var line: [UInt8] = []
    }

    private init(
        _ loop: Loop, jobs: Int, ahead: Int, silence: UInt64?, command: (String, [String]),
        next: @escaping () throws -> Work?,
        onResult: @escaping (Work, Result<Data, WorkerDied>) throws -> Void
    ) {
        self.loop = loop
        self.jobs = jobs
        self.ahead = ahead
        self.silence = silence
        self.command = command
        self.next = next
        self.onResult = onResult
    }

    /// Does tasks with `jobs` workers until `next` has none.
    ///
    /// Results come in the order in which they are ready. A result may lead to more tasks. Where somebody
    /// asks us to end, it returns before all are done. A worker that has `ahead` tasks beside the one it does
    /// never waits for us; the price is that as many more are done where a result makes an end. One that says nothing
    /// for `silence` milliseconds (``RunSettings/mostSilence``) is ended, also where it only has to leave.
    ///
    /// - Returns: What was wrong with workers that were ended for their silence, each in a sentence: an error of ours,
    ///   whatever has become of their tasks.
    @discardableResult
    package static func run(
        jobs: Int, ahead: Int = 0, silence: UInt64?, executable: String, arguments: [String],
        next: @escaping () throws -> Work?,
        onResult: @escaping (Work, Result<Data, WorkerDied>) throws -> Void
    ) throws -> [String] {
        do {
            return try Loop.with { loop in
                let pool = WorkerPool(
                    loop, jobs: jobs, ahead: ahead, silence: silence,
                    command: (executable, arguments), next: next, onResult: onResult)
                try pool.manage()
                return pool.troubles
            }
        } catch let error as UVError {
            throw HarnessError(starting: "the workers", error)
        }
    }

    private func manage() throws {
        EndRequest.beginNoting()
        let watch = try EndRequestWatch(on: loop) { [unowned self] in try interrupt() }
        defer { watch?.close() }
        let ticker = try silence.map { try listen(for: $0) }
        defer { ticker?.close() }
        try hire()
        try loop.run()
    }

    // MARK: Silence

    /// How often one that says nothing is looked at until it is ended.
    private static var looks: Int { 12 }

    /// Looks at the workers now and then; by looks and not by the clock, because we may have been stopped ourselves.
    private func listen(for silence: UInt64) throws(UVError) -> Ticker {
        let ticker = try Ticker(on: loop)
        ticker.keepsLoopAlive = false
        try ticker.start(every: max(1, silence / UInt64(Self.looks))) { [unowned self] in
            for worker in workers {
                worker.silence += 1
                if worker.silence == Self.looks + 1 { try worker.child?.kill(.kill) }
            }
        }
        return ticker
    }

    /// Takes on workers while there is something to do, and then gives those who have something more.
    private func hire() throws {
        while workers.count < jobs, let first = try nextTask() {
            let worker: Worker
            do throws(UVError) {
                worker = try start()
            } catch {
                // Where the system has no room for more, those who are there do the work.
                guard !workers.isEmpty else { throw HarnessError(starting: "a worker", error) }
                returned.append(first)
                jobs = workers.count
                return
            }
            try give(first, to: worker)
        }
        for worker in workers where !worker.tasks.isEmpty { try fill(worker) }
    }

    /// Gives a worker as many tasks as it may have.
    private func fill(_ worker: Worker) throws {
        while !worker.isLeaving, worker.tasks.count <= ahead, let next = try nextTask() {
            try give(next, to: worker)
        }
    }

    private func start() throws(UVError) -> Worker {
        let worker = Worker()
        let (output, theirInput) = try Descriptor.pipe(for: .writing)
        let (input, theirOutput) = try Descriptor.pipe(for: .reading)
        let (slate, theirSlate) = try TurnSlate.make()
        worker.slate = slate
        worker.child = try ChildProcess(
            Launch(
                command.executable, arguments: command.arguments,
                environment: ProcessInfo.processInfo.environment,
                descriptors: [
                    .given(theirInput), .given(theirOutput), .shared(2), .given(theirSlate),
                ]), on: loop
        ) { [unowned self] exit in try ended(worker, by: exit) }
        worker.input = try Pipe(input, on: loop)
        worker.output = try Pipe(output, on: loop)
        try worker.input?.read { [unowned self] bytes in
            HangWatch.beat()
            try received(bytes, from: worker)
        } onEnd: { _ in
        }
        workers.append(worker)
        return worker
    }

    private func nextTask() throws -> Given? {
        Interruption.isHere ? nil : try returned.popLast() ?? next().map { Given(work: $0) }
    }

    private func give(_ task: Given, to worker: Worker) throws {
        let line = try TaskLine.bytes(of: task.work, after: worker.document)
        do throws(UVError) {
            try worker.output?.write(line)
            worker.tasks.append(task)
            worker.document = task.work.document
        } catch {
            // It has died, which we are about to hear; whoever takes its place gets this one.
            returned.append(task)
            worker.isLeaving = true
        }
    }

    private func received(_ bytes: UnsafeRawBufferPointer, from worker: Worker) throws {
        worker.silence = 0
        worker.line.append(contentsOf: bytes)
        while let end = worker.line.firstIndex(of: 0x0A), !worker.tasks.isEmpty {
            let line = Data(worker.line[..<end])
            worker.line.removeSubrange(...end)
            guard !line.isEmpty else { continue }
            try onResult(worker.tasks.removeFirst().work, .success(line))
            try fill(worker)
            guard worker.tasks.isEmpty, !worker.isLeaving else { continue }
            worker.isLeaving = true
            worker.output?.closeWhenWritten()
        }
        // A result may have led to more than its worker can do.
        try hire()
    }

    /// A worker left.
    ///
    /// With a task in hand it died of it, and of none of those that it had ahead. Another one takes its place where
    /// something is left to do.
    private func ended(_ worker: Worker, by exit: ChildProcess.Exit) throws {
        worker.isLeaving = true
        // What it had done before is no task that it died of.
        try worker.input?.drain()
        worker.input?.close()
        worker.output?.close()
        workers.removeAll { $0 === worker }
        guard !Interruption.isHere else { return }
        let death = death(of: worker, by: exit)
        if death.isSilent { troubles.append("\(death.reason). \(WorkerDied.blame)") }
        if var task = worker.tasks.first {
            returned += worker.tasks.dropFirst().reversed()
            task.kills += 1
            if exit == .signaled(.kill), !death.isSilent, death.culprit?.isHung != true,
                task.kills < Self.mostKills
            {
                returned.append(task)
            } else {
                try onResult(task.work, .failure(death))
            }
        }
        try hire()
    }

    /// Whoever is killed so often with the same task in hand may have died of it.
    private static var mostKills: Int { 3 }

    private func death(of worker: Worker, by exit: ChildProcess.Exit) -> WorkerDied {
        guard let silence, worker.silence > Self.looks else {
            return WorkerDied(
                reason: "the worker process \(exit)", culprit: worker.slate?.culprit(of: exit))
        }
        return WorkerDied(
            reason:
                "the worker process said nothing for \(Double(silence) / 1_000) s and was ended",
            isSilent: true)
    }

    /// How long workers may take to leave when somebody asks us to end, in milliseconds.
    private static var farewell: UInt64 { 750 }

    /// Workers end their runs, keep what they have, and leave, or are made to.
    private func interrupt() throws {
        for worker in workers {
            try? worker.child?.kill(.terminate)
            worker.output?.closeWhenWritten()
        }
        let timer = try Timer(on: loop)
        timer.keepsLoopAlive = false
        timer.start(after: Self.farewell) { [unowned self] in
            for worker in workers { try? worker.child?.kill(.kill) }
        }
    }
}

/// Why a task has no result.
package struct WorkerDied: Error, Equatable {
    /// What became of the worker's process.
    package let reason: String
    /// Whose failure it is; nil for ours.
    package var culprit: TurnSlate.Culprit?
    /// Whether it was ended because it said nothing any more.
    package var isSilent = false

    /// A death for this reason, which is ours unless a device is to blame.
    package init(reason: String, culprit: TurnSlate.Culprit? = nil, isSilent: Bool = false) {
        (self.reason, self.culprit, self.isSilent) = (reason, culprit, isSilent)
    }

    /// Whose error a silent worker is.
    static let blame =
        "A worker bounds each of its turns, so that is an error of anechoic (or somebody stopped it): please "
        + "report it; what it had in hand is played again"
}

extension RunSettings {
    /// How long a worker may say nothing, in milliseconds: longer than any turn may take; nil where runs go by the
    /// wall clock, because nothing happens between two of their events.
    package var mostSilence: UInt64? {
        clock == .wall ? nil : max(60_000, 2 * processes.watchdog)
    }
}
