extension Topology {
    /// Each device with each one behind it, where all are Apple devices, of which some are peripherals; nil where not.
    package var phonePairs: [(DeviceSpec, DeviceSpec)]? {
        guard devices.allSatisfy({ $0.role == .appleDevice }) else { return nil }
        return devices.indices.flatMap { place in
            devices[(place + 1)...].map { (devices[place], $0) }
        }
    }
}
