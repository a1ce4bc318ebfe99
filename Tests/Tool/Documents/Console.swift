import Foundation
import Testing

/// A folder in which the commands of one document are played, one after another, as a reader would.
final class Console {
    private let folder = NSTemporaryDirectory() + "anechoic-console-" + UUID().uuidString.prefix(8)
    private var files: FileManager { .default }

    init() throws {
        try files.createDirectory(atPath: folder + "/Scripts", withIntermediateDirectories: true)
        for name in ["Scripts/wireshark", "Sources", "Tests", "Topologies"] {
            try files.createSymbolicLink(
                atPath: folder + "/" + name, withDestinationPath: root + "/" + name)
        }
        try write(
            "#!/bin/sh\nexec \"\(Self.executables)/anechoic\" \"$@\"\n", to: "Scripts/anechoic")
        for name in ["beacon", "finder"] {
            try files.createSymbolicLink(
                atPath: folder + "/" + name,
                withDestinationPath: Self.besideTheTests + "/example-" + name)
        }
    }

    deinit { try? files.removeItem(atPath: folder) }

    /// Writes a file that a reader would; whoever has it may run it.
    func write(_ text: String, to name: String) throws {
        let path = folder + "/" + name
        try files.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    /// Runs a line of a shell; both streams, as a terminal shows them.
    func run(_ line: String) throws -> (status: Int32, output: [String]) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", line]
        process.currentDirectoryURL = URL(filePath: folder)
        // The tests themselves may be a step of GitHub's.
        let environment = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("GITHUB_")
        }
        process.environment = environment.merging(
            ["ANECHOIC_COMMAND": "Scripts/anechoic", "NO_COLOR": "1"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (
            process.terminationStatus,
            String(decoding: output, as: UTF8.self).components(separatedBy: "\n")
                .filter { !Self.isProgress($0) }
        )
    }

    /// Whether a line tells how far a command is, as one that takes more than ten seconds does.
    private static func isProgress(_ line: String) -> Bool {
        line.contains(/, about .* left$/)
    }

    /// Where the executables are: as Scripts/test says, or beside the tests.
    static let executables =
        ProcessInfo.processInfo.environment["ANECHOIC_EXECUTABLES"] ?? besideTheTests

    static let besideTheTests =
        ((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "")
        .split(separator: "/").dropLast().map { "/" + $0 }.joined()
}
