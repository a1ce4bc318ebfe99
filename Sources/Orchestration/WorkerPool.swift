package import UV

package import struct Foundation.Data
package import class Foundation.ProcessInfo

/// Runs spread over worker processes, one for each core, so that a device that takes its process down
/// costs one run only.
///
/// A worker reads a task a line and answers a result a line, both JSON.
package final class WorkerPool<Work: Encodable & TopologyTask> {
    private let loop: Loop
    private var jobs: Int
    private let ahead: Int
    private let command: (executable: String, arguments: [String])
    private let next: () throws -> Work?
    private let onResult: (Work, Result<Data, WorkerDied>) throws -> Void
    /// Tasks whose worker died before it got them.
    private var returned: [Work] = []
    private var workers: [Worker] = []

    private final class Worker {
        var child: ChildProcess?
        var input: Pipe?
        var output: Pipe?
        /// What it has been given and not done, in that order.
        var tasks: [Work] = []
        /// What the last task that it was given plays.
        var document: TopologyDocument?
        /// Whether it gets no more.
        var isLeaving = false
        var line: [UInt8] = []
    }

    private init(
        _ loop: Loop, jobs: Int, ahead: Int, command: (String, [String]),
        next: @escaping () throws -> Work?,
        onResult: @escaping (Work, Result<Data, WorkerDied>) throws -> Void
    ) {
        self.loop = loop
        self.jobs = jobs
        self.ahead = ahead
        self.command = command
        self.next = next
        self.onResult = onResult
    }

    /// Does tasks with `jobs` workers until `next` has none.
    ///
    /// Results come in the order in which they are ready. A result may lead to more tasks. Where somebody
    /// asks us to end, it returns before all are done. Whoever starts a process of his own meanwhile does so on the
    /// same `loop`, because a loop ends what it has not started. A worker that has `ahead` tasks beside the one it does
    /// never waits for us; the price is that as many more are done where a result makes an end.
    package static func run(
        on loop: Loop? = nil, jobs: Int, ahead: Int = 0, executable: String, arguments: [String],
        next: @escaping () throws -> Work?,
        onResult: @escaping (Work, Result<Data, WorkerDied>) throws -> Void
    ) throws {
        do {
            let manage = { (loop: Loop) in
                try Self.manage(
                    on: loop, jobs: jobs, ahead: ahead, command: (executable, arguments),
                    next: next, onResult: onResult)
            }
            if let loop { try manage(loop) } else { try Loop.with(manage) }
        } catch let error as UVError {
            throw HarnessError(starting: "the workers", error)
        }
    }

    private static func manage(
        on loop: Loop, jobs: Int, ahead: Int, command: (String, [String]),
        next: @escaping () throws -> Work?,
        onResult: @escaping (Work, Result<Data, WorkerDied>) throws -> Void
    ) throws {
        let pool = WorkerPool(
            loop, jobs: jobs, ahead: ahead, command: command, next: next, onResult: onResult)
        EndRequest.beginNoting()
        let watch = try EndRequestWatch(on: loop) { [unowned pool] in try pool.interrupt() }
        defer { watch?.close() }
        try pool.hire()
        try loop.run()
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
        worker.child = try ChildProcess(
            Launch(
                command.executable, arguments: command.arguments,
                environment: ProcessInfo.processInfo.environment,
                descriptors: [.given(theirInput), .given(theirOutput), .shared(2)]), on: loop
        ) { [unowned self] exit in try ended(worker, by: exit) }
        worker.input = try Pipe(input, on: loop)
        worker.output = try Pipe(output, on: loop)
        try worker.input?.read { [unowned self] bytes in
            try received(bytes, from: worker)
        } onEnd: { _ in
        }
        workers.append(worker)
        return worker
    }

    private func nextTask() throws -> Work? {
        Interruption.isHere ? nil : try returned.popLast() ?? next()
    }

    private func give(_ task: Work, to worker: Worker) throws {
        let line = try TaskLine.bytes(of: task, after: worker.document)
        do throws(UVError) {
            try worker.output?.write(line)
            worker.tasks.append(task)
            worker.document = task.document
        } catch {
            // It has died, which we are about to hear; whoever takes its place gets this one.
            returned.append(task)
            worker.isLeaving = true
        }
    }

    private func received(_ bytes: UnsafeRawBufferPointer, from worker: Worker) throws {
        worker.line.append(contentsOf: bytes)
        while let end = worker.line.firstIndex(of: 0x0A), !worker.tasks.isEmpty {
            let line = Data(worker.line[..<end])
            worker.line.removeSubrange(...end)
            try onResult(worker.tasks.removeFirst(), .success(line))
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
        if let task = worker.tasks.first {
            returned += worker.tasks.dropFirst().reversed()
            try onResult(task, .failure(WorkerDied(reason: "the worker process \(exit)")))
        }
        try hire()
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
}
