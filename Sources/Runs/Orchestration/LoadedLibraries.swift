import Foundation
package import Scenarios
import Synchronization

/// A file that can be loaded, as it is now: a program that was built again is another one.
struct InlineLibrary: Hashable {
    let path: String
    private let device: Int
    private let file: Int

    /// The library of a program, `libNAME-inline.so` beside it; of one in a folder `debug`, in the folder `release`
    /// beside that, because a debug build finds its Foundation outside.
    ///
    /// - Throws: `LaunchFailure` that names the file, where there is none.
    init(of program: String, in folder: String?) throws(LaunchFailure) {
        let url = URL(
            filePath: program,
            relativeTo: folder.map { URL(filePath: $0, directoryHint: .isDirectory) }
        ).standardizedFileURL
        var place = url.deletingLastPathComponent()
        if place.lastPathComponent == "debug" {
            place = place.deletingLastPathComponent().appending(path: "release")
        }
        path = place.appending(path: "lib\(url.lastPathComponent)-inline.so").path(
            percentEncoded: false)
        guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
            let device = facts[.systemNumber] as? Int,
            let file = facts[.systemFileNumber] as? Int
        else {
            throw LaunchFailure(
                reason: "inline a program of yours is loaded as a library, and there is no "
                    + "\(path); swift build -c release makes it in a package of anechoic new app; or "
                    + "use --hosting process")
        }
        (self.device, self.file) = (device, file)
    }
}

extension Topology {
    /// Whether inline it loads a library of somebody else's, which is done in workers only.
    package var loadsLibraries: Bool { !devices.allSatisfy(\.isOurs) }

    /// The device that cannot live inline, and why, in a sentence without a full stop; nil where all can.
    package var inlineObstacle: String? {
        for device in devices where !device.isOurs {
            do throws(LaunchFailure) { _ = try device.library(in: folder) } catch {
                return "\(device.name) of \(name): \(error.reason)"
            }
        }
        return nil
    }
}

extension DeviceSpec {
    /// The library that is somebody else's program inline.
    ///
    /// - Throws: `LaunchFailure` where there is none.
    func library(in folder: String?) throws(LaunchFailure) -> InlineLibrary {
        guard case .executable(let path, let arguments, _) = program else {
            throw LaunchFailure(
                reason: "a program that dials in runs by process only; use --hosting process")
        }
        guard arguments.isEmpty, environment.isEmpty else {
            throw LaunchFailure(
                reason: "inline a program has no arguments and no environment of its own; use "
                    + "--hosting process")
        }
        return try InlineLibrary(of: path, in: folder)
    }
}

/// The programs that are loaded into this process and wait for a run.
struct LoadedLibraries {
    private var free: [LoadedProgram] = []
    /// The files that the loader knows.
    private static let loaded = Mutex<Set<InlineLibrary>>([])

    /// A free program of a library, loaded where there is none.
    ///
    /// Each has memory of its own, as a process has. The loader knows a file that it has loaded, so all but the first
    /// come from copies.
    mutating func take(
        _ library: InlineLibrary, for device: Int, on slate: TurnSlate
    ) throws(LaunchFailure) -> LoadedProgram {
        if let place = free.firstIndex(where: { $0.library == library }) {
            let program = free.remove(at: place)
            program.device = device
            return program
        }
        // Swift reads it when the library's own copy of it begins.
        setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
        let isFirst = Self.loaded.withLock { $0.insert(library).inserted }
        guard !isFirst else {
            return try LoadedProgram(library, from: library.path, for: device, on: slate)
        }
        let copy = FileManager.default.temporaryDirectory
            .appending(path: "anechoic-\(UUID()).so").path(percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: copy) }
        do { try FileManager.default.copyItem(atPath: library.path, toPath: copy) } catch {
            throw LaunchFailure(reason: "\(library.path) cannot be copied to \(copy): \(error)")
        }
        return try LoadedProgram(library, from: copy, for: device, on: slate)
    }

    /// Gives one back, between two turns.
    mutating func giveBack(_ program: LoadedProgram) {
        program.log { _ in }
        free.append(program)
    }
}
