import Scenarios
import Traces
import Vocabulary

/// What each host tells of its turns in a run, a line each (``ProcessHosting/tellsTurns``).
final class HostTurns: RunSink {
    private var logs: [Int: [UInt8]] = [:]

    func take(_ event: TraceEvent) {}

    func log(_ device: Int, _ bytes: UnsafeRawBufferPointer) {
        logs[device, default: []] += bytes
    }

    /// The turns of a device: when, and what it did.
    private func lines(of device: Int) -> [(moment: Substring, deed: Substring)] {
        String(decoding: logs[device] ?? [], as: UTF8.self).split(separator: "\n").compactMap {
            let parts = $0.split(separator: "] " + HostProgram.turnMark, maxSplits: 1)
            guard parts.count == 2, let moment = parts[0].split(separator: "[").last else {
                return nil
            }
            return (moment, parts[1])
        }
    }

    /// Where the turns of the first host that differs do so, in words; nil where all are the same.
    func firstDifference(from other: HostTurns, of names: [String]) -> String? {
        var differences: [(moment: Double, text: String)] = []
        for (device, name) in names.enumerated() {
            let (mine, theirs) = (lines(of: device), other.lines(of: device))
            let place = zip(mine, theirs).enumerated().first { $0.element.0 != $0.element.1 }?
                .offset
            guard
                let turn = place
                    ?? (mine.count == theirs.count ? nil : min(mine.count, theirs.count))
            else { continue }
            func picture(_ lines: [(moment: Substring, deed: Substring)]) -> String {
                guard lines.indices.contains(turn) else { return "it had no such turn" }
                return "at \(lines[turn].moment) it \(lines[turn].deed)"
            }
            let moment = (turn < mine.count ? mine : theirs)[turn].moment
            differences.append(
                (
                    Double(moment.prefix { $0 != " " }) ?? 0,
                    "the guest \(name) differs first in its turn \(turn + 1):"
                        + "\n    one time  \(picture(mine))\n    another   \(picture(theirs))"
                ))
        }
        return differences.min { $0.moment < $1.moment }?.text
    }
}

extension Topology {
    /// Whether some device of it is a host, which tells of its turns.
    var hasHosts: Bool { devices.contains { $0.host != nil } }

    /// The places of the devices that have a UWB chip of ours.
    var chips: [Int] { devices.indices.filter { devices[$0].host?.hasChip ?? false } }
}
