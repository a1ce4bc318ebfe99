import Foundation
import Reports

/// A folder of one test, gone with it.
final class Place {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "anechoic-test-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, with the folders above it, and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        return file
    }

    /// The text of a file; empty where there is none.
    func read(_ name: String) -> String {
        (try? String(contentsOfFile: path + "/" + name, encoding: .utf8)) ?? ""
    }
}

/// A call of the `anechoic` executable, as a user makes it.
final class Command {
    /// What became of it.
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String

        /// What it printed, with `--format json`.
        var reports: [RunReport] {
            get throws { try JSONDecoder().decode([RunReport].self, from: Data(output.utf8)) }
        }
    }

    private let process = Process()
    private let place: Place
    private let name = UUID().uuidString.prefix(8)

    /// Starts it in the folder of a test; `limits` are words for the shell before it, as in
    /// `ulimit -n 1024`, and `wrapper` a Python program that starts it instead of us; `input` is what
    /// somebody types.
    init(
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
        try place.write("", to: "\(name).out")
        try place.write("", to: "\(name).err")
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: "\(place.path)/\(name).out")
        process.standardError = FileHandle(forWritingAtPath: "\(place.path)/\(name).err")
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Where the executables are: as the script says, or beside the tests.
    static let executables: String =
        ProcessInfo.processInfo.environment["ANECHOIC_EXECUTABLES"]
        ?? ((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "")
        .split(separator: "/").dropLast().map { "/" + $0 }.joined()

    /// Runs it to its end.
    static func run(_ arguments: String..., in place: Place) throws -> Outcome {
        try Command(arguments, in: place).outcome()
    }

    /// What it has printed so far.
    var output: String { place.read("\(name).out") }

    var pid: Int32 { process.processIdentifier }

    var isRunning: Bool { process.isRunning }

    func send(_ signal: Int32) { kill(pid, signal) }

    /// The sanitizer that everything was built with.
    static let sanitizer = ProcessInfo.processInfo.environment["ANECHOIC_SANITIZER"]

    /// How many times longer than usual everything may take: a sanitizer slows all processes down.
    static let patience =
        ProcessInfo.processInfo.environment["ANECHOIC_PATIENCE"].flatMap(Int.init) ?? 1

    /// Waits for its end; one that takes two minutes, or as long as is said, is killed.
    func outcome(seconds: Int = 120) throws -> Outcome {
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
    var children: [(pid: Int32, program: String)] { Self.processes(below: pid) }

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
    func hasChildren(_ count: Int) -> Bool {
        wait(seconds: Double(30 * Self.patience)) { children.count >= count }
    }
}

/// What `/proc` says of a process.
struct ProcessState {
    let program: String
    let letter: String
    let parent: Int32

    init?(_ pid: Int32) {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: close)...].split(separator: " ")
        guard fields.count > 2, let parent = Int32(fields[1]) else { return nil }
        program = String(text[text.index(after: open)..<close])
        letter = String(fields[0])
        self.parent = parent
    }

    /// Whether it runs; a zombie does not, and is the business of whoever is its parent.
    var isAlive: Bool { letter != "Z" && letter != "X" }
}

/// Whether any of these runs.
func isAnyAlive(_ pids: [Int32]) -> Bool { pids.contains { ProcessState($0)?.isAlive == true } }

/// Looks every few milliseconds whether something is so.
func wait(seconds: Double, until isSo: () -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while !isSo() {
        if Date() > deadline { return false }
        usleep(3_000)
    }
    return true
}

/// Why a test cannot go on.
struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// The repository.
let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
/// The topologies that ship.
let topologies = root + "/Topologies"
