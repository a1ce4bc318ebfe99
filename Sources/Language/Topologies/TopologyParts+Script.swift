import Basics
package import DeviceLink
import Scenarios
import YAML

/// Changes to the script of a topology file.
extension TopologyParts {
    /// The file with its steps changed; without any, it has no `steps`.
    func changingSteps(_ change: ([YAMLNode]) -> [YAMLNode]) -> TopologyParts {
        var file = root
        let steps = change(file["steps"]?.items ?? [])
        file["steps"] = steps.isEmpty ? nil : YAMLNode(list: steps)
        return TopologyParts(file)
    }

    /// The text without these steps.
    package func text(withoutSteps places: Range<Int>) -> String {
        changingSteps { steps in
            steps.enumerated().filter { !places.contains($0.offset) }.map(\.element)
        }.text
    }

    /// The text of a run that ends at this time, without what its script would do later.
    package func text(endingAt length: Nanoseconds) -> String { ending(at: length).text }

    private func ending(at length: Nanoseconds) -> TopologyParts {
        var file = root
        file["length"] = YAMLNode(TimedFault.text(length))
        return TopologyParts(file).changingSteps { steps in
            steps.compactMap { Self.step($0, before: length) }
        }
    }

    private static func step(_ node: YAMLNode, before length: Nanoseconds) -> YAMLNode? {
        guard let start = duration(node["at"]) else { return node }
        guard start <= length else { return nil }
        var step = node
        if let lasting = duration(step["for"]), start + lasting > length { step["for"] = nil }
        return step
    }

    /// When its steps of a fixed time are, by their places.
    package var moments: [(place: Int, time: Nanoseconds)] {
        (root["steps"]?.items ?? []).enumerated().compactMap { place, step in
            Self.duration(step["at"]).map { (place, $0) }
        }
    }

    /// The text with a step at another time; the run is longer by as much as the step is later, so that
    /// as much time is left after it, but for faults at random.
    package func text(movingStep place: Int, to time: Nanoseconds) -> String {
        let old = moments.first { $0.place == place }?.time ?? time
        let moved = changingSteps { steps in
            var steps = steps
            steps[place]["at"] = YAMLNode(TimedFault.text(time))
            return steps
        }
        return moved.lengthened(by: time - min(old, time)).text
    }

    /// The names of its devices, without those of groups.
    package var singleDevices: [String] {
        (root["devices"]?.entries ?? []).filter { $0.value["count"] == nil }.map(\.key)
    }

    /// The text with a device that starts at another time, and a run that is longer by as much as that is
    /// later, as with ``text(movingStep:to:)``.
    package func text(startingDevice name: String, at time: Nanoseconds) -> String {
        var old: Nanoseconds?
        let moved = changing(name) { spec in
            old = Self.duration(spec["start"])
            spec["start"] = YAMLNode(TimedFault.text(time))
        }
        return moved?.lengthened(by: time - min(old ?? 0, time)).text ?? text
    }

    /// As much as before is left after what is later by this time.
    private func lengthened(by time: Nanoseconds) -> TopologyParts {
        guard time > 0 else { return self }
        let length = length ?? Topology.standardLength
        return withFaults(endingAt: length).ending(at: length + time)
    }

    /// How long the file says that the run is; nil where it does not.
    package var length: Nanoseconds? { Self.duration(root["length"]) }

    /// The time that a node says.
    static func duration(_ node: YAMLNode?) -> Nanoseconds? {
        node?.string.flatMap { try? Quantity.duration.value(of: $0) }
            .flatMap { Nanoseconds(exactly: $0) }
    }

    /// How many devices it names, a group as one.
    package var deviceCount: Int { root["devices"]?.entries?.count ?? 0 }

    /// How many steps it has.
    package var stepCount: Int { root["steps"]?.items?.count ?? 0 }
}
