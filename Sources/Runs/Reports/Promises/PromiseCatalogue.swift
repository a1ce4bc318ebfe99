package import Invariants
package import Monitors
import PromiseLibrary
package import Promises
package import Scenarios

/// The promises of the life cycle: a few that the language cannot state yet, and its library.
package enum PromiseCatalogue {
    /// The promises of the language that every run is judged by, compiled once for all runs.
    package static let library = CompiledProperties(PropertyLibrary.standard)

    /// What each promise says, in the order of reports.
    package static let descriptions: [PromiseDescription] =
        HandwrittenPromises.monitors().map { type(of: $0).about }
        + PropertyLibrary.standard.properties.map(\.about)

    private static let byID = Dictionary(uniqueKeysWithValues: descriptions.map { ($0.id, $0) })

    /// What a promise says; nil for one that only a topology, or another version, brings along.
    package static subscript(id: String) -> PromiseDescription? { byID[id] }

    /// The names of all promises, in the order of reports.
    package static let ids: [String] = descriptions.map(\.id)
}

extension Judge {
    /// A judge of runs of `topology`, one after another, by all promises of the catalogue.
    package init(_ topology: Topology) { self.init(topology, library: PromiseCatalogue.library) }
}
