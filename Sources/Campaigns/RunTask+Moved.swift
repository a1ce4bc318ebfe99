package import Orchestration
internal import Topologies

extension RunTask {
    /// Its text for a file in another folder than the one it comes from.
    package var movedText: String { TopologyParts(text)?.text(runningFrom: base) ?? text }
}
