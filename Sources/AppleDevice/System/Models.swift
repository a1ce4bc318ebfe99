package import NearbyInteraction

/// A model of an Apple device.
package struct AppleModel: Equatable, Sendable {
    /// The identifier, for example `iPhone15,2`.
    package let identifier: String
    /// The name under which it is sold.
    package let name: String
    /// What it can measure.
    package let capabilities: DeviceCapabilities

    private init(_ identifier: String, soldAs name: String, chip generation: Generation) {
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
        AppleModel("iPhone11,8", soldAs: "iPhone XR", chip: .none),
        AppleModel("iPhone12,1", soldAs: "iPhone 11", chip: .first),
        AppleModel("iPhone12,3", soldAs: "iPhone 11 Pro", chip: .first),
        AppleModel("iPhone12,5", soldAs: "iPhone 11 Pro Max", chip: .first),
        AppleModel("iPhone12,8", soldAs: "iPhone SE (2nd generation)", chip: .none),
        AppleModel("iPhone13,1", soldAs: "iPhone 12 mini", chip: .first),
        AppleModel("iPhone13,2", soldAs: "iPhone 12", chip: .first),
        AppleModel("iPhone13,3", soldAs: "iPhone 12 Pro", chip: .first),
        AppleModel("iPhone13,4", soldAs: "iPhone 12 Pro Max", chip: .first),
        AppleModel("iPhone14,2", soldAs: "iPhone 13 Pro", chip: .first),
        AppleModel("iPhone14,3", soldAs: "iPhone 13 Pro Max", chip: .first),
        AppleModel("iPhone14,4", soldAs: "iPhone 13 mini", chip: .first),
        AppleModel("iPhone14,5", soldAs: "iPhone 13", chip: .first),
        AppleModel("iPhone14,6", soldAs: "iPhone SE (3rd generation)", chip: .none),
        AppleModel("iPhone14,7", soldAs: "iPhone 14", chip: .firstWithoutDirection),
        AppleModel("iPhone14,8", soldAs: "iPhone 14 Plus", chip: .firstWithoutDirection),
        AppleModel("iPhone15,2", soldAs: "iPhone 14 Pro", chip: .firstWithoutDirection),
        AppleModel("iPhone15,3", soldAs: "iPhone 14 Pro Max", chip: .firstWithoutDirection),
        AppleModel("iPhone15,4", soldAs: "iPhone 15", chip: .second),
        AppleModel("iPhone15,5", soldAs: "iPhone 15 Plus", chip: .second),
        AppleModel("iPhone16,1", soldAs: "iPhone 15 Pro", chip: .second),
        AppleModel("iPhone16,2", soldAs: "iPhone 15 Pro Max", chip: .second),
        AppleModel("iPhone17,1", soldAs: "iPhone 16 Pro", chip: .second),
        AppleModel("iPhone17,2", soldAs: "iPhone 16 Pro Max", chip: .second),
        AppleModel("iPhone17,3", soldAs: "iPhone 16", chip: .second),
        AppleModel("iPhone17,4", soldAs: "iPhone 16 Plus", chip: .second),
        AppleModel("iPhone17,5", soldAs: "iPhone 16e", chip: .none),
        AppleModel("Watch6,1", soldAs: "Apple Watch Series 6", chip: .firstWatch),
        AppleModel("Watch6,6", soldAs: "Apple Watch Series 7", chip: .firstWatch),
        AppleModel("Watch6,14", soldAs: "Apple Watch Series 8", chip: .firstWatch),
        AppleModel("Watch6,18", soldAs: "Apple Watch Ultra", chip: .firstWatch),
        AppleModel("Watch7,1", soldAs: "Apple Watch Series 9", chip: .secondWatch),
        AppleModel("Watch7,5", soldAs: "Apple Watch Ultra 2", chip: .secondWatch),
    ]
}
