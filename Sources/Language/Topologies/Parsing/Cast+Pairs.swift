import PromiseLibrary
import Scenarios
import YAML

extension Cast {
    /// The pairs that a list of two names; more than one where it says `every`.
    func pairs(_ node: YAMLNode, for what: String) throws(Problem) -> [DevicePair] {
        let expected = "two devices, like [ben, lock]"
        let items = try node.list(what, expected: expected)
        guard items.count == 2 else {
            throw node.problem(
                "`\(what)` has \(items.count == 1 ? "one device" : "\(items.count) devices")",
                expected: expected)
        }
        var pairs: [DevicePair] = []
        let seconds = try devices(items[1], for: what)
        for first in try devices(items[0], for: what) {
            pairs += seconds.filter { $0 != first }.map { DevicePair(first, $0) }
        }
        guard !pairs.isEmpty else {
            throw node.problem("`\(what)` has the same device twice", expected: expected)
        }
        return pairs
    }
}
