import Basics
package import Vocabulary

extension Topology {
    /// Its devices by kind: `2 Apple devices, 1 accessory`.
    package var devicesByKind: String {
        Catalogue.Kind.allCases.compactMap { kind in
            let count = devices.count { $0.program.kind == kind }
            if count == 0 { return nil }
            return switch kind {
            case .appleDevice: count.counted("Apple device")
            case .accessory: count.counted("accessory", plural: "accessories")
            case .foreign: count.counted("foreign device")
            }
        }.joined(separator: ", ")
    }
}

extension DeviceSpec.Program {
    package var kind: Catalogue.Kind {
        switch self {
        case .appleDevice: .appleDevice
        case .accessory: .accessory
        case .executable, .host, .dialsIn: .foreign
        }
    }
}
