import Basics

/// The runs that show why something has not passed: how many, and the first seeds.
///
/// What went wrong is told of the first run. There may be millions, so the rest is only counted.
package struct Evidence: Equatable, Sendable {
    package private(set) var count = 0
    package private(set) var seeds: [UInt64] = []
    /// The run whose story is told.
    package private(set) var first: RunReport?
    /// The real time of all of them, in microseconds.
    package private(set) var wall: UInt64 = 0
    /// How many seeds are named.
    private static let shown = 20

    package init(_ runs: [RunReport] = []) {
        count = runs.count
        seeds = runs.prefix(Self.shown).map(\.seed)
        first = runs.first
        wall = runs.reduce(0) { $0 + ($1.wall ?? 0) }
    }

    /// Takes a run of the same topology; they are kept by seed, in whatever sequence they come.
    package mutating func insert(_ run: RunReport) {
        count += 1
        wall += run.wall ?? 0
        if run.seed < first?.seed ?? .max { first = run }
        let place = seeds.firstIndex { $0 > run.seed } ?? seeds.endIndex
        seeds.insert(run.seed, at: place)
        if seeds.count > Self.shown { seeds.removeLast() }
    }

    /// `1, 2, 3 and 4 more`.
    package var seedList: String {
        let more = (count - seeds.count).more.map { " " + $0 } ?? ""
        return seeds.map(String.init).joined(separator: ", ") + more
    }

    /// What went wrong in the first run, without the command that repeats it; nil where nothing did.
    package var story: String? {
        var run = first
        run?.replay = nil
        return run.flatMap(Console.story)
    }

    /// Seeds and command come first: what is too long is cut behind them.
    package var text: String {
        guard let first else { return "" }
        var lines = [(count == 1 ? "seed: " : "seeds: ") + seedList]
        if let replay = first.replay { lines.append("replay: \(replay)") }
        if let story { lines.append(story) }
        return lines.joined(separator: "\n")
    }
}
