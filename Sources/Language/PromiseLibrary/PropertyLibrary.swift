import CFiles
package import Promises

/// The promises that every run is judged by, in files by document.
package enum PropertyLibrary {
    package struct File: Sendable {
        /// Its name without suffix: `accessory-protocol-r4`.
        package let name: String
        /// What is in it, and the fluents that all files share.
        package let set: PropertySet
    }

    /// The files, in the order of reports.
    package static let files: [File] = {
        let fluents = parse("fluents", from: fluents_yaml(), with: []).fluents
        return [
            ("accessory-protocol-r4", accessory_protocol_r4_yaml()),
            ("session-life-cycle", session_life_cycle_yaml()),
            ("camera", camera_yaml()),
            ("peers", peers_yaml()),
            ("vendor-guide", vendor_guide_yaml()),
            ("field-invariants", field_invariants_yaml()),
        ].map { File(name: $0, set: parse($0, from: $1, with: fluents)) }
    }()

    package static let standard: PropertySet = files.reduce(into: PropertySet()) { all, file in
        for fluent in file.set.fluents where !all.fluents.contains(fluent) {
            all.fluents.append(fluent)
        }
        all.properties += file.set.properties
        all.goals += file.set.goals
    }

    /// The names of all promises that every run is judged by, in the order of reports: those that the
    /// language cannot state, and those of the library.
    package static let promiseNames =
        HandwrittenPromise.allCases.map(\.rawValue) + standard.properties.map(\.id)

    private static func parse(
        _ name: String, from text: UnsafePointer<CChar>, with fluents: [Fluent]
    ) -> PropertySet {
        let bytes = Array(String(cString: text).utf8)
        do {
            return try PropertySet(parsing: bytes, file: "\(name).yaml", fluents: fluents)
        } catch {
            // The library is part of the program: without it nothing can be judged. Unlike a failed
            // precondition this says in a release build, too, which line is wrong.
            fatalError("the library of promises cannot be read\n\(error)")
        }
    }
}
