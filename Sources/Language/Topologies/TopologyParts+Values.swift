package import DeviceLink
import Scenarios
import YAML

/// Plainer values in place of those of a script.
extension TopologyParts {
    /// The numbers of the script and of groups of devices, which may be plainer.
    package var values: [Path] {
        paths.filter { path in
            guard case .key(let key)? = path.steps.last else { return false }
            switch path.steps.first {
            case .key("steps"): return path.steps.count == 3 && key != "ratio"
            case .key("devices"): return path.steps.count == 3 && key == "count"
            default: return false
            }
        }
    }

    /// The texts with a plainer value there, the plainest first.
    package func simplifying(_ path: Path) -> [String] {
        guard let text = root[path]?.string else { return [] }
        var plainer: [String] = []
        if let number = UInt64(text) {
            plainer = Plainness.counts(below: number).map(String.init)
        } else if let time = Self.duration(root[path]) {
            let isMoment = path.steps.last == .key("at")
            plainer =
                ((isMoment ? Plainness.moments : Plainness.lengths).filter { $0 < time }
                + Plainness.roundings(of: time, digits: 6)).map(TimedFault.text)
        }
        return plainer.map { replacing(path, by: YAMLNode($0)).text }
    }

    /// The text with all steps of a fixed time earlier, so that the first of them is at `moment`; nil
    /// where it is earlier already.
    package func text(beginningAt moment: Nanoseconds) -> String? {
        let starts = (root["steps"]?.items ?? []).compactMap { Self.duration($0["at"]) }
        guard let first = starts.min(), first > moment else { return nil }
        return changingSteps { steps in
            steps.map { node in
                guard let start = Self.duration(node["at"]) else { return node }
                var step = node
                step["at"] = YAMLNode(TimedFault.text(start - (first - moment)))
                return step
            }
        }.text
    }

    /// The text with the steps in the order of their times, those that wait for something first.
    package var textInOrder: String {
        changingSteps { steps in
            steps.enumerated().map { (Self.duration($1["at"]) ?? 0, $0, $1) }
                .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
        }.text
    }
}

/// Which values are plainer than others: those with fewer digits, and of these the smaller ones.
package enum Plainness {
    /// Moments to try first.
    package static let moments: [Nanoseconds] = [1, 2, 5, 10].map(Nanoseconds.seconds)
    /// Times that something lasts, to try first.
    static let lengths: [Nanoseconds] = [.milliseconds(100), .seconds(1), .seconds(10)]

    /// Smaller counts: none, one, half, one less.
    static func counts(below count: UInt64) -> [UInt64] {
        [0, 1, count / 2, count == 0 ? 0 : count - 1].reduce(into: []) { found, value in
            if value < count, !found.contains(value) { found.append(value) }
        }
    }

    /// The next smaller and the next larger value with one digit, two, and so on, where that is fewer.
    package static func roundings(of value: UInt64, digits: Int = 3) -> [UInt64] {
        var power: UInt64 = 1
        while value / power >= 10 { power *= 10 }
        var found: [UInt64] = []
        for _ in 0..<digits where power > 1 && value % power != 0 {
            let smaller = value / power * power
            found += [smaller] + (smaller <= .max - power ? [smaller + power] : [])
            power /= 10
        }
        return found
    }
}
