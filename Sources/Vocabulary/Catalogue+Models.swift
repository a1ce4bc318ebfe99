extension Catalogue {
    /// A model of Apple device.
    package struct Model: Equatable, Sendable {
        /// The name on the box: `iPhone 15`.
        package var name: String
        /// What the system calls it: `iPhone15,4`.
        package var identifier: String
        /// Whether it has a UWB chip; without one every session ends in unsupportedPlatform.
        package var hasUWB: Bool

        package init(_ name: String, _ identifier: String, hasUWB: Bool = true) {
            self.name = name
            self.identifier = identifier
            self.hasUWB = hasUWB
        }
    }

    /// The model with this marketing name (in any case) or identifier; nil for an unknown one.
    package static func model(named name: String) -> Model? {
        models.first { $0.identifier == name || $0.name.lowercased() == name.lowercased() }
    }

    /// The models that can be played.
    package static let models = phones + watches

    private static let phones = [
        Model("iPhone XR", "iPhone11,8", hasUWB: false),
        Model("iPhone 11", "iPhone12,1"),
        Model("iPhone 11 Pro", "iPhone12,3"),
        Model("iPhone 11 Pro Max", "iPhone12,5"),
        Model("iPhone SE (2nd generation)", "iPhone12,8", hasUWB: false),
        Model("iPhone 12 mini", "iPhone13,1"),
        Model("iPhone 12", "iPhone13,2"),
        Model("iPhone 12 Pro", "iPhone13,3"),
        Model("iPhone 12 Pro Max", "iPhone13,4"),
        Model("iPhone 13 mini", "iPhone14,4"),
        Model("iPhone 13", "iPhone14,5"),
        Model("iPhone 13 Pro", "iPhone14,2"),
        Model("iPhone 13 Pro Max", "iPhone14,3"),
        Model("iPhone SE (3rd generation)", "iPhone14,6", hasUWB: false),
        Model("iPhone 14", "iPhone14,7"),
        Model("iPhone 14 Plus", "iPhone14,8"),
        Model("iPhone 14 Pro", "iPhone15,2"),
        Model("iPhone 14 Pro Max", "iPhone15,3"),
        Model("iPhone 15", "iPhone15,4"),
        Model("iPhone 15 Plus", "iPhone15,5"),
        Model("iPhone 15 Pro", "iPhone16,1"),
        Model("iPhone 15 Pro Max", "iPhone16,2"),
        Model("iPhone 16", "iPhone17,3"),
        Model("iPhone 16 Plus", "iPhone17,4"),
        Model("iPhone 16 Pro", "iPhone17,1"),
        Model("iPhone 16 Pro Max", "iPhone17,2"),
        Model("iPhone 16e", "iPhone17,5", hasUWB: false),
    ]

    private static let watches = [
        Model("Apple Watch Series 6", "Watch6,1"),
        Model("Apple Watch Series 7", "Watch6,6"),
        Model("Apple Watch Series 8", "Watch6,14"),
        Model("Apple Watch Ultra", "Watch6,18"),
        Model("Apple Watch Series 9", "Watch7,1"),
        Model("Apple Watch Ultra 2", "Watch7,5"),
    ]
}
