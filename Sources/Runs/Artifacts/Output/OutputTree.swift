package import Basics
import Foundation

/// Where the folders of runs stand: `TREE/NAME/SEED`.
package enum OutputTree {
    /// The folder of a run.
    ///
    /// A name that is not safe has none: see ``PathName``.
    package static func folder(of name: PathName, seed: UInt64, in tree: String) -> String {
        "\(tree)/\(name)/\(seed)"
    }

    /// The folders of the runs of a tree that have a verdict, by their paths from there, in order.
    ///
    /// - Throws: `Replay.ReadError` where there is no folder.
    package static func runs(in tree: String) throws -> [String] {
        guard InputFile.isFolder(tree), let all = FileManager.default.enumerator(atPath: tree)
        else {
            throw Replay.ReadError("\(tree): expected an output tree, as run leaves it")
        }
        let suffix = "/verdict.json"
        return all.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }
            .map { String($0.dropLast(suffix.count)) }.sorted()
    }

    /// Makes the folder of the tree, so that a wrong one is reported once, before any run.
    package static func prepare(_ tree: String) throws(ArtifactError) {
        try makeFolder(tree)
        if access(tree, W_OK | X_OK) != 0 {
            throw ArtifactError(cannot: "write into", tree, code: errno)
        }
    }

    /// Checks whether the tree could be made, and makes nothing.
    package static func check(_ tree: String) throws(ArtifactError) {
        var folder = tree
        var status = stat()
        while stat(folder, &status) != 0 {
            let above = parentFolder(of: folder)
            guard errno == ENOENT, above != folder else {
                throw ArtifactError(cannot: "make the folder", tree, code: errno)
            }
            folder = above
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw ArtifactError(cannot: "make the folder", tree, code: ENOTDIR)
        }
        if access(folder, W_OK | X_OK) != 0 {
            throw ArtifactError(cannot: "write into", folder, code: errno)
        }
    }

    /// Makes a folder and those above it that are missing; returns whether it was missing itself.
    @discardableResult
    package static func makeFolder(
        _ path: String, option: String = "--out"
    ) throws(ArtifactError) -> Bool {
        if mkdir(path, 0o755) == 0 { return true }
        switch errno {
        case EEXIST where InputFile.isFolder(path): return false
        case EEXIST:
            throw ArtifactError(cannot: "make the folder", path, code: ENOTDIR, option: option)
        case ENOENT where path.dropLast().contains("/"):
            try makeFolder(parentFolder(of: path), option: option)
            if mkdir(path, 0o755) != 0, errno != EEXIST {
                throw ArtifactError(cannot: "make the folder", path, code: errno, option: option)
            }
            return true
        case let code:
            throw ArtifactError(cannot: "make the folder", path, code: code, option: option)
        }
    }
}
