package import DeviceLink
import Promises

/// The promises that the language cannot state yet.
package enum HandwrittenPromises {
    /// A monitor of each, in the order of reports.
    ///
    /// The time for an answer grows with `handlingTime`: how long the slowest accessory takes over one
    /// message, where its topology says so.
    package static func monitors(handlingTime: Nanoseconds = 0) -> [any Promise] {
        HandwrittenPromise.allCases.map { promise -> any Promise in
            switch promise {
            case .messageOrder: MessageOrder()
            case .requestAnswered: RequestAnswered(handlingTime: handlingTime)
            case .quiet: Quiet()
            case .routedRight: RoutedRight()
            case .boundedRetries: BoundedRetries()
            case .aliveAgain: AliveAgain()
            }
        }
    }

    /// Which of them observe each kind; looked up only.
    static let observers = observers(monitors())

    static func observers(_ promises: [any Promise]) -> [EventKind: [Int]] {
        promises.enumerated().reduce(into: [:]) { observers, promise in
            for kind in type(of: promise.element).kinds {
                observers[kind, default: []].append(promise.offset)
            }
        }
    }
}
