internal import Foundation
package import HistoryRecords
internal import Orchestration
internal import Reports
internal import UV

/// The program that keeps a history, asked over two pipes.
///
/// What is told is kept once it is answered; requests are sent ahead, and what was sent and not answered is sent
/// again where the program has died meanwhile.
package final class HistoryClient {
    /// The program beside this one.
    package static let program = "anechoic-history"

    /// The loop on which its process lives, and whatever else is started meanwhile.
    let loop: Loop
    private let executable: String
    private let file: String
    private var child: ChildProcess?
    private var pipe: BlockingPipe?
    /// Lines that were sent and not answered, oldest first.
    private var pending: [Data] = []
    /// How often in a row it has died without an answer.
    private var deaths = 0
    /// Whether a campaign was begun, with which a new process has to go on.
    private var hasCampaign = false
    /// Wall-clock seconds that we have waited for it.
    package private(set) var waited = 0.0

    private init(_ executable: String, file: String, on loop: Loop) {
        (self.executable, self.file, self.loop) = (executable, file, loop)
    }

    /// Lends a client of a history, which is made where there is none, and ends it afterwards.
    ///
    /// - Throws: `WrongUse` where the file is none, `HarnessError` where the program cannot be started.
    package static func with<Value>(
        _ executable: String, file: String, _ body: (HistoryClient) throws -> Value
    ) throws -> Value {
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            throw HarnessError(
                description: "\(executable) is missing; it keeps the history of a soak. "
                    + "Scripts/anechoic soak builds it, and Scripts/install installs it")
        }
        ThisProcess.ignoreBrokenPipes()
        return try Loop.with { loop in
            let client = HistoryClient(executable, file: file, on: loop)
            try client.start()
            defer { client.leave() }
            return try body(client)
        }
    }

    // MARK: Asking

    /// How many requests are sent ahead: more than the workers of a machine finish while one is written.
    private static let ahead = 64

    /// Tells something; it returns before that is kept.
    package func tell(_ request: HistoryRequest) throws {
        try send(HistoryLine.data(of: request))
        while pending.count > Self.ahead || (!pending.isEmpty && answerIsThere()) {
            try takeAnswer()
        }
    }

    /// Waits until everything that was told is kept.
    package func flush() throws { while !pending.isEmpty { try takeAnswer() } }

    /// Asks something, after all that was told before.
    package func ask(_ request: HistoryRequest) throws -> HistoryAnswer {
        try flush()
        try send(HistoryLine.data(of: request))
        let answer = try takeAnswer()
        switch request {
        case .begin, .resume: hasCampaign = true
        default: break
        }
        return answer
    }

    /// An answer that was seen to be there, and not taken yet.
    private var early: [UInt8]?

    private func answerIsThere() -> Bool {
        if early == nil { early = pipe?.line(waits: false) }
        return early != nil
    }

    /// Takes the answer to the oldest request that was sent.
    @discardableResult
    private func takeAnswer() throws -> HistoryAnswer {
        let clock = ContinuousClock()
        let begin = clock.now
        defer { waited += (clock.now - begin) / .seconds(1) }
        let (request, answer) = try nextAnswer()
        return answer.isLackOfRoom ? try waitForRoom(for: request) : answer
    }

    /// The oldest request, and its answer.
    private func nextAnswer() throws -> (Data, HistoryAnswer) {
        while true {
            let line = early ?? pipe?.line()
            early = nil
            guard let line else {
                try startAgain()
                continue
            }
            deaths = 0
            let answer = try HistoryLine.value(HistoryAnswer.self, in: Data(line))
            if case .refused(let reason) = answer { throw HistoryRefusal(reason) }
            return (pending.removeFirst(), answer)
        }
    }

    private func send(_ line: Data) throws {
        pending.append(line)
        do throws(UVError) { try pipe?.write(Array(line)) } catch { try startAgain() }
    }

    /// What was refused for lack of room is asked again until there is some.
    private func waitForRoom(for request: Data) throws -> HistoryAnswer {
        var lacking: [Data] = []
        // What was sent ahead has an answer, too.
        while !pending.isEmpty {
            let (other, answer) = try nextAnswer()
            if answer.isLackOfRoom { lacking.append(other) }
        }
        var answer = HistoryAnswer.full
        try waitForRoom {
            try send(request)
            answer = try nextAnswer().1
            return !answer.isLackOfRoom
        }
        for line in lacking { try send(line) }
        return answer
    }

    /// The disk is full: nothing is handed out until there is room, because this does not return before.
    private func waitForRoom(_ isThere: () throws -> Bool) throws {
        printError(
            "\(file): the disk is full; the soak pauses, and goes on when there is room (Ctrl-C ends it, and "
                + "--resume goes on later)")
        repeat {
            sleep(1)
            HangWatch.beat()
            try Interruption.check()
        } while try !isThere()
        printError("\(file): there is room again; the soak goes on")
    }

    // MARK: The process

    /// A process has died before it could answer.
    private struct Death: Error {}

    private func start() throws {
        while true {
            try launch()
            do {
                try first(.open(file: file))
                if hasCampaign { try first(.resume) }
                return
            } catch is Death {
                try died()
            }
        }
    }

    private func launch() throws(UVError) {
        let (output, theirInput) = try Descriptor.pipe(for: .writing, blocks: true)
        let (input, theirOutput) = try Descriptor.pipe(for: .reading, blocks: true)
        child = try ChildProcess(
            Launch(
                executable, environment: ProcessInfo.processInfo.environment,
                descriptors: [.given(theirInput), .given(theirOutput), .shared(2)]), on: loop
        ) { _ in }
        child?.keepsLoopAlive = false
        pipe = BlockingPipe(input: input, output: output)
    }

    /// Asks a process that has just begun, until there is room for the answer.
    private func first(_ request: HistoryRequest) throws {
        guard try firstAnswer(to: request).isLackOfRoom else { return }
        try waitForRoom { try !firstAnswer(to: request).isLackOfRoom }
    }

    private func firstAnswer(to request: HistoryRequest) throws -> HistoryAnswer {
        let question = Array(try HistoryLine.data(of: request))
        // Where it is dead already, it has no answer either.
        do throws(UVError) { try pipe?.write(question) } catch {}
        guard let line = pipe?.line() else { throw Death() }
        let answer = try HistoryLine.value(HistoryAnswer.self, in: Data(line))
        if case .refused(let reason) = answer { throw HistoryRefusal(reason) }
        return answer
    }

    /// The process has died: another one goes on with what was not answered.
    private func startAgain() throws {
        try died()
        try start()
        for line in pending { try? pipe?.write(Array(line)) }
    }

    private static let mostDeaths = 5

    private func died() throws {
        deaths += 1
        early = nil
        child?.close()
        guard deaths <= Self.mostDeaths else {
            throw HarnessError(
                description:
                    "\(executable) has died \(deaths) times in a row; what was kept so far is in "
                    + "\(file), and --resume goes on with it")
        }
    }

    /// It ends when nobody asks any more.
    private func leave() {
        pipe?.closeOutput()
        while pipe?.line() != nil {}
        child?.close()
    }
}

/// Why a history cannot do something, in words for its user.
package struct HistoryRefusal: Error, CustomStringConvertible {
    package let description: String

    package init(_ reason: String) { description = reason }
}
