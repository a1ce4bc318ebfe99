import Artifacts
import Foundation
import FuzzBytes
import Invariants
import Monitors
import Orchestration
import PromiseLibrary
import Promises
import Reports
import Scenarios
import Simulation
import Topologies
import Traces
import Vocabulary
import YAML

/// A topology's text.
///
/// Where it is one, so are the texts that the searches make of it.
func playTopology(_ bytes: UnsafeRawBufferPointer) {
    let bytes = Array(bytes)
    let topology: Topology
    do throws(DocumentError) {
        topology = try Topology(parsing: bytes, name: "input", file: "input.yaml")
    } catch {
        demand(!error.description.isEmpty, "an error without a word")
        return
    }
    _ = topology.devicesByKind
    let text = String(decoding: bytes, as: UTF8.self)
    guard let parts = TopologyParts(text) else { fatalError("a topology that has no parts") }
    // Four or so of them, other ones in inputs of other lengths.
    let step = max(1, parts.paths.count / 4)
    for place in stride(from: bytes.count % step, to: parts.paths.count, by: step) {
        let text = parts.text(without: parts.paths[place])
        _ = try? Topology(parsing: Array(text.utf8), name: "input", file: "input.yaml")
    }
    guard
        let again = try? Topology(
            parsing: Array(parts.text.utf8), name: "input", file: "input.yaml")
    else { fatalError("a topology whose parts are none") }
    demand(again.devices == topology.devices, "the devices change when their file is written anew")
    var variant = TopologyVariant()
    variant.isHealthy = true
    _ = variant.text(of: text)
}

/// A file of promises, compiled where it is one.
func playPromises(_ bytes: UnsafeRawBufferPointer) {
    do {
        let set = try PropertySet(
            parsing: Array(bytes), file: "input.yaml",
            fluents: PropertyLibrary.standard.fluents)
        var judge = Judge(promises: [], properties: [CompiledProperties(set)])
        judge.observe(TraceEvent(kind: .runStarted))
        _ = judge.verdict()
    } catch {
        demand(!"\(error)".isEmpty, "an error without a word")
    }
}

/// A file that is written anew for each input, for readers that want a path.
private final class InputFile {
    let path = FileManager.default.temporaryDirectory
        .appending(path: "anechoic-fuzz-\(ProcessInfo.processInfo.processIdentifier)").path

    func write(_ bytes: UnsafeRawBufferPointer) {
        demand(
            FileManager.default.createFile(atPath: path, contents: Data(bytes)),
            "cannot write \(path)")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A trace of a stranger, read line by line, judged, and written as it was read.
func makeTracePlayer() -> FuzzTarget.Player {
    let file = InputFile()
    let fresh = Judge(properties: [PromiseCatalogue.library])
    return { bytes in
        file.write(bytes)
        var judge = fresh
        guard let reader = try? TraceFileReader(file.path) else {
            fatalError("cannot read \(file.path)")
        }
        do {
            while let event = try reader.next() {
                judge.observe(event)
                checkWriting(of: event)
            }
        } catch {
            demand(!"\(error)".isEmpty, "an error without a word")
            return
        }
        _ = judge.openObligations(at: .zero)
        let verdict = judge.verdict()
        var report = RunReport(
            topology: "input", seed: 0, scheduler: "", status: ExitStatus(verdict), ended: "",
            digest: "", steps: 0, simulated: verdict.end.nanoseconds)
        report.take(verdict)
        _ = Console.table(report.promises)
        _ = Console.story(report)
    }
}

/// An event is read as it was written.
func checkWriting(of event: TraceEvent) {
    var writer = TraceWriter(
        TraceHeader(topology: "input", seed: 0, scheduler: "fifo", tool: "fuzzer"),
        capacity: 1_024)
    writer.drain { _ in }
    writer.write(event)
    var expected = event
    expected.role = nil
    guard case .event(let again)? = try? TraceReader.line(writer.bytes) else {
        fatalError("our own line of a trace cannot be read")
    }
    demand(again == expected, "an event that changes when it is written")
}

/// A replay file, and the first steps of the run that it asks for.
func makeReplayPlayer() -> FuzzTarget.Player {
    let file = InputFile()
    return { bytes in
        file.write(bytes)
        let replay: Replay
        do { replay = try Replay.read(file.path) } catch {
            demand(!"\(error)".isEmpty, "an error without a word")
            return
        }
        guard let written = try? json(replay),
            let again = try? JSONDecoder().decode(Replay.self, from: written)
        else { fatalError("our own replay file cannot be read") }
        demand(again == replay, "a replay file that changes when it is written")
        guard
            let topology = try? replay.topology.read(name: replay.name, file: replay.file)
        else { return }
        // What a person waits for takes longer than an input may.
        guard topology.devices.count <= 8 else { return }
        let run = play(ShortRun(topology, repeating: replay), on: InlineHosting(), watching: [])
        if let recorded = replay.checkpoints {
            _ = run.world.checkpoints.firstDifference(from: recorded)
        }
    }
}
