import Foundation

/// What became of a program of somebody else.
package struct ToolOutcome {
    package let status: Int32
    package let output: String
    package let errors: String

    /// All that it said.
    package var said: String { output + errors }
}

extension Place {
    /// Runs a program here to its end, found as the shell finds it; `input` is what it reads.
    package func run(_ command: [String], input: String = "") throws -> ToolOutcome {
        let name = "tool-\(UUID().uuidString.prefix(8))"
        for (part, text) in [("in", input), ("out", ""), ("err", "")] {
            try write(text, to: "\(name).\(part)")
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = URL(filePath: path)
        process.standardInput = FileHandle(forReadingAtPath: "\(path)/\(name).in")
        process.standardOutput = FileHandle(forWritingAtPath: "\(path)/\(name).out")
        process.standardError = FileHandle(forWritingAtPath: "\(path)/\(name).err")
        try process.run()
        process.waitUntilExit()
        defer {
            for part in ["in", "out", "err"] {
                try? FileManager.default.removeItem(atPath: "\(path)/\(name).\(part)")
            }
        }
        return ToolOutcome(
            status: process.terminationStatus, output: read("\(name).out"),
            errors: read("\(name).err"))
    }
}
