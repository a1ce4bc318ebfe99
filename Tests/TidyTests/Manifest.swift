/// What Package.swift says of modules: read as text, so that no rule needs the network or a build.
struct Manifest {
    struct Target: Equatable {
        let kind: String
        let name: String
        /// Modules, and products of other packages.
        let dependencies: [String]
        /// The floor that it stands on; nil for what stands on none.
        let floor: Int?
    }

    /// Packages, each with what is required of it: `exact: "1.8.2"`.
    let packages: [(name: String, requirement: String)]
    /// The libraries that users depend on, and their modules.
    let libraries: [(name: String, modules: [String])]
    let targets: [Target]

    init(_ text: String) {
        packages = text.matches(of: /\.package\(url: "[^"]*\/([^"\/]+)", ([^)]+)\)/).map {
            (String($0.1), String($0.2))
        }
        libraries = text.matches(of: /\.library\(\s*name: "([^"]+)",\s+targets: \[([^\]]*)\]/).map {
            (String($0.1), Self.words($0.2))
        }
        targets = Self.targets(in: text)
    }

    subscript(name: String) -> Target? {
        targets.first { $0.name == name && !["tests", ".testTarget"].contains($0.kind) }
    }

    /// The floors, by module.
    var floors: [String: Int] {
        targets.reduce(into: [:]) { floors, target in
            if let floor = target.floor { floors[target.name] = floor }
        }
    }

    /// A module and all that it is linked with.
    func closure(of modules: [String]) -> Set<String> {
        var (found, open) = (Set<String>(), modules)
        while let name = open.popLast() {
            guard found.insert(name).inserted else { continue }
            open += self[name]?.dependencies ?? []
        }
        return found
    }

    private static func targets(in text: String) -> [Target] {
        let list = text[(text.range(of: "\n    targets: [")?.upperBound ?? text.endIndex)...]
        let heads = list.matches(
            of:
                #/
                //\ (Floor\ (\d+):|Executables\.)
                | (module|\.target|\.executableTarget|\.systemLibrary|device|tests|\.testTarget)\(
                /#)
        var floor: Int?
        return heads.compactMap { head in
            if head.1 != nil {
                floor = head.2.flatMap { Int($0) }
                return nil
            }
            guard let kind = head.3 else { return nil }
            let call = inParentheses(list[head.range.upperBound...])
            // A product is named; its package is not of interest.
            let strings = words(call.replacing(/, package: "[^"]*"/, with: ""))
            guard let name = strings.first else { return nil }
            let listed = call.firstMatch(of: /\[((?:[^\[\]]|\n)*)\]/).map { words($0.1) } ?? []
            let dependencies =
                kind == "device" ? Array(strings.dropFirst()) + ["DeviceKit"] : listed
            return Target(
                kind: String(kind), name: name,
                dependencies: kind == ".systemLibrary"
                    ? [] : dependencies.filter { $0 != "package" },
                floor: floor)
        }
    }

    private static func words(_ text: some StringProtocol) -> [String] {
        String(text).replacing(/, package: "[^"]*"/, with: "").matches(of: /"([^"]*)"/)
            .map { String($0.1) }
    }

    /// Up to the parenthesis that closes.
    private static func inParentheses(_ text: Substring) -> Substring {
        var depth = 1
        let end = text.firstIndex { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return depth == 0
        }
        return text[..<(end ?? text.endIndex)]
    }
}
