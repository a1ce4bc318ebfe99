import Artifacts
import Basics
import Foundation
import Scenarios

/// Somebody else's program as it was: the command that starts it, and what the files were that the command names.
package struct ProgramMark: Codable, Hashable, Sendable {
    package let device: String
    /// The command, as the topology has it.
    package let command: [String]
    /// The folder in which it is started.
    package let folder: String
    /// SHA-256 of each file that the command names, in hexadecimal, by the name that it has there.
    package let files: [String: String]
}

/// Makes the marks of programs, and reads each file once: a program is in every topology of a campaign.
package final class ProgramMarks {
    /// Looked up only.
    private var digests: [String: String] = [:]

    package init() {}

    /// The programs of somebody else's that a run starts, as they are now; a file that cannot be read has no digest.
    ///
    /// - Throws: As ``RunTask/topology(with:)`` does.
    package func marks(of task: RunTask) throws -> [ProgramMark] {
        try task.topology().devices.compactMap { device in
            guard let command = device.command else { return nil }
            let named = command.compactMap { word in
                digest(ofFile: word, from: task.base).map { (word, $0) }
            }
            return ProgramMark(
                device: device.name, command: command, folder: task.base,
                files: Dictionary(named) { $1 })
        }
    }

    private func digest(ofFile name: String, from folder: String) -> String? {
        let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
        if let known = digests[path] { return known }
        guard !InputFile.isFolder(path), let data = try? InputFile.contents(path) else {
            return nil
        }
        let digest = String(hexadecimalPairs: SHA256.digest(of: Array(data)))
        digests[path] = digest
        return digest
    }
}
