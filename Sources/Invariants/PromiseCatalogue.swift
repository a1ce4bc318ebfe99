package import DeviceLink
package import Monitors
internal import PromiseLibrary
internal import Vocabulary

/// The promises of the life cycle: a few that the language cannot state yet, and its library.
package enum PromiseCatalogue {
    /// A monitor of each promise written by hand, in the order of reports.
    ///
    /// The time for an answer grows with `handlingTime`: how long the slowest accessory takes over one
    /// message, where its topology says so.
    package static func monitors(handlingTime: Nanoseconds = 0) -> [any Promise] {
        [
            MessageOrder(), RequestAnswered(handlingTime: handlingTime), Quiet(), RoutedRight(),
            BoundedRetries(), AliveAgain(),
        ]
    }

    /// The promises of the language that every run is judged by, compiled once for all runs.
    package static let library = CompiledProperties(PropertyLibrary.standard)

    /// Which of the promises written by hand observe each kind; looked up only.
    static let observers = observers(monitors())

    static func observers(_ promises: [any Promise]) -> [EventKind: [Int]] {
        promises.enumerated().reduce(into: [:]) { observers, promise in
            for kind in type(of: promise.element).about.kinds {
                observers[kind, default: []].append(promise.offset)
            }
        }
    }

    /// What each promise says, in the order of reports.
    package static let descriptions: [PromiseDescription] =
        monitors().map { type(of: $0).about }
        + PropertyLibrary.standard.properties.map(PromiseDescription.init)

    /// The names of all promises, in the order of reports.
    package static let ids: [String] = descriptions.map(\.id)
}
