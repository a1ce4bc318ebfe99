import Artifacts
import Simulation
import Traces

/// Whether a run repeats a recorded one, and where it first differs from it.
final class RecordedRepetition {
    private let recording: Replay
    /// The recorded trace; nil where there is none.
    private let comparison: TraceComparison?
    private var problem: String?

    /// A repetition that has not begun; `trace` is the file of the recorded trace.
    ///
    /// - Throws: `DocumentError` where that cannot be read.
    init(of recording: Replay, trace: String?) throws {
        self.recording = recording
        comparison = try trace.map { TraceComparison(try TraceFileReader($0)) }
    }

    /// Holds the next event against the recorded one.
    func take(_ event: TraceEvent) { compare { try $0.take(event) } }

    private func compare(_ work: (TraceComparison) throws -> Void) {
        guard problem == nil, let comparison else { return }
        do { try work(comparison) } catch { problem = "\(error)" }
        guard let header = comparison.header, problem == nil, comparison.difference != nil,
            header.seed != recording.seed || header.scheduler != recording.scheduler
        else { return }
        problem = "the trace beside the replay file is that of another run"
    }

    /// Where a run that is over, or was left, first differs from the recorded one, in words; nil where
    /// it is the same as far as it came.
    func difference(of run: Run, digest: String) -> String? {
        switch run.outcome {
        case .interrupted: return nil
        case .left: return eventThatDiffers.map { "\($0)\n    \(origin)" }
        default: break
        }
        let unused = run.world.decisions.unusedIdentities.first.map {
            "the recorded decision \"\($0)\" never came up"
        }
        guard !recording.digest.isEmpty, recording.digest != digest else { return unused }
        compare { try $0.finish() }
        let place = eventThatDiffers ?? stepsThatDiffer(run.world.checkpoints)
        return
            ([place] + [unused].compactMap { $0 } + [
                "digest \(digest), recorded \(recording.digest)"
            ])
            .joined(separator: "\n    ") + " " + origin
    }

    private var origin: String { "recorded by \(recording.tool)" }

    private var eventThatDiffers: String? {
        guard problem == nil, let difference = comparison?.difference else { return nil }
        let before = difference.before.map {
            "\n    the event before, in both: \(TraceDifference.picture($0))"
        }
        return "it first differs at \(difference.place)"
            + "\n    expected  \(TraceDifference.picture(difference.expected))"
            + "\n    got       \(TraceDifference.picture(difference.found))" + (before ?? "")
    }

    /// What the checkpoints tell, where no trace tells more.
    private func stepsThatDiffer(_ checkpoints: Checkpoints) -> String {
        let why =
            problem
            ?? comparison.map { "its \($0.count) events are those recorded" }
            ?? "which one would tell the trace.jsonl that the recorded run left beside its replay.json"
        guard let recorded = recording.checkpoints else { return "it differs; \(why)" }
        return "it first differs \(checkpoints.firstDifference(from: recorded)); \(why)"
    }
}
