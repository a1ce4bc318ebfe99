extension Catalogue {
    package struct Model: Equatable, Sendable {
        /// The name on the box: `iPhone 15`.
        package var name: String
        /// What the system calls it: `iPhone15,4`.
        package var identifier: String
        package var chip: Chip
        /// The first version of its system; an earlier one than iOS 14 does not matter here.
        package var since: SystemParameter.SystemVersion

        /// Whether it has one; without it every session ends in unsupportedPlatform.
        package var hasUWB: Bool { chip != .none }

        /// What kind of device it is, as its system says: `iPhone`, `iPad`, `iPod touch`, `Mac` or `Apple Watch`.
        package var kind: String {
            switch identifier.prefix(while: \.isLetter) {
            case "iPad": "iPad"
            case "iPod": "iPod touch"
            case "Mac": "Mac"
            case "Watch": "Apple Watch"
            default: "iPhone"
            }
        }

        init(
            _ name: String, _ identifier: String, chip: Chip,
            since: SystemParameter.SystemVersion
        ) {
            self.name = name
            self.identifier = identifier
            self.chip = chip
            self.since = since
        }
    }

    package enum Chip: Equatable, Sendable {
        /// None at all: nothing that ranges can run here.
        case none
        /// First generation of the chip, with direction.
        case first
        /// First generation, distance only; direction takes the camera.
        case firstWithoutDirection
        /// Second generation: extended distance.
        case second
        case firstWatch
        case secondWatch
    }

    /// The model with this marketing name (in any case) or identifier; nil for an unknown one.
    package static func model(named name: String) -> Model? {
        models.first { $0.identifier == name || $0.name.lowercased() == name.lowercased() }
    }

    package static let models = phones + watches + withoutUWB

    private static let phones = [
        Model("iPhone XR", "iPhone11,8", chip: .none, since: .v14),
        Model("iPhone 11", "iPhone12,1", chip: .first, since: .v14),
        Model("iPhone 11 Pro", "iPhone12,3", chip: .first, since: .v14),
        Model("iPhone 11 Pro Max", "iPhone12,5", chip: .first, since: .v14),
        Model("iPhone SE (2nd generation)", "iPhone12,8", chip: .none, since: .v14),
        Model("iPhone 12 mini", "iPhone13,1", chip: .first, since: .v14),
        Model("iPhone 12", "iPhone13,2", chip: .first, since: .v14),
        Model("iPhone 12 Pro", "iPhone13,3", chip: .first, since: .v14),
        Model("iPhone 12 Pro Max", "iPhone13,4", chip: .first, since: .v14),
        Model("iPhone 13 mini", "iPhone14,4", chip: .first, since: .v15),
        Model("iPhone 13", "iPhone14,5", chip: .first, since: .v15),
        Model("iPhone 13 Pro", "iPhone14,2", chip: .first, since: .v15),
        Model("iPhone 13 Pro Max", "iPhone14,3", chip: .first, since: .v15),
        Model("iPhone SE (3rd generation)", "iPhone14,6", chip: .none, since: .v15),
        Model("iPhone 14", "iPhone14,7", chip: .firstWithoutDirection, since: .v16),
        Model("iPhone 14 Plus", "iPhone14,8", chip: .firstWithoutDirection, since: .v16),
        Model("iPhone 14 Pro", "iPhone15,2", chip: .firstWithoutDirection, since: .v16),
        Model("iPhone 14 Pro Max", "iPhone15,3", chip: .firstWithoutDirection, since: .v16),
        Model("iPhone 15", "iPhone15,4", chip: .second, since: .v17),
        Model("iPhone 15 Plus", "iPhone15,5", chip: .second, since: .v17),
        Model("iPhone 15 Pro", "iPhone16,1", chip: .second, since: .v17),
        Model("iPhone 15 Pro Max", "iPhone16,2", chip: .second, since: .v17),
        Model("iPhone 16", "iPhone17,3", chip: .second, since: .v18),
        Model("iPhone 16 Plus", "iPhone17,4", chip: .second, since: .v18),
        Model("iPhone 16 Pro", "iPhone17,1", chip: .second, since: .v18),
        Model("iPhone 16 Pro Max", "iPhone17,2", chip: .second, since: .v18),
        Model("iPhone 16e", "iPhone17,5", chip: .none, since: .v18),
        Model("iPhone 17", "iPhone18,3", chip: .second, since: .v26),
        Model("iPhone 17 Pro", "iPhone18,1", chip: .second, since: .v26),
        Model("iPhone 17 Pro Max", "iPhone18,2", chip: .second, since: .v26),
        Model("iPhone Air", "iPhone18,4", chip: .second, since: .v26),
    ]

    private static let watches = [
        Model("Apple Watch Series 6", "Watch6,1", chip: .firstWatch, since: .v14),
        Model("Apple Watch Series 7", "Watch6,6", chip: .firstWatch, since: .v15),
        Model("Apple Watch Series 8", "Watch6,14", chip: .firstWatch, since: .v16),
        Model("Apple Watch Ultra", "Watch6,18", chip: .firstWatch, since: .v16),
        Model("Apple Watch Series 9", "Watch7,1", chip: .secondWatch, since: .v17),
        Model("Apple Watch Ultra 2", "Watch7,5", chip: .secondWatch, since: .v17),
        Model("Apple Watch Series 10", "Watch7,8", chip: .secondWatch, since: .v18),
        Model("Apple Watch Ultra 3", "Watch7,12", chip: .secondWatch, since: .v26),
        Model("Apple Watch SE (3rd generation)", "Watch7,13", chip: .none, since: .v26),
        Model("Apple Watch Series 11", "Watch7,17", chip: .secondWatch, since: .v26),
    ]

    /// No iPad, iPod or Mac has a UWB chip: apps come there, too, and have to cope (R4 1.2).
    private static let withoutUWB = [
        Model("iPad (10th generation)", "iPad13,18", chip: .none, since: .v16),
        Model("iPad Air 11-inch (M2)", "iPad14,8", chip: .none, since: .v17),
        Model("iPad mini (A17 Pro)", "iPad16,1", chip: .none, since: .v18),
        Model("iPad Pro 11-inch (M4)", "iPad16,3", chip: .none, since: .v17),
        Model("iPod touch (7th generation)", "iPod9,1", chip: .none, since: .v14),
        Model("MacBook Air (13-inch, M3)", "Mac15,12", chip: .none, since: .v17),
    ]
}
