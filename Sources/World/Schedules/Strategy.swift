package import Choices

/// A way to look for a schedule that breaks a promise, by the name that the command line and a replay
/// file give it.
package enum Strategy: Hashable, Sendable {
    /// First come, first served.
    case fifo
    /// A uniform random walk.
    case random
    /// Interleavings of the channels are equally likely, as far as windows let them (``UniformInterleaving``).
    case urw
    /// Uniform over interleavings of what reaches some of the devices.
    case surw
    /// Each event has a random strength (``PartialOrderSampling``).
    case pos
    /// Priorities of channels, for failures that need so many orderings.
    case pct(depth: Int)
    /// Priorities of chains of cause and effect, for failures that need so many orderings.
    case pctcp(depth: Int)
    /// Every event waits for a time that is drawn uniformly from its window (``LatencySampling``).
    case latency
    /// Latencies with a heavy tail, and clogged channels.
    case heavyLatency
    /// A random few of the devices get nothing for a while.
    case starvation
    /// Each timer of a device as late as it may be, everything else at once (``LateTimers``).
    case late
    /// First come, first served, but for so many places.
    case delay(bound: Int)
    /// Another one for each seed.
    case portfolio
    /// First come, first served for this seed, and the portfolio for every other one: a sweep's, which has
    /// the plain timing first.
    case sweep(plain: UInt64)

    /// What the portfolio consists of; the seed says which.
    package static let arms: [Strategy] = [
        .random, .urw, .pos, .pct(depth: 2), .pct(depth: 3), .pctcp(depth: 2), .pctcp(depth: 3),
        .pctcp(depth: 5), .latency, .heavyLatency, .starvation,
    ]

    /// The greatest depth or bound.
    package static let depths = 1...16

    private static let plain: [(name: String, strategy: Strategy)] = [
        ("fifo", .fifo), ("random", .random), ("urw", .urw), ("surw", .surw), ("pos", .pos),
        ("latency", .latency),
        ("heavy-latency", .heavyLatency), ("starvation", .starvation), ("late", .late),
        ("portfolio", .portfolio),
    ]

    /// How they are written; N is a number of ``depths``.
    package static let names =
        plain.map(\.name) + ["pct:N", "pctcp:N", "delay:N"]

    /// The strategy of this name; nil where there is none.
    package init?(_ name: String) {
        if let plain = Self.plain.first(where: { $0.name == name }) {
            self = plain.strategy
            return
        }
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let seed = UInt64(parts[1]), String(seed) == parts[1] else {
            return nil
        }
        let depth = Int(clamping: seed)
        guard parts[0] == "sweep" || Self.depths.contains(depth) else { return nil }
        switch parts[0] {
        case "sweep": self = .sweep(plain: seed)
        case "pct": self = .pct(depth: depth)
        case "pctcp": self = .pctcp(depth: depth)
        case "delay": self = .delay(bound: depth)
        default: return nil
        }
    }

    /// The name that the command line and replay files have for it.
    package var name: String {
        switch self {
        case .pct(let depth): "pct:\(depth)"
        case .pctcp(let depth): "pctcp:\(depth)"
        case .delay(let bound): "delay:\(bound)"
        case .sweep(let seed): "sweep:\(seed)"
        default: Self.plain.first { $0.strategy == self }?.name ?? ""
        }
    }

    /// The strategy that a seed means: of a portfolio the arm, of any other itself.
    package func arm(of seed: UInt64) -> Strategy {
        switch self {
        case .sweep(let plain) where seed == plain: .fifo
        case .portfolio, .sweep: Self.arms[Int(seed % UInt64(Self.arms.count))]
        default: self
        }
    }

    /// Whether it has to know how long a plain run is.
    package var needsCensus: Bool {
        switch self {
        case .urw, .surw, .pct, .pctcp, .delay: true
        case .fifo, .random, .pos, .latency, .heavyLatency, .starvation, .late, .portfolio, .sweep:
            false
        }
    }

    /// Who picks in the run of a seed.
    package func scheduler(seed: UInt64, census: Census = .unknown) -> any Scheduler {
        switch self {
        case .fifo: FirstInFirstOut()
        case .random: RandomWalk()
        case .urw: UniformInterleaving(census)
        case .surw: SelectiveInterleaving(census)
        case .pos: PartialOrderSampling()
        case .pct(let depth): ChannelPriorities(depth: depth, census)
        case .pctcp(let depth): ChainPriorities(depth: depth, census)
        case .latency: LatencySampling(.uniform)
        case .heavyLatency: LatencySampling(.heavyTailed)
        case .starvation: Starvation()
        case .late: LateTimers()
        case .delay(let bound): DelayBounded(bound: bound, census)
        case .portfolio, .sweep: arm(of: seed).scheduler(seed: seed, census: census)
        }
    }
}

extension Strategy: Codable {
    package init(from decoder: any Decoder) throws {
        let name = try decoder.singleValueContainer().decode(String.self)
        guard let strategy = Strategy(name) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no scheduler is \(name)"))
        }
        self = strategy
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
