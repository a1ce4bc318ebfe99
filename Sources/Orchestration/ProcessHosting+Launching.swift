internal import Foundation
internal import Topologies
internal import UV

/// Why a program was not even started.
struct LaunchFailure: Error {
    let reason: String
}

extension ProcessHosting {
    /// Starts a program and joins it to us, or waits for one that dials in.
    func launch(_ program: ProgramKey) throws -> DeviceProcess {
        let process = DeviceProcess(program)
        if case .dialsIn(let name) = program {
            try listen(for: process, at: "\(options.sockets)/\(name).sock")
            return process
        }
        switch options.transport {
        case .pipes:
            let (input, theirOutput) = try Descriptor.pipe(for: .reading)
            let (output, theirInput) = try Descriptor.pipe(for: .writing)
            try spawn(process, link: "pipes:3,4", [theirInput, theirOutput])
            try connect(process, input: Pipe(loop, input), output: Pipe(loop, output))
        case .socketpair:
            let (ours, theirs) = try Descriptor.socketPair()
            try spawn(process, link: "socket:3", [theirs])
            let pipe = try Pipe(loop, ours)
            try connect(process, input: pipe, output: pipe)
        case .unix:
            socketCount += 1
            let path = "\(options.sockets)/\(Self.ownID)-\(socketCount).sock"
            try listen(for: process, at: path)
            try spawn(process, link: "unix:\(path)", [])
        }
        return process
    }

    private static var ownID: Int32 { ProcessInfo.processInfo.processIdentifier }

    private func listen(for process: DeviceProcess, at path: String) throws {
        do {
            madeSockets = madeSockets || !FileManager.default.fileExists(atPath: options.sockets)
            try FileManager.default.createDirectory(
                atPath: options.sockets, withIntermediateDirectories: true)
        } catch {
            throw LaunchFailure(reason: "cannot make the folder \(options.sockets) for its socket")
        }
        process.listener = try Listener(loop, path: path) { [unowned self] pipe in
            process.listener?.close()
            process.listener = nil
            try connect(process, input: pipe, output: pipe)
        }
    }

    /// Removes the folder of the sockets where we made it and nothing is left in it.
    func removeSockets() { if madeSockets { _ = rmdir(options.sockets) } }

    private func spawn(_ process: DeviceProcess, link: String, _ descriptors: [Descriptor]) throws {
        let (executable, arguments) = try process.program.command(
            in: options.programs, parent: Self.ownID)
        let (log, theirLog) = try Descriptor.pipe(for: .reading)
        let number = theirLog.number ?? -1
        var environment = ProcessInfo.processInfo.environment
        environment["ANECHOIC_LINK"] = link
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        defer { theirLog.close() }
        process.child = try ChildProcess(
            loop,
            Launch(
                executable, arguments, environment: environment,
                descriptors: [.nothing, .shared(number), .shared(number)]
                    + descriptors.map { .given($0) })
        ) { [unowned self] exit in try ended(process, exit) }
        try process.connect(log: Pipe(loop, log))
    }
}

/// Which program a process runs: processes of the same program serve one another's devices.
enum ProgramKey: Hashable {
    case appleDevice
    case accessory
    case benchDevice
    case executable(path: String, arguments: [String])
    case dialsIn(name: String)

    /// Whether somebody else wrote it, who may keep what it logs in a buffer until a reset or its end.
    var isForeign: Bool {
        if case .executable = self { return true }
        return false
    }

    /// The program of a device.
    init(_ spec: DeviceSpec) {
        switch spec.program {
        case .appleDevice: self = .appleDevice
        case .accessory: self = .accessory
        case .executable("bench-device", _, _): self = .benchDevice
        case .executable(let path, let arguments, _):
            self = .executable(path: path, arguments: arguments)
        case .dialsIn: self = .dialsIn(name: spec.name)
        }
    }

    /// What is spawned for it.
    ///
    /// Ours ask to die with us by themselves; for others our launcher asks, and becomes them.
    func command(
        in programs: String, parent: Int32
    ) throws(LaunchFailure) -> (String, [String]) {
        switch self {
        case .appleDevice: return ("\(programs)/apple-device", [])
        case .accessory: return ("\(programs)/accessory", [])
        case .benchDevice: return ("\(programs)/bench-device", [])
        case .executable(let path, let arguments):
            guard Self.isExecutable(path) else {
                throw LaunchFailure(
                    reason: "\(path) is no program that can be run"
                        + (path.contains("/") ? "" : "; it was looked up in PATH"))
            }
            return ("\(programs)/anechoic", ["launch", "\(parent)", path] + arguments)
        case .dialsIn: preconditionFailure("a program that dials in is not spawned")
        }
    }

    private static func isExecutable(_ path: String) -> Bool {
        guard !path.contains("/") else { return isExecutableFile(path) }
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return folders.split(separator: ":").contains { isExecutableFile("\($0)/\(path)") }
    }

    private static func isExecutableFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && !isFolder.boolValue && access(path, X_OK) == 0
    }
}
