import Basics

extension Topology {
    /// Its devices by kind: `2 Apple devices, 1 accessory`.
    package var devicesByKind: String {
        var (appleDevices, accessories, foreign) = (0, 0, 0)
        for device in devices {
            switch device.program {
            case .appleDevice: appleDevices += 1
            case .accessory: accessories += 1
            case .executable, .host, .dialsIn: foreign += 1
            }
        }
        let kinds = [
            (appleDevices, appleDevices.counted("Apple device")),
            (accessories, accessories.counted("accessory", plural: "accessories")),
            (foreign, foreign.counted("foreign device")),
        ]
        return kinds.filter { $0.0 > 0 }.map(\.1).joined(separator: ", ")
    }
}
