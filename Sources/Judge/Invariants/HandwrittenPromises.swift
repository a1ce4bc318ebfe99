package import Basics
package import DeviceLink
import Promises

/// The promises that the language cannot state yet.
package enum HandwrittenPromises {
    /// A monitor of each, in the order of reports.
    ///
    /// `answersWithin` says how long an accessory may take over an answer, by its name, where that is known;
    /// `slowest` is the longest time that a maker allows himself.
    package static func monitors(
        answersWithin: SmallMap<String, Nanoseconds> = [:], slowest: Nanoseconds = 0
    ) -> [any Promise] {
        HandwrittenPromise.allCases.map { promise -> any Promise in
            switch promise {
            case .messageOrder: MessageOrder()
            case .requestAnswered: RequestAnswered(answersWithin: answersWithin)
            case .quiet: Quiet()
            case .routedRight: RoutedRight()
            case .boundedRetries: BoundedRetries()
            case .aliveAgain: AliveAgain(slowest: slowest)
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
