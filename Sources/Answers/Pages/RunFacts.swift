import Artifacts
import Diagnosis
import Reports
import Sequences

/// What a page says of a run beside its events.
struct RunFacts: Encodable {
    struct Broken: Encodable {
        let promise: String
        /// What is promised, in a sentence.
        let sentence: String
        /// Who has to keep it, in words; nil where nobody in particular has.
        let keeper: String?
        let clause: String
        let level: String
        /// Whether the topology wants it broken.
        let isMeantToBreak: Bool
        let violations: [Violation]
    }

    struct Violation: Encodable {
        let device: String
        /// In nanoseconds; nil where the end of the run broke it.
        let time: UInt64?
        /// Which session, link or pair it is about.
        let key: String
        let sentence: String
        /// The numbers of the events that prove it.
        let events: [UInt64]
    }

    let topology: String
    /// As text, for JavaScript's numbers end at 2^53.
    let seed: String
    let scheduler: String
    let verdict: String
    /// `held`, `violated` or `open`: how the verdict looks.
    let tone: String
    /// What went wrong beside promises, in sentences.
    let endings: [String]
    /// The command that repeats the run; nil where nothing does.
    let replay: String?
    /// The command that looks for the nearest run that holds; nil where the run holds itself.
    let explain: String?
    let devices: [Participant]
    let broken: [Broken]
    /// Events that deserve a look because of their place in the sequence.
    let marks: [SequenceFindings.Turned]

    init(_ diagram: RunDiagram) {
        let report = diagram.report
        topology = report.topology
        seed = "\(report.seed)"
        scheduler = report.scheduler
        verdict = report.verdict
        tone = Self.tone(of: report.status)
        endings = diagram.findings.ending
        replay = report.replay
        explain =
            report.status == .held
            ? nil : report.replay?.replacing(" replay ", with: " explain ", maxReplacements: 1)
        devices = diagram.participants
        // What broke first comes first.
        broken = report.promises.filter { !$0.violations.isEmpty }.enumerated()
            .sorted { ($0.element.begin, $0.offset) < ($1.element.begin, $1.offset) }
            .map { Broken($0.element) }
        marks = diagram.findings.turned
    }

    private static func tone(of status: ExitStatus) -> String {
        switch status {
        case .held: "held"
        case .inconclusive, .interrupted: "open"
        case .violated, .deviceFailed, .wrongUse, .wrongFile, .unavailable, .harnessError:
            "violated"
        }
    }
}

extension RunReport.PromiseReport {
    /// When it was broken for the first time.
    fileprivate var begin: UInt64 { violations.map(\.time).min() ?? .max }
}

extension RunFacts.Broken {
    fileprivate init(_ promise: RunReport.PromiseReport) {
        let about = promise.about
        self.init(
            promise: about.id, sentence: about.sentence,
            keeper: about.keeperWords(brokenBy: promise.violations.first?.device),
            clause: about.clause.text, level: about.level.rawValue,
            isMeantToBreak: promise.isMeantToBreak,
            violations: promise.violations.map { violation in
                RunFacts.Violation(
                    device: violation.device, time: violation.time == .max ? nil : violation.time,
                    key: violation.key, sentence: violation.sentence, events: violation.events)
            })
    }
}
