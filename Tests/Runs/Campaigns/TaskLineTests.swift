import Artifacts
import Campaigns
import Foundation
import Orchestration
import Scenarios
import TestSupport
import Testing

/// A task on its way to a worker.
struct TaskLineTests {
    @Test func everyTopologyThatShipsArrivesAsTheValueThatItIs() throws {
        for file in try TopologyFile.find(in: topologies) {
            let text = try String(contentsOfFile: file.path, encoding: .utf8)
            let task = try RunTask(name: file.name, file: file.path, text: text, seed: 7).read()
            let line = Data(try TaskLine.bytes(of: task).dropLast())
            let arrived = try TaskLine.task(RunTask.self, in: line)
            #expect(arrived == task)
            #expect(arrived.document.topology == task.document.topology, "\(file.name)")
        }
    }

    @Test func aTaskInAFileIsItsText() throws {
        let task = RunTask(name: "door", file: "door.yaml", text: "devices: {}", seed: 7)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(task), as: UTF8.self)
        #expect(
            json == #"{"file":"door.yaml","name":"door","seed":7,"text":"devices: {}"}"#)
    }

    @Test func aTopologyThatTheWorkerHasIsOmitted() throws {
        let task = RunTask(name: "door", file: "door.yaml", text: "devices: {}", seed: 7)
        let line = Data(try TaskLine.bytes(of: task, after: task.document).dropLast())
        #expect(!String(decoding: line, as: UTF8.self).contains("devices"))
        #expect(try TaskLine.task(RunTask.self, in: line, after: task.document) == task)
        #expect(throws: HarnessError.self) { try TaskLine.task(RunTask.self, in: line) }
    }

    @Test func aTaskThatIsCutShortIsAnError() throws {
        let task = RunTask(name: "door", file: "door.yaml", text: "devices: {}", seed: 7)
        let line = Data(try TaskLine.bytes(of: task).dropLast(9))
        let error = #expect(throws: HarnessError.self) {
            try TaskLine.task(RunTask.self, in: line)
        }
        #expect(
            error?.description
                == "a worker got a task that it cannot read (\(line.count) bytes): expected a line of JSON "
                + "from an anechoic of the same version")
    }
}
