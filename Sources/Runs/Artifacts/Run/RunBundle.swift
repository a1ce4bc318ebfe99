package import Foundation

/// A run in one file, for a report of a bug: all that repeats it, and what was found.
package enum RunBundle {
    /// The files that a replay can use; others are for people.
    private static let unpacked = ["replay.json", "trace.jsonl", "verdict.json"]
    /// The most bytes of all files of a bundle together, and of one that is read as a whole.
    private static let (longest, longestDocument) = (1 << 30, 64 << 20)

    /// Packs the run in a folder, with what was found as a text for people, and lines about versions.
    ///
    /// Captures hold the keys of bonds, and logs what devices wrote; both can be omitted.
    ///
    /// - Throws: `InputError` and `Replay.ReadError` where no run stands there.
    package static func pack(
        _ folder: String, found: String?, versions: [String], withoutCaptures: Bool,
        withoutLogs: Bool
    ) throws -> Data {
        let replay = try Replay.read("\(folder)/replay.json")
        var entries: [ZipArchive.Entry] = []
        func add(_ name: String, _ bytes: some Sequence<UInt8>) {
            entries.append(ZipArchive.Entry(name: name, bytes: Array(bytes)))
        }
        for name in unpacked where InputFile.exists("\(folder)/\(name)") {
            add(name, try InputFile.contents("\(folder)/\(name)"))
        }
        let topology = keptText(
            replay.topology.text, from: replay.folder ?? ".", by: replay.wayBack)
        add("topology.yaml", topology.utf8)
        let lines =
            ["written by \(replay.tool)", "seed \(replay.seed)"] + versions
            + (replay.programs ?? []).map { "\($0.device): \($0.file), \($0.build)" }
        add("versions.txt", (lines.joined(separator: "\n") + "\n").utf8)
        if let found { add("report.txt", found.utf8) }
        if !withoutCaptures { try addFiles(of: "captures", in: folder, add) }
        if !withoutCaptures, InputFile.exists("\(folder)/run.pcapng") {
            add("run.pcapng", try InputFile.contents("\(folder)/run.pcapng"))
        }
        if !withoutLogs { try addFiles(of: "logs", in: folder, add) }
        guard entries.reduce(0, { $0 + $1.bytes.count }) <= longest else {
            throw Replay.ReadError(
                "\(folder): this run has more than 1 GiB; omit captures and logs")
        }
        return Data(ZipArchive(entries).bytes)
    }

    private static func addFiles(
        of part: String, in folder: String, _ add: (String, Data) -> Void
    ) throws {
        for name in try InputFile.names(in: "\(folder)/\(part)") {
            add("\(part)/\(name)", try InputFile.contents("\(folder)/\(part)/\(name)"))
        }
    }

    /// Whether a file begins as a bundle does.
    ///
    /// - Throws: `InputError` where it cannot be read.
    package static func isBundle(_ path: String) throws(InputError) -> Bool {
        guard !InputFile.isFolder(path) else { return false }
        let head = try ByteSource(path, expected: "a replay.json, or a bundle").next() ?? Data()
        return head.starts(with: ZipArchive.magic)
    }

    /// Unpacks what a replay needs into a folder beside the bundle, called as it is without its suffix; gives
    /// the path of the replay file there.
    ///
    /// - Throws: `Replay.ReadError` where it is no bundle of a run, or longer than one, `ArtifactError` where the folder is
    ///   somebody else's.
    package static func unpack(_ path: String) throws -> String {
        // What is none, or spoilt, takes nothing's place: it is read once before anything is written.
        do { try read(path) { _ in nil } } catch let failure as ZipArchive.Failure {
            throw Replay.ReadError("\(path): this is no bundle of a run: \(failure)")
        }
        let url = URL(filePath: path)
        let place =
            url.pathExtension.isEmpty
            ? url.appendingPathExtension("unpacked") : url.deletingPathExtension()
        let folder = try OutputFolder(place.relativePath, for: RunArtifacts.parts)
        defer { folder.close() }
        RunArtifacts.removeRun(in: folder)
        try read(path) { try folder.newFile($0) }
        return "\(folder.path)/replay.json"
    }

    /// Reads a bundle as a stream; `file` says where one of its files goes that a replay can use, nil for nowhere.
    private static func read(_ path: String, into file: (String) throws -> OutputFile?) throws {
        var archive = ZipReader(try ByteSource(path))
        var (missing, total) = (unpacked, 0)
        while let entry = try archive.next() {
            let isWanted = missing.contains(entry.name)
            total += entry.length
            guard total <= longest else {
                throw ZipArchive.Failure(description: "it is longer than 1 GiB")
            }
            guard !isWanted || entry.name == "trace.jsonl" || entry.length <= longestDocument else {
                throw ZipArchive.Failure(
                    description:
                        "its \(entry.name) has \(entry.length) bytes; expected at most \(longestDocument)"
                )
            }
            let file = isWanted ? try file(entry.name) : nil
            try archive.read(entry) { bytes in
                try bytes.withUnsafeBytes { try file?.append($0) }
            }
            try file?.close()
            missing.removeAll { $0 == entry.name }
        }
        guard missing.first != unpacked[0] else {
            throw ZipArchive.Failure(description: "it has no \(unpacked[0])")
        }
    }
}
