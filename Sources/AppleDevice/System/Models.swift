package import NearbyInteraction

/// A model of an Apple device.
package struct AppleModel: Equatable, Sendable {
    /// The identifier, for example `iPhone15,2`.
    package let identifier: String
    /// The name under which it is sold.
    package let name: String
    /// What it can measure.
    package let capabilities: DeviceCapabilities

    private init(_ identifier: String, _ name: String, _ generation: Generation) {
        self.identifier = identifier
        self.name = name
        capabilities = generation.capabilities
    }

    private enum Generation {
        /// A phone without UWB.
        case none
        /// First generation of the chip, with direction.
        case first
        /// First generation, distance only; direction takes the camera.
        case firstWithoutDirection
        /// Second generation: extended distance.
        case second
        /// A watch with the first generation.
        case firstWatch
        /// A watch with the second generation.
        case secondWatch

        var capabilities: DeviceCapabilities {
            switch self {
            case .none:
                .init(distance: false, direction: false, camera: false, extendedDistance: false)
            case .first:
                .init(distance: true, direction: true, camera: true, extendedDistance: false)
            case .firstWithoutDirection:
                .init(distance: true, direction: false, camera: true, extendedDistance: false)
            case .second:
                .init(distance: true, direction: false, camera: true, extendedDistance: true)
            case .firstWatch:
                .init(distance: true, direction: false, camera: false, extendedDistance: false)
            case .secondWatch:
                .init(distance: true, direction: false, camera: false, extendedDistance: true)
            }
        }
    }

    /// The model with this identifier or marketing name, in any case; nil for an unknown one.
    package static func named(_ name: String) -> AppleModel? {
        all.first { $0.identifier == name }
            ?? all.first { $0.name.lowercased() == name.lowercased() }
    }

    /// All models, phones first.
    package static let all: [AppleModel] = [
        AppleModel("iPhone11,8", "iPhone XR", .none),
        AppleModel("iPhone12,1", "iPhone 11", .first),
        AppleModel("iPhone12,3", "iPhone 11 Pro", .first),
        AppleModel("iPhone12,5", "iPhone 11 Pro Max", .first),
        AppleModel("iPhone12,8", "iPhone SE (2nd generation)", .none),
        AppleModel("iPhone13,1", "iPhone 12 mini", .first),
        AppleModel("iPhone13,2", "iPhone 12", .first),
        AppleModel("iPhone13,3", "iPhone 12 Pro", .first),
        AppleModel("iPhone13,4", "iPhone 12 Pro Max", .first),
        AppleModel("iPhone14,2", "iPhone 13 Pro", .first),
        AppleModel("iPhone14,3", "iPhone 13 Pro Max", .first),
        AppleModel("iPhone14,4", "iPhone 13 mini", .first),
        AppleModel("iPhone14,5", "iPhone 13", .first),
        AppleModel("iPhone14,6", "iPhone SE (3rd generation)", .none),
        AppleModel("iPhone14,7", "iPhone 14", .firstWithoutDirection),
        AppleModel("iPhone14,8", "iPhone 14 Plus", .firstWithoutDirection),
        AppleModel("iPhone15,2", "iPhone 14 Pro", .firstWithoutDirection),
        AppleModel("iPhone15,3", "iPhone 14 Pro Max", .firstWithoutDirection),
        AppleModel("iPhone15,4", "iPhone 15", .second),
        AppleModel("iPhone15,5", "iPhone 15 Plus", .second),
        AppleModel("iPhone16,1", "iPhone 15 Pro", .second),
        AppleModel("iPhone16,2", "iPhone 15 Pro Max", .second),
        AppleModel("iPhone17,1", "iPhone 16 Pro", .second),
        AppleModel("iPhone17,2", "iPhone 16 Pro Max", .second),
        AppleModel("iPhone17,3", "iPhone 16", .second),
        AppleModel("iPhone17,4", "iPhone 16 Plus", .second),
        AppleModel("iPhone17,5", "iPhone 16e", .none),
        AppleModel("Watch6,1", "Apple Watch Series 6", .firstWatch),
        AppleModel("Watch6,6", "Apple Watch Series 7", .firstWatch),
        AppleModel("Watch6,14", "Apple Watch Series 8", .firstWatch),
        AppleModel("Watch6,18", "Apple Watch Ultra", .firstWatch),
        AppleModel("Watch7,1", "Apple Watch Series 9", .secondWatch),
        AppleModel("Watch7,5", "Apple Watch Ultra 2", .secondWatch),
    ]
}
