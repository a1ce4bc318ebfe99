import Basics
import Foundation
package import Scenarios
import Topologies
package import YAML

/// A topology file and the name that its runs have.
package struct TopologyFile: Equatable, Sendable {
    /// The path below the folder that was given, without suffix: `dropout/mid-handshake`.
    package var name: String
    package var path: String

    /// The one topology file at `path`, or all below a folder, sorted by name.
    ///
    /// A single file below a folder `Topologies` has the name it has there; any other has its file name.
    /// Hidden files are omitted. A folder without any topology is an error.
    package static func find(in path: String) throws(DocumentError) -> [TopologyFile] {
        guard InputFile.exists(path) else {
            throw DocumentError(
                in: path, "there is no such file or folder",
                expected: "a topology file (.yaml) or a folder of them")
        }
        guard InputFile.isFolder(path) else {
            return [TopologyFile(name: name(ofFile: path), path: path)]
        }
        let files = allFiles(below: path)
        guard !files.isEmpty else {
            throw DocumentError(
                in: path, "there is no topology in this folder", expected: "files that end in .yaml"
            )
        }
        return try withoutNamesakes(files)
    }

    /// Each file once, under names that tell them apart: where several have one name, as much of their paths as it
    /// takes.
    package static func distinct(_ files: [TopologyFile]) -> [TopologyFile] {
        var places: Set<String> = []
        var files = files.filter { places.insert(tidyPath(absolute($0.path))).inserted }
        while true {
            let counts = Dictionary(files.map { ($0.name, 1) }, uniquingKeysWith: +)
            let longer = files.map { counts[$0.name] == 1 ? $0 : $0.withLongerName }
            if longer == files { return files }
            files = longer
        }
    }

    /// With one more part of the path, as it was given, in its name; of a path that leads upwards first, of the whole
    /// one.
    private var withLongerName: TopologyFile {
        let given = tidyPath(path)
        let parts = pathParts(given.hasPrefix("../") ? tidyPath(Self.absolute(path)) : given)
        let name = Self.withoutSuffix(
            parts.suffix(pathParts(name).count + 1).joined(separator: "/"))
        return TopologyFile(name: name, path: path)
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    private static func allFiles(below folder: String) -> [TopologyFile] {
        let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        // An enumerator does not enter a folder that is a symbolic link.
        let real = URL(fileURLWithPath: base).resolvingSymlinksInPath().path
        let paths = FileManager.default.enumerator(atPath: real)?.compactMap { $0 as? String } ?? []
        let visible = paths.filter { path in
            isTopology(path) && !path.split(separator: "/").contains { $0.hasPrefix(".") }
        }
        return visible.map { TopologyFile(name: withoutSuffix($0), path: "\(base)/\($0)") }.sorted {
            ($0.name, $0.path) < ($1.name, $1.path)
        }
    }

    private static func withoutNamesakes(
        _ files: [TopologyFile]
    ) throws(DocumentError) -> [TopologyFile] {
        for (file, next) in zip(files, files.dropFirst()) where file.name == next.name {
            throw DocumentError(
                in: next.path, "another file has the same name: \(file.path)",
                expected: "names that differ in more than the suffix")
        }
        return files
    }

    private static func isTopology(_ path: String) -> Bool {
        path.hasSuffix(".yaml") || path.hasSuffix(".yml")
    }

    private static func withoutSuffix(_ path: String) -> String {
        guard isTopology(path), let dot = path.lastIndex(of: ".") else { return path }
        return String(path[..<dot])
    }

    private static func name(ofFile path: String) -> String {
        let parts = withoutSuffix(path).split(separator: "/")
        guard let ancestor = parts.dropLast().lastIndex(of: "Topologies") else {
            return parts.last.map(String.init) ?? path
        }
        return parts[(ancestor + 1)...].joined(separator: "/")
    }
}

extension TopologyFile {
    package func load() throws(DocumentError) -> Topology {
        try Topology(parsing: try bytes(), name: name, file: path)
    }

    /// The file's bytes, at most one more than a topology may have.
    package func bytes() throws(DocumentError) -> [UInt8] {
        let type = try? FileManager.default.attributesOfItem(
            atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)[.type]
        guard type as? FileAttributeType == .typeRegular else { throw unreadable }
        guard let handle = FileHandle(forReadingAtPath: path) else { throw unreadable }
        defer { try? handle.close() }
        do {
            return Array(try handle.read(upToCount: YAMLLimits.bytes + 1) ?? Data())
        } catch {
            throw unreadable
        }
    }

    private var unreadable: DocumentError {
        DocumentError(in: path, "this cannot be read", expected: "a file that may be read")
    }
}

extension Topology {
    /// The checked topology in the file at `path`, named as `TopologyFile.find` does.
    package static func load(_ path: String) throws(DocumentError) -> Topology {
        let files = try TopologyFile.find(in: path)
        guard files.count == 1, files[0].path == path else {
            throw DocumentError(in: path, "this is a folder", expected: "one topology file")
        }
        return try files[0].load()
    }
}
