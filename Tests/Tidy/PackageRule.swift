import Foundation

/// What Package.swift may not say.
enum PackageRule {
    /// What modules import and do not declare, or declare and do not import, or import from a wing above their own.
    ///
    /// Every device is linked with DeviceKit, whoever imports it.
    static func wrongImports(_ manifest: Manifest, _ code: [Line]) -> [String] {
        let known = Set(manifest.targets.map(\.name) + foreign)
        let pattern = /\bimport (?:\w+ )?(\w+)(?:\.\w+)?$/
        let byTarget = Dictionary(grouping: code) { manifest.target(of: $0.path)?.name }
        let imported = byTarget.mapValues { lines in
            Set(
                lines.filter { $0.code.hasPrefix("import") || $0.code.contains(" import ") }
                    .compactMap { $0.code.firstMatch(of: pattern).map { String($0.1) } }
            ).intersection(known)
        }
        return manifest.targets.sorted { $0.name < $1.name }.flatMap { target -> [String] in
            guard let uses = imported[target.name] else { return [] }
            let declares = Set(target.dependencies)
            let higher = uses.filter { floor(manifest[$0]) > floor(target) }
            return uses.subtracting(declares).sorted().map {
                "\(target.name) does not declare \($0)"
            }
                + declares.subtracting(uses).sorted().filter {
                    $0 != "DeviceKit" || !target.path.hasPrefix("Sources/Devices/Programs/")
                }.map { "\(target.name) does not import \($0)" }
                + higher.sorted().map { "\(target.name) stands below \($0)" }
        }
    }

    private static func floor(_ target: Manifest.Target?) -> Int {
        target?.wing.flatMap(Manifest.wings.firstIndex(of:)) ?? 0
    }

    /// Products of other packages.
    private static let foreign = ["ArgumentParser", "Yams"]

    /// Packages that are not pinned to one version: what is built would change by itself.
    static func unpinned(_ manifest: Manifest) -> [String] {
        manifest.packages.filter { $0.version == nil }.map(\.name)
    }

    /// What a user's library is linked with and should not be: another package brings versions of its own.
    static func burdens(_ manifest: Manifest) -> [String] {
        manifest.libraries.flatMap { library in
            foreign.filter(manifest.closure(of: library.modules).contains)
                .map { "\(library.name) is linked with \($0)" }
        }
    }

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
            let (version, wanted) = (pin?.state.version, package.version)
            return version != nil && version == wanted
                ? nil
                : "\(package.name) is \(version ?? "no version"), and not \(wanted ?? "pinned")"
        }
    }
}
