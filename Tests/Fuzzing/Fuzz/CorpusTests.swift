import Foundation
import FuzzBytes
import FuzzRuns
import TestSupport
import Testing

/// What the fuzzer has found stays found: the inputs that it keeps, and those that once trapped.
///
/// Each folder is played in a process of its own, because a trap ends it.
@Suite struct CorpusTests {
    @Test(arguments: FuzzTarget.all.map(\.name))
    func whatTheFuzzerHasKeptIsPlayed(_ name: String) async throws {
        for folder in ["corpus", "crashes"] {
            let files = try inputs(in: "\(folder)/\(name)")
            if folder == "corpus" { #expect(!files.isEmpty, "\(name) has no corpus") }
            guard !files.isEmpty else { continue }
            let result = await #expect(
                processExitsWith: .success, observing: [\.standardOutputContent]
            ) { [name, files = files as [String]] in
                let play = try #require(FuzzTarget.named(name)).makePlayer()
                for file in files {
                    // The last one that is named is the one that failed.
                    print(file)
                    fflush(nil)
                    try Data(contentsOf: URL(filePath: file)).withUnsafeBytes { play($0) }
                }
            }
            #expect(result != nil, "the input that failed is the last one below Tests/Fuzzing")
        }
    }

    @Test func nothingIsKeptForATargetThatIsNone() throws {
        for folder in ["corpus", "crashes"] {
            let kept = try FileManager.default.contentsOfDirectory(atPath: path(folder))
            let names = FuzzTarget.all.map(\.name)
            #expect(kept.filter { !$0.hasPrefix(".") && !names.contains($0) } == [])
        }
    }

    @Test func whatIsKeptIsSmall() throws {
        let files = try FuzzTarget.all.flatMap { try inputs(in: "corpus/\($0.name)") }
        let sizes = try files.map { try Data(contentsOf: URL(filePath: $0)).count }
        #expect(sizes.allSatisfy { $0 <= 4_096 })
        #expect(sizes.reduce(0, +) < 500_000)
    }
}

private func path(_ folder: String) -> String { root + "/Tests/Fuzzing/" + folder }

/// The files of a folder, by name; none where there is no such folder.
private func inputs(in folder: String) throws -> [String] {
    let folder = path(folder)
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        .map { "\(folder)/\($0)" }
}
