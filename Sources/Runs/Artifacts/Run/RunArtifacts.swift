import Airs
package import Basics
import Bluetooth
import Captures
import DeviceLink
package import Foundation
package import Simulation
package import Traces

/// The files of one run: `OUT/NAME/SEED/` with trace, captures and logs, all written while it runs, so
/// that memory stays flat and a run that is cut off leaves what it has.
package final class RunArtifacts {
    /// The folder `OUT/NAME/SEED`.
    package let folder: OutputFolder
    private let devices: [PathName]
    private var trace: TraceWriter
    private let traceFile: OutputFile
    private var captures: [OutputFile?]
    private let capture: OutputFile
    /// The interfaces of UWB chips in it, by their devices.
    private let chips: [Int: Int]
    private var logs: [OutputFile?]
    private var isClosed = false

    package static let parts = [
        "verdict.json", "trace.jsonl", "replay.json", "run.pcapng", "captures", "logs",
    ]

    /// Opens the trace in a folder that is ours.
    ///
    /// What an earlier run left there is removed.
    ///
    /// - Parameters:
    ///   - folder: Where they are.
    ///   - header: What the trace says first.
    ///   - devices: The names of the devices.
    ///   - chips: The places of those that have a UWB chip.
    /// - Throws: `ArtifactError` where they cannot be made.
    package init(
        _ folder: OutputFolder, header: TraceHeader, devices: [PathName], chips: [Int] = []
    ) throws {
        self.folder = folder
        self.devices = devices
        let files = Self.folders.flatMap { part in
            devices.map { "\(part.name)/\($0)\(part.suffix)" }
        }
        try folder.claim(Self.parts + files)
        Self.removeRun(in: folder)
        for part in Self.folders { try OutputTree.makeFolder("\(folder.path)/\(part.name)") }
        trace = TraceWriter(header)
        traceFile = try OutputFile("\(folder.path)/trace.jsonl")
        capture = try OutputFile("\(folder.path)/run.pcapng")
        let hosts = devices.map {
            CapturedHost(
                name: $0.description, address: DeviceState.address(of: $0.description).value)
        }
        let names = chips.map { CapturedHost(name: "\(devices[$0]) UCI") }
        try capture.append(PcapngFile.header(hosts, chips: names, by: header.tool))
        self.chips = Dictionary(
            uniqueKeysWithValues: chips.enumerated().map { ($0.element, hosts.count + $0.offset) })
        captures = Array(repeating: nil, count: devices.count)
        logs = Array(repeating: nil, count: devices.count)
    }

    /// The folders in a run's folder, and how the names of their files end.
    private static let folders = [
        (name: "captures", suffix: ".btsnoop"), (name: "logs", suffix: ".log"),
    ]

    /// Removes what an earlier run left in a folder: files of ours by their names, never a folder with what
    /// is in it.
    package static func removeRun(in folder: OutputFolder) {
        folder.removeFiles { name in
            parts.contains(name) || folders.contains { name.hasPrefix($0.name + "/") }
        }
    }

    /// Removes a run that an earlier command left, with its folder where nothing else stands in it.
    ///
    /// - Throws: `ArtifactError` where somebody uses it, or somebody else wrote it.
    package static func remove(_ path: String) throws(ArtifactError) {
        guard access(path, F_OK) == 0 else { return }
        let folder = try OutputFolder(path, for: parts)
        removeRun(in: folder)
        for part in folders { rmdir("\(path)/\(part.name)") }
        folder.remove()
    }

    package func append(_ event: TraceEvent) throws {
        trace.write(event)
        if trace.count >= 64 * 1_024 { try drainTrace() }
    }

    /// Adds a host-controller packet to its device's capture and to that of all, which alone has those of UWB chips.
    package func append(_ record: World.HostControllerRecord) throws {
        var packets: [HCIPacket]
        switch record.packet {
        case .command(let command): packets = HCIPacket.packets(for: command)
        case .event(let event): packets = HCIPacket.packets(for: event)
        case .uci(let packet):
            guard let chip = chips[record.device] else { return }
            return try capture.append(PcapngFile.packet(uci: packet, of: chip, at: record.time))
        }
        let file: OutputFile
        if let open = captures[record.device] {
            file = open
        } else {
            file = try OutputFile(
                "\(folder.path)/captures/\(devices[record.device]).btsnoop", staysOpen: false)
            captures[record.device] = file
            try file.append(BtsnoopFile.header)
            // So that who looks into the capture finds a host's name beside its address.
            let name = devices[record.device].description
            packets =
                HCIPacket.introduction(name: name, address: DeviceState.address(of: name)) + packets
        }
        for packet in packets {
            try file.append(BtsnoopFile.record(packet, at: record.time))
            try capture.append(PcapngFile.packet(packet, of: record.device, at: record.time))
        }
    }

    /// Adds bytes to a device's log, also behind its end: a device may keep some in a buffer until it
    /// is asked to become another one.
    package func append(log bytes: UnsafeRawBufferPointer, of device: Int) throws {
        let path = "\(folder.path)/logs/\(devices[device]).log"
        guard !isClosed else { return try OutputFile(path, continued: true).writeWhole(bytes) }
        if logs[device] == nil { logs[device] = try OutputFile(path, staysOpen: false) }
        try logs[device]?.append(bytes)
    }

    package func write(_ data: Data, to name: String) throws { try folder.write(data, to: name) }

    package func flush() throws {
        try drainTrace()
        try traceFile.flush()
        try capture.flush()
        for file in captures + logs { try file?.flush() }
    }

    /// Writes what waits in buffers and closes all files, also those behind one for which that fails.
    package func close() throws {
        isClosed = true
        var failure: (any Error)?
        let files = [traceFile, capture] + (captures + logs).compactMap { $0 }
        do { try drainTrace() } catch { failure = error }
        for file in files {
            do { try file.close() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Comments in the capture of all devices on the packets that events are about, by the events' numbers.
    ///
    /// All files have been closed.
    package func comment(_ texts: [UInt64: [String]]) throws {
        if texts.isEmpty { return }
        try CaptureComments(texts: texts).write(into: folder.path, devices: devices)
    }

    private func drainTrace() throws {
        try trace.drain { bytes in try traceFile.append(bytes) }
    }
}
