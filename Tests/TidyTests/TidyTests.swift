import Foundation
import Testing

/// The rules of this repository that no compiler checks.
///
/// A comment may name what code may not use.
struct TidyTests {
    /// Modules that decide, or whose values are decided upon: same input, same run.
    static let pure = [
        "AccessoryFirmware", "AccessoryProtocol", "Bluetooth", "BluetoothHost", "DeviceKit",
        "DeviceLink", "Invariants", "Notation", "PromiseLibrary", "Promises", "Scenarios",
        "Simulation", "Traces", "Vocabulary", "YAML",
    ]

    @Test func onlyTheUVModuleImportsLibuv() throws {
        let found = try code(in: "Sources", matching: /\bimport CUV\b/)
            .filter { !$0.path.hasPrefix("Sources/UV/") }
        #expect(found == [])
    }

    @Test func onlyTheYAMLModuleImportsYams() throws {
        let found = try code(in: "Sources", matching: /\bimport Yams\b/)
            .filter { !$0.path.hasPrefix("Sources/YAML/") }
        #expect(found == [])
    }

    @Test func nothingSwitchesOffWhatTheCompilerChecks() throws {
        let forbidden = /@unchecked Sendable|nonisolated\(unsafe\)|\btry!|\bawait\b/
        let found = try code(in: "Sources", matching: forbidden)
        #expect(found == [])
    }

    /// Files whose switches still end in a trap.
    static let switchesToMend = [
        "Sources/Invariants/Scene+Events.swift", "Sources/Topologies/Parsing/VerbReader.swift",
        "Sources/Topologies/Schema/TopologySchema+Script.swift",
    ]

    /// A switch names all cases, however many, so that the compiler finds a forgotten one.
    @Test func noSwitchEndsInATrap() throws {
        let lines = try lines(under: "Sources").filter { $0.path.hasSuffix(".swift") }
        func traps(_ line: Line) -> Bool {
            ["preconditionFailure(", "fatalError("].contains { line.text.contains($0) }
        }
        let found = zip(lines, lines.dropFirst()).filter { line, next in
            line.text.contains("default:")
                && (traps(line) || line.text.hasSuffix("default:") && traps(next))
        }
        #expect(Set(found.map(\.0.path)).subtracting(Self.switchesToMend) == [])
    }

    /// The release build counts references without atomic instructions (Scripts/common.bash).
    @Test func nothingStartsAThread() throws {
        let forbidden =
            #/
            \bimport\s(Dispatch|_Concurrency)\b | \b(Thread|Task|OperationQueue)(\.|\(|\s?{)
            | \bpthread_create\b | \buv_(thread_create|queue_work)\b | DispatchQueue\.global
            /#
        #expect(try code(in: "Sources", matching: forbidden) == [])
    }

    @Test(arguments: pure)
    func aPureModuleHasNoClockNoChanceAndNoFoundation(_ module: String) throws {
        let forbidden =
            #/
            \bimport\s(Foundation|Dispatch) | \b(Continuous|Suspending)Clock\b
            | SystemRandom | \.random\((in:|\)) | \.shuffled\(\) | \bSet[<(] | \b(Double|Float)\b
            /#
        let found = try code(in: "Sources/\(module)", matching: forbidden)
        #expect(found == [])
    }

    /// DeviceKit alone reads and writes the link; everything else is told what happened.
    @Test(arguments: pure.filter { $0 != "DeviceKit" })
    func aPureModuleCallsNoOperatingSystem(_ module: String) throws {
        let forbidden = /\bimport (Glibc|Musl|Darwin)\b/
        let found = try code(in: "Sources/\(module)", matching: forbidden)
        #expect(found == [])
    }

    /// Files and JSON begin there; Apple's `Data` and `UUID` are part of their API.
    @Test func foundationBeginsWithTheReports() throws {
        let found = try code(in: "Sources", matching: /\bimport Foundation/).map {
            $0.path.split(separator: "/")[1]
        }
        let allowed: [Substring] = [
            "AppleFoundation", "Campaigns", "Conformance", "Diagnosis", "Orchestration", "Reports",
            "anechoic", "anechoic-bench",
        ]
        #expect(Set(found).subtracting(allowed) == [])
    }

    /// What a user's command does is in libraries, where tests and others can call it.
    @Test func theExecutableDeclaresCommandsAndTheirOptions() throws {
        let declared = try code(
            in: "Sources/anechoic", matching: #/^(final )?(struct|class|enum)\s/#)
        let kinds = /: (Parsable(Command|Arguments)|ExpressibleByArgument)/
        #expect(
            declared.filter {
                !$0.text.contains(kinds) && !$0.path.hasSuffix("/OptionValues.swift")
            }
                == [])
    }

    /// Each module imports what stands on lower floors, and both documents say the same floors.
    @Test func theFloorsAreThoseOfTheArchitecture() throws {
        let package = try Self.floors(
            of: lines(of: "Package.swift"), at: /^ *\/\/ Floor (\d+):/,
            naming: #/^(?: *(?:module\(|\.target\(name: |name: )| {12})"(\w+)"/#,
            until: "// Executables.")
        let table = try lines(of: "ARCHITECTURE.md").reduce(into: [String: Int]()) { floors, line in
            guard let row = line.text.firstMatch(of: /^\| (\d+) \| ([^|]+) \|/) else { return }
            for name in row.2.matches(of: /`(\w+)`/) { floors[String(name.1)] = Int(row.1) }
        }
        #expect(package == table)
        for (name, floor) in package where !["CUV", "CDevice", "CEndRequest"].contains(name) {
            let imports = try code(in: "Sources/\(name)", matching: /\bimport \w+$/)
            let wrong = imports.filter { line in
                (package[line.text.split(separator: " ").last.map(String.init) ?? ""] ?? -1)
                    >= floor
            }
            #expect(wrong == [], "\(name) stands on floor \(floor)")
        }
    }

    private static func floors(
        of lines: [Line], at heading: Regex<(Substring, Substring)>,
        naming module: Regex<(Substring, Substring)>, until end: String
    ) throws -> [String: Int] {
        var floor: Int?
        var floors: [String: Int] = [:]
        for line in lines {
            if line.text.contains(end) { break }
            if let match = line.text.firstMatch(of: heading) { floor = Int(match.1) }
            guard let floor, let name = line.text.firstMatch(of: module) else { continue }
            floors[String(name.1)] = floor
        }
        return floors
    }

    /// Whoever changes a module finds its tests by its name; C is tested through who imports it.
    @Test func eachModuleOfSourcesHasItsFolderOfTests() throws {
        let modules = try names(in: "Sources").filter { module in
            try names(in: "Sources/\(module)").contains { $0.hasSuffix(".swift") }
                && code(in: "Sources/\(module)", matching: /@main\b/).isEmpty
                && !names(in: "Sources/\(module)").contains("main.swift")
        }
        let untested = try modules.filter { module in
            let folder = "Tests/\(module)Tests"
            let hasFolder = try names(in: "Tests").contains("\(module)Tests")
            return try !hasFolder || code(in: folder, matching: /@Test\b/).isEmpty
        }
        #expect(untested == [])
    }

    @Test func noFileNamesAPlaceOnOneMachine() throws {
        // Put together here, so that this file does not name them either.
        let places = ["root", "home", "work", "Users"].map { "/\($0)/" } + [".." + "/shared"]
        let files = try topEntries().filter { !$0.hasPrefix(".") && !folders.contains($0) }
        let texts = try files.flatMap(lines(of:)) + folders.flatMap(lines(under:))
        let found = texts.filter { line in places.contains { line.text.contains($0) } }
        #expect(found == [])
    }

    @Test func theTopFolderHoldsNothingUnexpected() throws {
        let known =
            folders + [
                "ARCHITECTURE.md", "CONTRIBUTING.md", "LICENSE", "Package.swift", "README.md",
            ]
        let found = try topEntries().filter { !known.contains($0) && !$0.hasPrefix(".") }
        #expect(found == [])
    }
}

private let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
private let folders = [".ci", "Scripts", "Sources", "Tests", "Topologies"]

/// A line of a file, printed as compilers print one.
private struct Line: Equatable, CustomStringConvertible {
    let path: String
    let number: Int
    let text: Substring
    var description: String { "\(path):\(number): \(text)" }
}

/// What lies in a folder, by name.
private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path + "/" + folder).sorted()
}

/// What lies in the top folder, but for what is built there.
private func topEntries() throws -> [String] {
    try names(in: "").filter { !["Package.resolved", "out"].contains($0) }
}

/// The lines of Swift code in a folder in which the pattern occurs, comments cut off.
private func code(in folder: String, matching pattern: some RegexComponent) throws -> [Line] {
    let swift = try lines(under: folder).filter { $0.path.hasSuffix(".swift") }
    try #require(!swift.isEmpty, "no Swift code in \(folder)")
    return swift.filter { line in
        let comment = line.text.firstRange(of: "//")?.lowerBound ?? line.text.endIndex
        return line.text[..<comment].contains(pattern)
    }
}

private func lines(under folder: String) throws -> [Line] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path + "/" + folder)
    return try paths.sorted().flatMap { try lines(of: "\(folder)/\($0)") }
}

/// The lines of a text file; none for a folder and for a file that is not text.
private func lines(of path: String) throws -> [Line] {
    guard let bytes = FileManager.default.contents(atPath: root.path + "/" + path),
        let text = String(data: bytes, encoding: .utf8)
    else { return [] }
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .map { Line(path: path, number: $0.offset + 1, text: $0.element) }
}
