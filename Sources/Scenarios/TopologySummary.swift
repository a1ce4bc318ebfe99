/// What `list` and `check` say about a topology.
package struct TopologySummary: Equatable, Sendable {
    /// Its name.
    package var name: String
    /// What it is about.
    package var about: String
    /// How many Apple devices it has.
    package var appleDevices = 0
    /// How many reference accessories it has.
    package var accessories = 0
    /// How many devices are played by somebody else's program.
    package var foreignDevices = 0
    /// How many steps its script has.
    package var steps: Int
    /// How many expectations it has, broken promises included.
    package var expectations: Int

    /// The summary of a topology.
    package init(_ topology: Topology) {
        name = topology.name
        about = topology.about
        steps = topology.steps.count
        expectations = topology.expectations.count + topology.mustViolate.count
        for device in topology.devices {
            switch device.program {
            case .appleDevice: appleDevices += 1
            case .accessory: accessories += 1
            case .executable, .dialsIn: foreignDevices += 1
            }
        }
    }

    /// The devices by kind: `2 Apple devices, 1 accessory`.
    package var devices: String {
        let kinds = [
            Self.counted(appleDevices, "Apple device", "Apple devices"),
            Self.counted(accessories, "accessory", "accessories"),
            Self.counted(foreignDevices, "foreign device", "foreign devices"),
        ]
        return kinds.compactMap { $0 }.joined(separator: ", ")
    }

    /// What `check` prints for a topology without a mistake.
    package var checked: String {
        let parts = [
            devices, Self.counted(steps, "step", "steps"),
            Self.counted(expectations, "expectation", "expectations"),
        ]
        return "\(name): good (\(parts.compactMap { $0 }.joined(separator: ", ")))"
    }

    private static func counted(_ number: Int, _ one: String, _ many: String) -> String? {
        number == 0 ? nil : "\(number) \(number == 1 ? one : many)"
    }
}
