internal import Bluetooth
internal import DeviceLink
package import Foundation
package import Simulation
package import Traces

/// The files of one run: `OUT/NAME/SEED/` with trace, captures and logs, all written while it runs, so
/// that memory stays flat and a run that is cut off leaves what it has.
package final class RunArtifacts {
    /// The run's folder.
    package let folder: String
    private let devices: [String]
    private var trace: TraceWriter
    private let traceFile: OutputFile
    private var captures: [OutputFile?]
    private var logs: [OutputFile?]
    private var isClosed = false

    /// Makes the folder and opens the trace.
    ///
    /// What an earlier run left there is removed.
    package init(_ folder: String, header: TraceHeader, devices: [String]) throws {
        self.folder = folder
        self.devices = devices
        for part in ["verdict.json", "trace.jsonl", "replay.json", "captures", "logs"] {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(part)")
        }
        for part in ["captures", "logs"] { try Self.makeFolder("\(folder)/\(part)") }
        trace = TraceWriter(header)
        traceFile = try OutputFile("\(folder)/trace.jsonl")
        captures = Array(repeating: nil, count: devices.count)
        logs = Array(repeating: nil, count: devices.count)
    }

    /// Makes the folder of the output tree, so that a wrong one is told once and before any run.
    package static func prepare(_ folder: String) throws {
        try makeFolder(folder)
        if access(folder, W_OK | X_OK) != 0 { throw ArtifactError("write into", folder, errno) }
    }

    /// Makes a folder and those above it that are missing.
    private static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o755) == 0 { return }
        var status = stat()
        switch errno {
        case EEXIST where stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR: return
        case EEXIST: throw ArtifactError("make the folder", path, ENOTDIR)
        case ENOENT where path.dropLast().contains("/"):
            try makeFolder((path as NSString).deletingLastPathComponent)
            if mkdir(path, 0o755) != 0, errno != EEXIST {
                throw ArtifactError("make the folder", path, errno)
            }
        case let code: throw ArtifactError("make the folder", path, code)
        }
    }

    /// Adds an event to the trace.
    package func append(_ event: TraceEvent) throws {
        trace.write(event)
        if trace.count >= 64 * 1_024 { try drainTrace() }
    }

    /// Adds a host-controller packet to its device's capture.
    package func append(_ record: World.HostControllerRecord) throws {
        let file: OutputFile
        if let open = captures[record.device] {
            file = open
        } else {
            file = try OutputFile(
                "\(folder)/captures/\(devices[record.device]).btsnoop", staysOpen: false)
            captures[record.device] = file
            try file.append(BtsnoopFile.header)
        }
        let packets =
            switch record.packet {
            case .command(let command): HCIPacket.packets(for: command)
            case .event(let event): HCIPacket.packets(for: event)
            }
        for packet in packets { try file.append(BtsnoopFile.record(packet, at: record.time)) }
    }

    /// Adds bytes to a device's log, also behind its end: a device may keep some in a buffer until it
    /// is asked to become another one.
    package func append(log bytes: UnsafeRawBufferPointer, of device: Int) throws {
        let path = "\(folder)/logs/\(devices[device]).log"
        guard !isClosed else { return try OutputFile(path, continued: true).writeWhole(bytes) }
        if logs[device] == nil { logs[device] = try OutputFile(path, staysOpen: false) }
        try logs[device]?.append(bytes)
    }

    /// Writes a whole file beside the others.
    package func write(_ data: Data, to name: String) throws {
        let file = try OutputFile("\(folder)/\(name)")
        try file.append(Array(data))
        try file.close()
    }

    /// Writes what waits in buffers.
    package func flush() throws {
        try drainTrace()
        try traceFile.flush()
        for file in captures + logs { try file?.flush() }
    }

    /// Writes what waits in buffers and closes all files.
    package func close() throws {
        try drainTrace()
        try traceFile.close()
        for file in captures + logs { try file?.close() }
        isClosed = true
    }

    private func drainTrace() throws {
        try trace.drain { bytes in try traceFile.append(bytes) }
    }
}
