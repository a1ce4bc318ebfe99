// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "door",
    dependencies: [.package(path: "../anechoic")],
    targets: [
        .executableTarget(
            name: "beacon", dependencies: [.product(name: "DeviceKit", package: "anechoic")]),
        .testTarget(
            name: "DoorTests",
            dependencies: ["beacon", .product(name: "Anechoic", package: "anechoic")]),
    ]
)
