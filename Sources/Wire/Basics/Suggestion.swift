/// Which known name a wrong one was probably meant to be.
package enum Suggestion {
    /// The candidate closest to `name`, the first one of equals; nil where none is close.
    ///
    /// Close is a distance of at most a third of the longer name, at least 1; failing that, the
    /// candidate that begins with `name`. Case, hyphens and spaces do not count.
    package static func nearest(to name: String, among candidates: [String]) -> String? {
        let wanted = folded(name)
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let known = folded(candidate)
            let distance = distance(from: wanted, to: known)
            let limit = max(1, max(wanted.count, known.count) / 3)
            guard distance <= limit, distance < best?.distance ?? .max else { continue }
            best = (candidate, distance)
        }
        return best?.name
            ?? candidates.first { wanted.count > 2 && folded($0).starts(with: wanted) }
    }

    /// The end of a sentence about a wrong name: `; did you mean ben?`; empty where no candidate is close.
    package static func question(about name: String, among candidates: [String]) -> String {
        nearest(to: name, among: candidates).map { "; did you mean \($0)?" } ?? ""
    }

    private static func folded(_ name: String) -> [Character] {
        name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
    }

    /// The Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, changes
    /// and swaps of neighbours.
    static func distance(from left: [Character], to right: [Character]) -> Int {
        var before: [Int] = []
        var previous = Array(0...right.count)
        for i in left.indices {
            var current = [i + 1]
            for j in right.indices {
                let change = previous[j] + (left[i] == right[j] ? 0 : 1)
                var cost = min(change, previous[j + 1] + 1, current[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    cost = min(cost, before[j - 1] + 1)
                }
                current.append(cost)
            }
            (before, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
