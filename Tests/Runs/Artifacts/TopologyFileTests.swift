import Foundation
import Scenarios
import TestSupport
import Testing
import Topologies
import YAML

@testable import Artifacts

/// Files, their names and what is said about them.
struct TopologyFileTests {
    /// A folder that is there while `body` runs.
    private func withFolder(
        _ files: [String: String], _ body: (String) throws -> Void
    ) throws {
        let place = try Place()
        for (path, text) in files { try place.write(text, to: path) }
        try body(place.path)
    }

    private let small = "devices: {ben: {model: iPhone 15}}"

    @Test func aFolderIsReadInTheOrderOfNames() throws {
        let files = [
            "b.yaml": small, "a/z.yaml": small, "a/b/c.yml": small, "a.yaml": small,
            "notes.txt": "", ".hidden.yaml": "", ".git/x.yaml": "",
        ]
        try withFolder(files) { folder in
            let found = try TopologyFile.find(in: folder + "/")
            #expect(found.map(\.name) == ["a", "a/b/c", "a/z", "b"])
            #expect(found[1].path == folder + "/a/b/c.yml")
            let read = try found[1].load()
            #expect(read.name == "a/b/c")
            let link = folder + "/link"
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: folder + "/a")
            #expect(
                try TopologyFile.find(in: link).map(\.path) == [
                    link + "/b/c.yml", link + "/z.yaml",
                ])
        }
    }

    @Test func aFileHasTheNameItHasBelowTopologies() throws {
        let files = ["Topologies/dropout/early.yaml": small, "alone.yaml": small]
        try withFolder(files) { folder in
            let early = try Topology.load(folder + "/Topologies/dropout/early.yaml")
            #expect(early.name == "dropout/early")
            let alone = try Topology.load(folder + "/alone.yaml")
            #expect(alone.name == "alone")
        }
    }

    @Test func filesOfOneNameAreToldApartByAsMuchOfTheirPathsAsItTakes() {
        func names(_ paths: String...) -> [String] {
            TopologyFile.distinct(paths.map { TopologyFile(name: "bug", path: $0) }).map(\.name)
        }
        #expect(names("01/bug.yaml", "./02/bug.yaml") == ["01/bug", "02/bug"])
        #expect(names("bug.yaml", "old/bug.yaml", "old/../bug.yaml") == ["bug", "old/bug"])
        #expect(
            names("1/a/bug.yaml", "2/a/bug.yaml", "b/bug.yml") == ["1/a/bug", "2/a/bug", "b/bug"])
        #expect(names("/x/bug.yaml", "/x/../y/bug.yaml") == ["x/bug", "y/bug"])
        #expect(names("bug.yaml").first == "bug")
    }

    @Test func whatIsNotThereIsSaid() throws {
        let error = #expect(throws: DocumentError.self) { try Topology.load("/nowhere/x.yaml") }
        #expect(
            error?.description == """
                /nowhere/x.yaml: error: there is no such file or folder
                expected: a topology file (.yaml) or a folder of them
                """)
    }

    @Test func aFolderWithoutTopologiesIsAMistake() throws {
        try withFolder(["readme.txt": ""]) { folder in
            let error = #expect(throws: DocumentError.self) { try TopologyFile.find(in: folder) }
            #expect(
                error?.description == """
                    \(folder): error: there is no topology in this folder
                    expected: files that end in .yaml
                    """)
        }
    }

    @Test func twoFilesOfOneNameAreAMistake() throws {
        try withFolder(["a.yaml": small, "a.yml": small]) { folder in
            let error = #expect(throws: DocumentError.self) { try TopologyFile.find(in: folder) }
            #expect(
                error?.description == """
                    \(folder)/a.yml: error: another file has the same name: \(folder)/a.yaml
                    expected: names that differ in more than the suffix
                    """)
        }
    }

    @Test func aFolderIsNoFile() throws {
        try withFolder(["a.yaml": small]) { folder in
            let error = #expect(throws: DocumentError.self) { try Topology.load(folder) }
            #expect(
                error?.description == """
                    \(folder): error: this is a folder
                    expected: one topology file
                    """)
        }
    }

    @Test func somethingElseThanAFileCannotBeRead() throws {
        let error = #expect(throws: DocumentError.self) { try Topology.load("/dev/null") }
        #expect(
            error?.description == """
                /dev/null: error: this cannot be read
                expected: a file that may be read
                """)
    }
}
