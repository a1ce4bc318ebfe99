package import Schedules

/// How the schedules of an exploration are chosen.
package enum Search: Hashable, RawRepresentable, Codable {
    /// As a strategy picks, with one seed after another.
    case strategy(Strategy)
    /// Every schedule that puts off at most `most` events, each once.
    case exhaustive(most: Int)

    /// From the name of a strategy or `exhaustive:N`; nil for any other.
    package init?(rawValue name: String) {
        let word = "exhaustive:"
        guard name.hasPrefix(word) else {
            guard let strategy = Strategy(name) else { return nil }
            self = .strategy(strategy)
            return
        }
        guard let most = Int(name.dropFirst(word.count)), Strategy.depths.contains(most),
            name == "\(word)\(most)"
        else { return nil }
        self = .exhaustive(most: most)
    }

    package var isExhaustive: Bool {
        if case .exhaustive = self { true } else { false }
    }

    /// The name of the strategy, or `exhaustive:N`.
    package var rawValue: String {
        switch self {
        case .strategy(let strategy): strategy.name
        case .exhaustive(let most): "exhaustive:\(most)"
        }
    }

    /// The strategy that picks where no schedule does.
    package var scheduler: Strategy {
        switch self {
        case .strategy(let strategy): strategy
        case .exhaustive: .fifo
        }
    }
}

/// Where the faults of an exploration come from, besides the script.
package enum FaultSource: String, Codable, CaseIterable {
    /// At random, as the topology's rates say, by a swarm; then everything heals.
    case random
    /// One of every kind at every moment of the plain run.
    case sweep
}
