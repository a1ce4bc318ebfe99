package import Artifacts
import Basics
import Foundation
import Scenarios

/// Which builds of somebody else's programs a run has: what tells one that does not repeat because it has other ones.
///
/// Of each program, and of each argument that is a file: `build-id 3a72…`, the note that linkers leave in ELF files,
/// or `sha256 0f3c…`, the digest of its bytes. Commands without a slash are the system's, and are left out.
package final class ProgramBuilds {
    /// A file as it was when it was read.
    private struct Stamp: Equatable {
        let (seconds, nanoseconds): (Int, Int)
        let (size, number): (Int64, UInt64)

        init(_ status: stat) {
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
            (size, number) = (Int64(status.st_size), UInt64(status.st_ino))
        }
    }

    /// What was read, because a campaign plays one program thousands of times; looked up only.
    private var known: [String: (stamp: Stamp, build: String)] = [:]

    package init() {}

    /// The builds of a run's programs.
    ///
    /// - Throws: As ``RunTask/topology(with:programs:)`` does.
    package func builds(
        of task: RunTask, programs: [RunSettings.ProgramPlace] = []
    ) throws -> [Replay.Program] {
        builds(of: try task.topology(programs: programs), in: task.base)
    }

    /// The builds of a topology's programs, whose paths count from a folder.
    func builds(of topology: Topology, in folder: String) -> [Replay.Program] {
        topology.devices.flatMap { device in
            (device.command ?? []).enumerated().compactMap { word, text in
                guard word > 0 || text.contains("/"),
                    let build = build(text.hasPrefix("/") ? text : "\(folder)/\(text)")
                else { return nil }
                return Replay.Program(device: device.name, word: word, file: text, build: build)
            }
        }
    }

    /// The build of a file; nil where there is none that can be read.
    private func build(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let stamp = Stamp(status)
        if let known = known[path], known.stamp == stamp { return known.build }
        guard let build = Self.read(path) else { return nil }
        known[path] = (stamp, build)
        return build
    }

    /// How much of an ELF file has its notes, wherever linkers are used to put them.
    private static let head = 1 << 16

    private static func read(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let head = try? file.read(upToCount: head) else { return nil }
        if let id = elfBuildID([UInt8](head)) { return "build-id \(String(hexadecimalPairs: id))" }
        guard let rest = try? file.readToEnd() ?? Data() else { return nil }
        let digest = SHA256.digest(of: [UInt8](head + rest))
        return "sha256 \(String(hexadecimalPairs: digest))"
    }
}

/// The build ID of an ELF file for 64 bits, the least significant byte first (System V Application Binary Interface,
/// chapter 5, "Note Section"); nil where its beginning has none.
func elfBuildID(_ head: [UInt8]) -> [UInt8]? {
    func number(_ place: Int, _ size: Int) -> Int? {
        guard place >= 0, place <= head.count - size else { return nil }
        return head[place..<place + size].reversed().reduce(0) { $0 &<< 8 | Int($1) }
    }
    guard head.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), let headers = number(32, 8),
        let size = number(54, 2), let count = number(56, 2)
    else { return nil }
    for header in (0..<count).map({ headers &+ $0 &* size }) {
        guard number(header, 4) == 4, let begin = number(header &+ 8, 8),
            let length = number(header &+ 32, 8), begin >= 0, length >= 0, length < head.count
        else { continue }
        var place = begin
        while place < begin &+ length, let name = number(place, 4),
            let bytes = number(place + 4, 4),
            let kind = number(place + 8, 4)
        {
            let value = place + 12 + (name + 3) / 4 * 4
            guard value + bytes <= head.count else { break }
            if kind == 3, name == 4, head[place + 12..<place + 16].elementsEqual("GNU\0".utf8) {
                return Array(head[value..<value + bytes])
            }
            place = value + (bytes + 3) / 4 * 4
        }
    }
    return nil
}
