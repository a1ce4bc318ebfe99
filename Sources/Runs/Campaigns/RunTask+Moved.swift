import Artifacts
import Basics
import Foundation
package import Orchestration
package import Topologies

extension RunTask {
    /// Lets a variant's programs play its devices, and changes what else the variant says.
    ///
    /// Programs of a command line are started where the command is.
    ///
    /// - Returns: The text of which a variant with other parameters is made.
    @discardableResult
    package mutating func played(by variant: TopologyVariant) -> String {
        if variant.accessory != nil || variant.app != nil { self = startedHere() }
        let original = text
        text = variant.text(of: original)
        return original
    }

    /// The same run with its programs started in the working folder, from which their paths count there; the
    /// text of a file that is not below it names them by absolute paths.
    package func startedHere() -> RunTask {
        let here = FileManager.default.currentDirectoryPath
        let isOwn = !file.hasPrefix("/") || base == here || base.hasPrefix(here + "/")
        var task = self
        let parts = TopologyParts(text)
        if let parts, parts.startsPrograms {
            task.text = parts.text(runningBy: isOwn ? way(from: here, to: base) : base) {
                isFile($0, in: base)
            }
        }
        task.folder = here
        task.wayBack = isOwn && base != here ? way(from: base, to: here) : nil
        return task
    }

    /// Its text for a file that is to be kept: beside the topology's own file, paths lead to its programs as
    /// those of that file do.
    package var textToKeep: String { keptText(text, from: base, by: wayBack) }
}
