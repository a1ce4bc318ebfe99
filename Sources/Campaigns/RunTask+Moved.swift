internal import Foundation
package import Orchestration
internal import Topologies

extension RunTask {
    /// Its text for a file in another folder than the one it comes from.
    package var movedText: String {
        TopologyParts(text)?.text(runningFrom: base, isFile: Self.isFile) ?? text
    }

    private static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && !isFolder.boolValue
    }
}
