package import Foundation

/// A call of the `anechoic` executable, as a user makes it.
package final class Command {
    /// What became of it.
    package struct Outcome {
        package let status: Int32
        package let output: String
        package let errors: String
    }

    private let process = Process()
    private let place: Place
    private let name = UUID().uuidString.prefix(8)

    /// Starts it in the folder of a test; `limits` are words for the shell before it, as in
    /// `ulimit -n 1024`, and `wrapper` a Python program that starts it instead of us; `input` is what
    /// somebody types.
    package init(
        _ arguments: [String], in place: Place, limits: String? = nil, wrapper: String? = nil,
        input: Pipe? = nil
    ) throws {
        self.place = place
        var words = [Self.executables + "/anechoic"] + arguments
        if let wrapper {
            words = ["python3", "-c", wrapper] + words
        } else if let limits {
            words = ["/bin/sh", "-c", limits + "; exec \"$0\" \"$@\""] + words
        }
        process.executableURL = URL(filePath: "/usr/bin/env")
        // The tests themselves may run where these are ignored, as behind nohup.
        process.arguments = ["--default-signal=INT,TERM,HUP"] + words
        process.currentDirectoryURL = URL(filePath: place.path)
        // The tests themselves may be a step of GitHub's.
        process.environment = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("GITHUB_")
        }
        try place.write("", to: "\(name).out")
        try place.write("", to: "\(name).err")
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: "\(place.path)/\(name).out")
        process.standardError = FileHandle(forWritingAtPath: "\(place.path)/\(name).err")
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Where the executables are: as the script says, or beside the tests.
    package static let executables: String =
        ProcessInfo.processInfo.environment["ANECHOIC_EXECUTABLES"]
        ?? ((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "")
        .split(separator: "/").dropLast().map { "/" + $0 }.joined()

    /// Runs it to its end.
    package static func run(_ arguments: String..., in place: Place) throws -> Outcome {
        try Command(arguments, in: place).outcome()
    }

    /// What it has printed so far.
    package var output: String { place.read("\(name).out") }

    package var pid: Int32 { process.processIdentifier }

    package var isRunning: Bool { process.isRunning }

    package func send(_ signal: Int32) { kill(pid, signal) }

    /// The sanitizer that everything was built with.
    package static let sanitizer = ProcessInfo.processInfo.environment["ANECHOIC_SANITIZER"]

    /// How many times longer than usual everything may take: a sanitizer slows all processes down.
    package static let patience =
        ProcessInfo.processInfo.environment["ANECHOIC_PATIENCE"].flatMap(Int.init) ?? 1

    /// Waits for its end; one that takes two minutes, or as long as is said, is killed.
    package func outcome(seconds: Int = 120) throws -> Outcome {
        guard wait(seconds: Double(seconds * Self.patience), until: { !process.isRunning }) else {
            send(SIGKILL)
            throw Failure("anechoic went on for \(seconds) s:\n" + place.read("\(name).err"))
        }
        process.waitUntilExit()
        return Outcome(
            status: process.terminationReason == .exit
                ? process.terminationStatus : 128 + process.terminationStatus,
            output: place.read("\(name).out"), errors: place.read("\(name).err"))
    }

    /// The processes it has started, with the names of their programs.
    package var children: [(pid: Int32, program: String)] { Self.processes(below: pid) }

    private static func processes(below parent: Int32) -> [(pid: Int32, program: String)] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { Int32($0) }.sorted().compactMap { pid in
            guard let stat = ProcessState(pid), stat.parent == parent, stat.isAlive else {
                return nil
            }
            return (pid, stat.program)
        }
    }

    /// Waits until it has so many children.
    package func hasChildren(_ count: Int) -> Bool {
        wait(seconds: Double(30 * Self.patience)) { children.count >= count }
    }
}

extension Command {
    /// A wrapper that becomes the parent of whatever the command leaves behind, and says whether there is any.
    package static let lookingForOrphans = """
        import ctypes, os, subprocess, sys
        ctypes.CDLL(None).prctl(36, 1)
        status = subprocess.run(sys.argv[1:]).returncode
        try:
            print("left behind:", os.waitpid(-1, os.WNOHANG))
        except ChildProcessError:
            print("nothing left behind")
        sys.exit(status)
        """
}
