import Artifacts
package import Monitors
package import Promises
package import Traces

/// What became of one run: `verdict.json`, and what tables and reports are made from.
package struct RunReport: Codable, Equatable, Sendable {
    /// The version of this document.
    package var schema = 1
    /// The topology's name: `dropout/mid-handshake`.
    package var topology: String
    package var seed: UInt64
    /// The name of the strategy by which the next event was picked.
    package var scheduler: String
    /// How the run ended for the command.
    package var status: ExitStatus
    /// The same in a word.
    package var verdict: String
    /// Why the core ended the run: finished, quiescent, cut or abandoned; else ``left``.
    package var ended: String
    /// What `ended` says of a run that was left where it had paused.
    package static let left = "left"
    /// Whether the run was given up: it stopped wherever its devices were.
    package var isAbandoned: Bool { ended == RunEnding.abandoned.rawValue }
    /// The digest over every step; equal runs have equal digests.
    package var digest: String
    /// How many events the scheduler picked.
    package var steps: UInt64
    /// Virtual time at the end, in nanoseconds.
    package var simulated: UInt64
    package var promises: [PromiseReport] = []
    /// How far it came on the way to each goal.
    package var goals: [GoalReport] = []
    package var expectations: [ExpectationReport] = []
    /// What became of the steps of the script, in the order of the file.
    package var script: [StepReport] = []
    /// The fault of a sweep that struck it; nil for a run of anything else.
    package var sweptFault: SweptFault?
    /// The ids of the messages that R4 does not know, in ascending order; nil where there were none.
    package var otherMessages: [UInt8]?
    /// The promises that a capture cannot decide, and what else it does not show; nil for all but captures.
    package var notSeen: [String]?
    package var remarks: [String]?
    /// What a device did that ended the run.
    package var failure: String?
    /// Why the run's files are not whole, where that is so.
    package var unwritten: String?
    /// The command that repeats the run.
    package var replay: String?
    /// What a device logged last before something went wrong.
    ///
    /// Not part of `verdict.json`: a program may log something else each time.
    package var log: LogEnd?
    /// Real time it took, in microseconds.
    ///
    /// Not part of `verdict.json`, which is the same each time.
    package var wall: UInt64?

    /// What became of one promise; what it says is looked up.
    package struct PromiseReport: Equatable, Sendable {
        /// The promise's id: `request-answered`.
        package let promise: String
        package let verdict: Outcome
        package let isMeantToBreak: Bool
        /// How often it was put to the test.
        package let exercised: Int
        /// How often it was excused, because its keeper was not to blame.
        package let excused: Int
        /// The least time that was left before a deadline, in nanoseconds.
        package let closestCall: UInt64?
        /// How it was broken, the first times.
        package var violations: [ViolationReport]
        /// What it says, where the catalogue does not say just that: a topology brings it along, or the report is
        /// of another version.
        let own: PromiseDescription?

        package var about: PromiseDescription {
            own ?? PromiseCatalogue[promise] ?? PromiseDescription(promise)
        }

        package init(
            _ about: PromiseDescription, verdict: Outcome, isMeantToBreak: Bool,
            exercised: Int, excused: Int, closestCall: UInt64? = nil,
            violations: [ViolationReport]
        ) {
            promise = about.id
            own = about == PromiseCatalogue[about.id] ? nil : about
            self.verdict = verdict
            self.isMeantToBreak = isMeantToBreak
            self.exercised = exercised
            self.excused = excused
            self.closestCall = closestCall
            self.violations = violations
        }
    }

    /// How far a run came on the way to one goal.
    package struct GoalReport: Codable, Equatable, Sendable {
        package var goal: String
        /// How many of its steps were seen.
        package var steps: Int
        /// How many steps the goal has.
        package var of: Int
    }

    /// The last lines of a device's log, each behind its time.
    package struct LogEnd: Codable, Equatable, Sendable {
        package let device: String
        package let lines: [String]

        package init(device: String, lines: [String]) {
            (self.device, self.lines) = (device, lines)
        }
    }

    /// How a promise was broken once.
    package struct ViolationReport: Codable, Equatable, Sendable {
        package var device: String
        /// What that device is in a session; nil where nobody knows.
        package var role: DeviceRole?
        /// The virtual time, in nanoseconds; the greatest number stands for the end of the run.
        package var time: UInt64
        /// Which session, link or pair it is about.
        package var key: String
        /// What happened, in plain words.
        package var sentence: String
        /// The same for all violations of one sort: the promise and the kinds of the events that prove
        /// it, without names, numbers and times.
        package var fingerprint: String
        /// The numbers of the events that prove it.
        package var events: [UInt64]
        /// Those events in words, oldest first.
        package var story: [String]
    }

    package struct ExpectationReport: Codable, Equatable, Sendable {
        /// As written in the topology.
        package var expectation: String
        /// Its line there, from 1; 0 where it stands in no line.
        package var line: Int
        /// What became of it; never `vacuous`.
        package var verdict: Outcome
        /// What was seen instead, where it was not held.
        package var reason: String?
        /// How much of it was seen, without times, where it was violated.
        package var progress: String?
    }

    /// What became of one step of the script.
    package struct StepReport: Codable, Equatable, Sendable {
        /// Its line in the topology.
        package var line: Int
        /// As written there, for one choice of devices: `disconnect: [ben, lock]`.
        package var step: String
        /// How often it was done.
        package var fired: Int
        /// How often that hit something.
        package var hits: Int
        /// How often its moment lay after the topology's length, where nothing is done any more.
        package var late: Int

        package init(line: Int, step: String, fired: Int, hits: Int, late: Int) {
            self.line = line
            self.step = step
            self.fired = fired
            self.hits = hits
            self.late = late
        }
    }

    /// The one fault of a run of a sweep.
    package struct SweptFault: Codable, Hashable, Sendable {
        /// The kind of fault: `partition-one-way`.
        package var kind: String
        /// Whom it struck: `ben-to-lock`.
        package var target: String

        package init(kind: String, target: String) {
            self.kind = kind
            self.target = target
        }
    }

    /// A report of a run that has been judged, or has failed.
    package init(
        topology: String, seed: UInt64, scheduler: String, status: ExitStatus, ended: String,
        digest: String, steps: UInt64, simulated: UInt64
    ) {
        self.topology = topology
        self.seed = seed
        self.scheduler = scheduler
        self.status = status
        verdict = status.word
        self.ended = ended
        self.digest = digest
        self.steps = steps
        self.simulated = simulated
    }
}
