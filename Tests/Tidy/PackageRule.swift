import Foundation

/// What Package.swift may not say.
enum PackageRule {
    /// What modules import and do not declare, or declare and do not import, or import from no lower floor.
    ///
    /// Every device is linked with DeviceKit, whoever imports it.
    static func wrongImports(_ manifest: Manifest, _ code: [Line]) -> [String] {
        let known = Set(
            manifest.targets.map(\.name) + [
                "Yams", "ArgumentParser", "GRDB",
            ])
        let pattern = /\bimport (?:\w+ )?(\w+)(?:\.\w+)?$/
        let imported = Dictionary(grouping: code) { $0.module }.mapValues { lines in
            Set(
                lines.filter { $0.code.hasPrefix("import") || $0.code.contains(" import ") }
                    .compactMap { $0.code.firstMatch(of: pattern).map { String($0.1) } }
            ).intersection(known)
        }
        return imported.keys.sorted().flatMap { module -> [String] in
            let own = manifest[module]
            let (uses, declares) = (imported[module] ?? [], Set(own?.dependencies ?? []))
            let higher = uses.filter { name in
                guard let floor = own?.floor, let other = manifest[name]?.floor else {
                    return false
                }
                return other >= floor
            }
            return uses.subtracting(declares).sorted().map { "\(module) does not declare \($0)" }
                + (own?.kind == "device" ? [] : declares.subtracting(uses)).sorted().map {
                    "\(module) does not import \($0)"
                }
                + higher.sorted().map { "\(module) stands not above \($0)" }
        }
    }

    /// Where Package.swift and the table of ARCHITECTURE.md say different floors.
    static func differentFloors(_ manifest: Manifest, _ architecture: String) -> [String] {
        var table: [String: Int] = [:]
        for row in architecture.matches(of: /\n\| (\d+) \| ([^|\n]+) \|/) {
            for name in row.2.matches(of: /`(\w+)`/) { table[String(name.1)] = Int(row.1) }
        }
        let all = Set(manifest.floors.keys).union(table.keys)
        return all.sorted().filter { manifest.floors[$0] != table[$0] }
    }

    /// Packages that are not pinned to one version: what is built would change by itself.
    static func unpinned(_ manifest: Manifest) -> [String] {
        manifest.packages.filter { !$0.requirement.hasPrefix("exact: ") }.map(\.name)
    }

    /// What a user's library is linked with and should not be: another package brings versions of its own.
    static func burdens(_ manifest: Manifest) -> [String] {
        manifest.libraries.flatMap { library in
            ["ArgumentParser", "GRDB", "Yams"].filter(
                manifest.closure(of: library.modules).contains
            )
            .map { "\(library.name) is linked with \($0)" }
        }
    }

    /// What only another build than that of the tests resolves.
    private static let ofABuildOfItsOwn: Set = ["GRDB.swift"]

    /// The versions that SwiftPM has resolved where they are not those of Package.swift.
    static func otherVersions(_ manifest: Manifest, resolved: Data) throws -> [String] {
        struct Resolved: Decodable {
            struct Pin: Decodable {
                struct State: Decodable { let version: String? }
                let identity: String
                let state: State
            }
            let pins: [Pin]
        }
        let pins = try JSONDecoder().decode(Resolved.self, from: resolved).pins
        return manifest.packages.compactMap { package in
            let pin = pins.first { $0.identity == package.name.lowercased() }
            if pin == nil, ofABuildOfItsOwn.contains(package.name) { return nil }
            let version = pin?.state.version ?? "no version"
            return package.requirement == "exact: \"\(version)\""
                ? nil : "\(package.name) is \(version), and not \(package.requirement)"
        }
    }
}
