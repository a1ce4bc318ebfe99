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

/// What lies in the top folder, but for what is built there.
private func topEntries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path)
        .filter { !["Package.resolved", "out"].contains($0) }.sorted()
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
