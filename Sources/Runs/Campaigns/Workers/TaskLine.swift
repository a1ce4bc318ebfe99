package import Artifacts
package import Foundation
package import Orchestration

/// What a worker does for a topology.
package protocol TopologyTask {
    /// The topology that it plays.
    var document: TopologyDocument { get }
}

extension RunTask: TopologyTask {}

/// A task as it crosses to a worker: a line of JSON in which topologies are values.
///
/// A topology that the worker has from the task before is omitted: to decode it takes as long as a run.
package enum TaskLine {
    /// The line of a task, with its end, for a worker whose last task played `known`.
    package static func bytes(
        of task: some Encodable, after known: TopologyDocument? = nil
    ) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.userInfo[TopologyDocument.worker] = TopologyDocument.Worker(known: known)
        return try Array(encoder.encode(task)) + [0x0A]
    }

    /// The task of a line without its end, for a worker whose last task played `known`.
    ///
    /// - Throws: `HarnessError` where it is cut short, or is none.
    package static func task<Work: Decodable>(
        _ type: Work.Type, in line: Data, after known: TopologyDocument? = nil
    ) throws -> Work {
        let decoder = JSONDecoder()
        decoder.userInfo[TopologyDocument.worker] = TopologyDocument.Worker(known: known)
        do { return try decoder.decode(Work.self, from: line) } catch {
            throw HarnessError(
                "a worker got a task that it cannot read (\(line.count) bytes): expected a line "
                    + "of JSON from an anechoic of the same version")
        }
    }
}
