package import DeviceLink
internal import Monitors

/// The promises that the language cannot state yet.
package enum HandwrittenPromises {
    /// A monitor of each, in the order of reports.
    ///
    /// The time for an answer grows with `handlingTime`: how long the slowest accessory takes over one
    /// message, where its topology says so.
    package static func monitors(handlingTime: Nanoseconds = 0) -> [any Promise] {
        [
            MessageOrder(), RequestAnswered(handlingTime: handlingTime), Quiet(), RoutedRight(),
            BoundedRetries(), AliveAgain(),
        ]
    }

    /// Which of them observe each kind; looked up only.
    static let observers = observers(monitors())

    static func observers(_ promises: [any Promise]) -> [EventKind: [Int]] {
        promises.enumerated().reduce(into: [:]) { observers, promise in
            for kind in type(of: promise.element).about.kinds {
                observers[kind, default: []].append(promise.offset)
            }
        }
    }
}
