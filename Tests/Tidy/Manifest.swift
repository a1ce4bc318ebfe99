import Foundation
import TestSupport

/// What Package.swift says, as SwiftPM understands it.
struct Manifest {
    struct Target {
        let name: String
        /// Its folder, from the repository's.
        let path: String
        /// Modules, and products of other packages.
        let dependencies: [String]

        /// The folder of `Sources` that it stands in; nil for what is none of `Sources`.
        var wing: String? {
            let parts = path.split(separator: "/")
            return parts.first == "Sources" && parts.count > 1 ? String(parts[1]) : nil
        }
    }

    /// The wings, each above those before it.
    static let wings = [
        "Wire", "System", "Language", "World", "Judge", "Devices", "Runs", "Answers", "Tool",
    ]

    /// Packages, each with the one version that is required of it; nil for others.
    let packages: [(name: String, version: String?)]
    /// The libraries that users depend on, and their modules.
    let libraries: [(name: String, modules: [String])]
    let targets: [Target]

    static func ofThisPackage() throws -> Manifest {
        let place = try Place()
        let dumped = try place.run([
            "swift", "package", "--package-path", root, "--scratch-path", place.path,
            "dump-package",
        ])
        return try JSONDecoder().decode(Dump.self, from: Data(dumped.output.utf8)).manifest
    }

    subscript(name: String) -> Target? { targets.first { $0.name == name } }

    /// The target that a file of `Sources` belongs to, by the file's path.
    func target(of path: String) -> Target? { targets.first { path.hasPrefix($0.path + "/") } }

    /// A module and all that it is linked with.
    func closure(of modules: [String]) -> Set<String> {
        var (found, open) = (Set<String>(), modules)
        while let name = open.popLast() {
            guard found.insert(name).inserted else { continue }
            open += self[name]?.dependencies ?? []
        }
        return found
    }
}

/// What `swift package dump-package` prints, as far as a rule asks for it.
private struct Dump: Decodable {
    struct Package: Decodable {
        struct Requirement: Decodable { let exact: [String]? }
        struct Source: Decodable {
            struct Location: Decodable {
                struct Remote: Decodable { let urlString: String }
                let remote: [Remote]
            }
            let location: Location
            let requirement: Requirement
        }
        let sourceControl: [Source]
    }

    struct Product: Decodable {
        struct Kind: Decodable { let library: [String]? }
        let name: String
        let targets: [String]
        let type: Kind
    }

    struct Target: Decodable {
        /// A name, and what is of no interest here.
        struct Dependency: Decodable {
            let byName, product: [String?]?
        }
        let name: String
        let path: String?
        let dependencies: [Dependency]
    }

    let dependencies: [Package]
    let products: [Product]
    let targets: [Target]

    var manifest: Manifest {
        Manifest(
            packages: dependencies.flatMap(\.sourceControl).map { source in
                let url = source.location.remote.first?.urlString ?? ""
                return (
                    String(url.split(separator: "/").last ?? ""), source.requirement.exact?.first
                )
            },
            libraries: products.filter { $0.type.library != nil }.map { ($0.name, $0.targets) },
            targets: targets.map { target in
                .init(
                    name: target.name, path: target.path ?? "",
                    dependencies: target.dependencies.compactMap {
                        ($0.byName ?? $0.product)?.first.flatMap(\.self)
                    })
            })
    }
}
