package import DeviceLink
internal import Traces
import Yams

/// The script of a topology file, as what can be said otherwise.
extension TopologyParts {
    /// The text with timed steps, behind those that it has, instead of faults at random; nil where one
    /// of them is no step.
    package func text(spelling faults: [TimedFault]) -> String? {
        guard var file = root.mapping else { return nil }
        var steps: [Node] = []
        for fault in faults {
            guard let entries = fault.entries else { return nil }
            steps.append(.mapping(Node.Mapping(entries.map { (Node($0.key), $0.value.node) })))
        }
        // What heals goes on doing so.
        let plan = file["faults"]?.mapping
        let healing = ["between", "heal"].compactMap { key in plan?[key].map { (Node(key), $0) } }
        file["faults"] = plan?["heal"] == nil ? nil : .mapping(Node.Mapping(healing))
        return TopologyParts(.mapping(file)).changingSteps { $0 + steps }.text
    }

    /// With other steps.
    func changingSteps(_ change: ([Node]) -> [Node]) -> TopologyParts {
        guard var file = root.mapping else { return self }
        let steps = change(file["steps"]?.sequence.map(Array.init) ?? [])
        file["steps"] = steps.isEmpty ? nil : .sequence(Node.Sequence(steps))
        return TopologyParts(.mapping(file))
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
        guard var file = root.mapping else { return self }
        file["length"] = Node(TimedFault.text(length))
        return TopologyParts(.mapping(file)).changingSteps { steps in
            steps.compactMap { Self.step($0, before: length) }
        }
    }

    private static func step(_ node: Node, before length: Nanoseconds) -> Node? {
        guard var step = node.mapping, let start = duration(step["at"]) else { return node }
        guard start <= length else { return nil }
        if let lasting = duration(step["for"]), start + lasting > length { step["for"] = nil }
        return .mapping(step)
    }

    /// When its steps of a fixed time are, by their places.
    package var moments: [(place: Int, time: Nanoseconds)] {
        (root.mapping?["steps"]?.sequence.map(Array.init) ?? []).enumerated().compactMap {
            place, step in Self.duration(step.mapping?["at"]).map { (place, $0) }
        }
    }

    /// The text with a step at another time; the run is longer by as much as the step is later, so that
    /// as much time is left after it, but for faults at random.
    package func text(movingStep place: Int, to time: Nanoseconds) -> String {
        let old = moments.first { $0.place == place }?.time ?? time
        let moved = changingSteps { steps in
            var steps = steps
            if var step = steps[place].mapping {
                step["at"] = Node(TimedFault.text(time))
                steps[place] = .mapping(step)
            }
            return steps
        }
        return moved.lengthened(by: time - min(old, time)).text
    }

    /// The names of its devices, without those of groups.
    package var singleDevices: [String] {
        (root.mapping?["devices"]?.mapping.map(Array.init) ?? []).compactMap { name, spec in
            spec.mapping?["count"] == nil ? name.string : nil
        }
    }

    /// The text with a device that starts at another time, and a run that is longer by as much as that is
    /// later, as with ``text(movingStep:to:)``.
    package func text(startingDevice name: String, at time: Nanoseconds) -> String {
        var old: Nanoseconds?
        let moved = changing(name) { spec in
            old = Self.duration(spec["start"])
            spec["start"] = Node(TimedFault.text(time))
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
    package var length: Nanoseconds? { Self.duration(root.mapping?["length"]) }

    /// The time that a node says.
    static func duration(_ node: Node?) -> Nanoseconds? {
        node?.scalar.flatMap { try? Quantity.duration.value(of: $0.string) }
            .flatMap { Nanoseconds(exactly: $0) }
    }

    /// How many devices it names, a group as one.
    package var deviceCount: Int { root.mapping?["devices"]?.mapping?.count ?? 0 }

    /// How many steps it has.
    package var stepCount: Int { root.mapping?["steps"]?.sequence?.count ?? 0 }
}

extension TimedFault.Written {
    fileprivate var node: Node {
        switch self {
        case .word(let word): Node(word)
        case .pair(let pair): Node([Node(pair.first), Node(pair.second)])
        }
    }
}
