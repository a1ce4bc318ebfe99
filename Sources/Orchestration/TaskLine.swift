package import Foundation

/// A task as it crosses to a worker: a line of JSON in which topologies are values.
package enum TaskLine {
    /// The line of a task, with its end.
    package static func bytes(of task: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.userInfo[TopologyDocument.isForWorker] = true
        return try Array(encoder.encode(task)) + [0x0A]
    }

    /// The task of a line without its end.
    ///
    /// - Throws: `HarnessError` where it is cut short, or is none.
    package static func task<Work: Decodable>(
        _ type: Work.Type, in line: Data
    ) throws -> Work {
        let decoder = JSONDecoder()
        decoder.userInfo[TopologyDocument.isForWorker] = true
        do { return try decoder.decode(Work.self, from: line) } catch {
            throw HarnessError(
                description:
                    "a worker got a task that it cannot read (\(line.count) bytes): expected a line "
                    + "of JSON from an anechoic of the same version")
        }
    }
}
