import Foundation
import Scenarios
import UV
import Vocabulary

/// Why a program cannot be started, which is the topology's business.
struct LaunchFailure: Error {
    let reason: String
}

extension ProcessHosting {
    /// Starts a program and joins it to us, or waits for one that dials in.
    func launch(_ program: ProgramKey) throws -> DeviceProcess {
        let process = DeviceProcess(program)
        do { try join(process) } catch {
            process.close()
            throw error
        }
        return process
    }

    private func join(_ process: DeviceProcess) throws {
        if case .dialsIn(let name) = process.program {
            return try listen(for: process, at: "\(sockets().path)/\(name).sock")
        }
        switch options.transport {
        case .pipes:
            let (input, theirOutput) = try Descriptor.pipe(for: .reading)
            let (output, theirInput) = try Descriptor.pipe(for: .writing)
            try spawn(process, link: "pipes:3,4", [theirInput, theirOutput])
            try connect(process, input: Pipe(input, on: loop), output: Pipe(output, on: loop))
        case .socketpair:
            let (ours, theirs) = try Descriptor.socketPair()
            try spawn(process, link: "socket:3", [theirs])
            let pipe = try Pipe(ours, on: loop)
            try connect(process, input: pipe, output: pipe)
        case .unix:
            socketCount += 1
            let path = "\(try sockets().path)/\(Self.ownID)-\(socketCount).sock"
            try listen(for: process, at: path)
            try spawn(process, link: "unix:\(path)", [])
        }
    }

    private static var ownID: Int32 { ProcessInfo.processInfo.processIdentifier }

    private func listen(for process: DeviceProcess, at path: String) throws {
        process.listener = try Listener(on: loop, path: path) { [unowned self] pipe in
            process.listener?.close()
            process.listener = nil
            try connect(process, input: pipe, output: pipe)
        }
    }

    private func spawn(_ process: DeviceProcess, link: String, _ descriptors: [Descriptor]) throws {
        var program = process.program
        if program.isHost {
            placeCount += 1
            let place = HostPlace(in: try sockets().path, number: placeCount)
            process.place = place
            program = program.keeping(filesAt: place.storage)
        }
        var environment = program.environment(from: ProcessInfo.processInfo.environment)
        environment["ANECHOIC_LINK"] = link
        if options.usesFreshProcesses { environment["ANECHOIC_AFRESH"] = "1" }
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        if program.isForeign { environment[ForeignProgram.mark] = try ward() }
        if let place = process.place {
            environment["ANECHOIC_HOST_PLACE"] = place.start
            if process.program.hasStorage { environment["ANECHOIC_GUEST_STORAGE"] = place.storage }
            if tellsTurns { environment["ANECHOIC_HOST_TELLS"] = "1" }
        }
        let report = program.isForeign ? try Descriptor.pipe(for: .reading) : nil
        let (executable, arguments) = try program.command(
            in: options.programs, parent: Self.ownID, memory: options.memory,
            report: 3 + descriptors.count, environment)
        let (log, theirLog) = try Descriptor.pipe(for: .reading)
        let number = theirLog.number ?? -1
        defer { theirLog.close() }
        var launch = Launch(
            executable, arguments: arguments, environment: environment.variables,
            directory: program.folder,
            descriptors: [.nothing, .shared(number), .shared(number)]
                + descriptors.map { .given($0) } + (report.map { [.given($0.1)] } ?? []))
        launch.leavesOrphans = program.isForeign
        process.child = try ChildProcess(launch, on: loop) { [unowned self] exit in
            try ended(process, by: exit)
        }
        try process.connect(log: Pipe(log, on: loop))
        if let report { try process.connect(launch: Pipe(report.0, on: loop)) }
    }

    /// Starts the one who ends what foreign devices leave behind where we are killed, and returns the mark
    /// by which he knows it.
    private func ward() throws -> String {
        if let warden { return warden.mark }
        let mark = "\(Self.ownID)-" + String(UInt64.random(in: 0 ... .max), radix: 16)
        let (ours, theirs) = try Descriptor.pipe(for: .writing)
        let process = try ChildProcess(
            Launch(
                "\(options.programs)/anechoic", arguments: ["warden", mark],
                environment: DeviceEnvironment(
                    isForeign: false, more: [], from: ProcessInfo.processInfo.environment
                ).variables, descriptors: [.given(theirs)]), on: loop
        ) { _ in }
        process.keepsLoopAlive = false
        warden = (mark, ours)
        return mark
    }
}

/// Which program a process runs: processes of the same program serve one another's devices.
enum ProgramKey: Hashable {
    case appleDevice
    case accessory
    case benchDevice
    case executable(path: String, arguments: [String], environment: [String], folder: String?)
    /// The HCI door, with somebody else's host behind it.
    case host(HostProgram, environment: [String], folder: String?)
    case dialsIn(name: String)

    /// Whether somebody else wrote it, who may keep what it logs in a buffer until a reset or its end.
    var isForeign: Bool {
        switch self {
        case .executable, .host: true
        case .accessory, .appleDevice, .benchDevice, .dialsIn: false
        }
    }

    /// Whether it is a host, which needs a socket for its controller.
    var isHost: Bool {
        if case .host = self { true } else { false }
    }

    /// Whether it is a host that asks for a folder.
    var hasStorage: Bool {
        guard case .host(let host, let environment, _) = self else { return false }
        return (host.arguments + environment).contains { $0.contains(HostProgram.storage) }
    }

    func keeping(filesAt path: String) -> ProgramKey {
        guard case .host(var host, let environment, let folder) = self else { return self }
        func fill(_ texts: [String]) -> [String] {
            texts.map { $0.replacing(HostProgram.storage, with: path) }
        }
        host.arguments = fill(host.arguments)
        return .host(host, environment: fill(environment), folder: folder)
    }

    /// The program of a device; what is somebody else's is started in `folder`, nil for ours.
    init(_ spec: DeviceSpec, in folder: String?) {
        switch spec.program {
        case .appleDevice: self = .appleDevice
        case .accessory: self = .accessory
        case .executable("bench-device", _, _): self = .benchDevice
        case .executable(let path, let arguments, _):
            self = .executable(
                path: path, arguments: arguments, environment: spec.environment, folder: folder)
        case .host(let host, _):
            self = .host(host, environment: spec.environment, folder: folder)
        case .dialsIn: self = .dialsIn(name: spec.name)
        }
    }

    func environment(from inherited: [String: String]) -> DeviceEnvironment {
        let more: [String] =
            switch self {
            case .executable(_, _, let environment, _), .host(_, let environment, _): environment
            case .accessory, .appleDevice, .benchDevice, .dialsIn: []
            }
        return DeviceEnvironment(isForeign: isForeign, more: more, from: inherited)
    }

    /// The working folder of somebody else's program, from which its path counts; nil for ours.
    var folder: String? {
        switch self {
        case .executable(_, _, _, let folder), .host(_, _, let folder): folder
        case .accessory, .appleDevice, .benchDevice, .dialsIn: nil
        }
    }

    /// What is spawned for it.
    ///
    /// Ours ask to die with us by themselves; for others our launcher asks, and becomes them.
    func command(
        in programs: String, parent: Int32, memory: UInt64, report: Int,
        _ environment: DeviceEnvironment
    ) throws(LaunchFailure) -> (String, [String]) {
        switch self {
        case .appleDevice: return ("\(programs)/apple-device", [])
        case .accessory: return ("\(programs)/accessory", [])
        case .benchDevice: return ("\(programs)/bench-device", [])
        case .executable(let path, let arguments, _, let folder):
            try Self.checkExecutable(path, in: folder, environment["PATH"])
            let words = ["launch", "\(parent)", "\(memory)", "\(report)", path]
            return ("\(programs)/anechoic", words + arguments)
        case .host(let host, _, let folder):
            try Self.checkExecutable(host.path, in: folder, environment["PATH"])
            let words = ["launch", "\(parent)", "\(memory)", "\(report)", "\(programs)/hci-door"]
            return ("\(programs)/anechoic", words + host.words)
        case .dialsIn: preconditionFailure("a program that dials in is not spawned")
        }
    }

    private static func checkExecutable(
        _ path: String, in folder: String?, _ search: String?
    ) throws(LaunchFailure) {
        guard !isExecutable(path, in: folder, search) else { return }
        throw LaunchFailure(reason: isNoProgram(path, in: folder))
    }

    private static func isNoProgram(_ path: String, in folder: String?) -> String {
        let whole = place(of: path, in: folder)
        if path.contains("/"), isFile(whole) {
            return "\(path) is not executable: chmod +x \(shellWord(whole))"
        }
        let place =
            if !path.contains("/") {
                "; it was looked up in PATH"
            } else if let folder, !path.hasPrefix("/") {
                "; it was looked for in \(folder), the folder of the topology"
            } else {
                ""
            }
        return "\(path) is no program that can be run\(place)"
    }

    private static func isExecutable(
        _ path: String, in folder: String?, _ search: String?
    ) -> Bool {
        guard !path.contains("/") else {
            return isExecutableFile(place(of: path, in: folder))
        }
        return (search ?? "/usr/bin:/bin").split(separator: ":").contains {
            isExecutableFile("\($0)/\(path)")
        }
    }

    /// Where a path with a slash leads.
    private static func place(of path: String, in folder: String?) -> String {
        path.hasPrefix("/") ? path : "\(folder ?? ".")/\(path)"
    }

    private static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    private static func isExecutableFile(_ path: String) -> Bool {
        isFile(path) && access(path, X_OK) == 0
    }
}
