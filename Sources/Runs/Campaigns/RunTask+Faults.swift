package import Orchestration
import Topologies

extension RunTask {
    /// The same topology with faults at random.
    ///
    /// - Throws: `DocumentError` where it is no topology, to which none can be added.
    package func withRandomFaults() throws -> RunTask {
        var task = self
        task.text = TopologyParts(text)?.textWithRandomFaults ?? text
        return try task.read()
    }
}
