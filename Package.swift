// swift-tools-version: 6.2
import PackageDescription

/// Every target is built in language mode 6 with warnings as errors.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// A floor of the building: a module may import lower floors only (ARCHITECTURE.md, "Floors").
func floor(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies,
        exclude: name == "DeviceLink" ? ["DEVICE-LINK.md"] : [],
        swiftSettings: strict)
}

let package = Package(
    name: "anechoic",
    products: [
        .executable(name: "anechoic", targets: ["anechoic"]),
        .executable(name: "apple-device", targets: ["apple-device"]),
        .executable(name: "accessory", targets: ["accessory"]),
        .library(name: "DeviceKit", targets: ["DeviceKit"]),
        .library(
            name: "AppleDevice", targets: ["AppleDevice", "CoreBluetooth", "NearbyInteraction"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // Floor 0: bytes and words.
        .systemLibrary(
            name: "CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
        .target(name: "CDevice"),
        floor("AccessoryProtocol"),
        floor("Bluetooth", ["DeviceLink"]),
        floor("DeviceLink"),

        // Floor 1: one thing each.
        floor("UV", ["CUV"]),
        floor("Traces", ["DeviceLink"]),
        floor("Topologies", ["DeviceLink", "Traces", .product(name: "Yams", package: "Yams")]),
        floor("DeviceKit", ["CDevice", "DeviceLink"]),
        // Floor 2: the core, and the stack inside a device.
        floor(
            "Simulation", ["AccessoryProtocol", "Bluetooth", "DeviceLink", "Topologies", "Traces"]),
        floor("Invariants", ["Topologies", "Traces"]),
        floor("BluetoothHost", ["Bluetooth", "DeviceKit", "DeviceLink"]),
        floor("AppleFoundation", ["DeviceKit", "DeviceLink"]),
        // Floor 3: devices, and the shell around the core.
        floor(
            "CoreBluetooth",
            ["AppleFoundation", "Bluetooth", "BluetoothHost", "DeviceKit", "DeviceLink"]),
        floor(
            "NearbyInteraction",
            ["AccessoryProtocol", "AppleFoundation", "DeviceKit", "DeviceLink"]),
        floor(
            "AccessoryFirmware",
            ["AccessoryProtocol", "Bluetooth", "BluetoothHost", "DeviceKit", "DeviceLink"]),
        // Floor 4.
        floor(
            "AppleDevice",
            [
                "AccessoryProtocol", "AppleFoundation", "Bluetooth", "BluetoothHost",
                "CoreBluetooth", "DeviceKit", "DeviceLink", "NearbyInteraction",
            ]),
        floor(
            "Reports",
            ["Bluetooth", "DeviceLink", "Invariants", "Simulation", "Topologies", "Traces"]),
        // Floor 5: the shell that runs devices, by process or inline.
        floor(
            "Orchestration",
            [
                "AccessoryFirmware", "AppleDevice", "DeviceKit", "DeviceLink", "Invariants",
                "Reports",
                "Simulation", "Topologies", "Traces", "UV",
            ]),
        // Executables.
        .executableTarget(
            name: "anechoic",
            dependencies: [
                "Orchestration", "Reports", "Topologies",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "apple-device", dependencies: ["AppleDevice", "DeviceKit"],
            swiftSettings: strict),
        .executableTarget(
            name: "accessory", dependencies: ["AccessoryFirmware", "DeviceKit"],
            swiftSettings: strict),
        // Tests, one target a floor.
        .testTarget(
            name: "AccessoryProtocolTests", dependencies: ["AccessoryProtocol"],
            swiftSettings: strict),
        .testTarget(
            name: "AppleDeviceTests",
            dependencies: [
                "AccessoryProtocol", "AppleDevice", "AppleFoundation", "Bluetooth", "BluetoothHost",
                "CoreBluetooth", "DeviceKit", "DeviceLink", "NearbyInteraction",
            ], swiftSettings: strict),
        .testTarget(
            name: "BluetoothHostTests",
            dependencies: ["Bluetooth", "BluetoothHost", "DeviceKit", "DeviceLink"],
            swiftSettings: strict),
        .testTarget(
            name: "BluetoothTests", dependencies: ["Bluetooth", "DeviceLink"],
            swiftSettings: strict),
        .testTarget(name: "UVTests", dependencies: ["UV"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
