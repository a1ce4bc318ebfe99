package import Orchestration
internal import Reports
internal import Topologies

extension RunTask {
    /// Its text for a file in another folder, with paths that still lead to its programs.
    package var movedText: String {
        TopologyParts(text)?.text(runningFrom: base) {
            InputFile.exists($0) && !InputFile.isFolder($0)
        } ?? text
    }
}
