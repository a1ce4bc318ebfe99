internal import Foundation
internal import Reports
internal import Scenarios

/// Somebody else's program as it was: the command that starts it, and what the files were that the command names.
package struct ProgramMark: Codable, Hashable, Sendable {
    /// The device that it plays.
    package let device: String
    /// The command, as the topology has it.
    package let command: [String]
    /// The folder in which it is started.
    package let folder: String
    /// SHA-256 of each file that the command names, in hexadecimal, by the name that it has there.
    package let files: [String: String]

    /// Reads the files of a command; what cannot be read has no digest.
    init(of device: String, command: [String], in folder: String) {
        (self.device, self.command, self.folder) = (device, command, folder)
        let named = command.compactMap { word in
            Self.digest(ofFile: word, from: folder).map { (word, $0) }
        }
        files = Dictionary(named) { $1 }
    }

    private static func digest(ofFile name: String, from folder: String) -> String? {
        let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
        guard !InputFile.isFolder(path), let data = try? InputFile.contents(path) else {
            return nil
        }
        return SHA256.digest(of: Array(data)).map { String(format: "%02x", $0) }.joined()
    }
}

extension RunTask {
    /// The programs of somebody else's that a run starts, as they are now.
    package func programMarks() throws -> [ProgramMark] {
        try topology().devices.compactMap { device in
            device.command.map { ProgramMark(of: device.name, command: $0, in: base) }
        }
    }
}
