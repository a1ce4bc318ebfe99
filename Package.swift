// swift-tools-version: 6.2
import PackageDescription

/// Every target is built in language mode 6 with warnings as errors.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// Files that stand beside a module's sources for people.
let documents = [
    "DeviceLink": ["DEVICE-LINK.md"], "Monitors": ["INDEX.md"],
    "Orchestration": ["PERFORMANCE.md"],
    "PromiseLibrary": ["CATALOGUE.md"],
    "Promises": ["PROMISES.md"],
    "Topologies": ["topology.schema.json"],
    "Traces": ["TRACE.md"],
]

/// Files that are part of the program: `PackageResources` holds their bytes.
let embedded: [String: [Resource]] = [
    "Promises": [.embedInCode("clauses.csv")], "PromiseLibrary": [.embedInCode("Library")],
    "Soaks": [.embedInCode("Plan/canary.yaml")],
    "Pages": [.embedInCode("Assets")],
    "Starters": [.embedInCode("App"), .embedInCode("CI"), .embedInCode("Firmware")],
]

let testDocuments = [
    "Captures": ["Foreign"], "DeviceLink": ["golden.txt"], "anechoic": ["Browser"],
    "PromiseLibrary": ["Mistakes"],
    "Topologies": ["Mistakes"],
]

/// A module, which imports what stands on lower floors (ARCHITECTURE.md, "Floors").
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: documents[name] ?? [],
        resources: embedded[name] ?? [], swiftSettings: strict)
}

/// The toolchain's own linker, which has nothing to say about the C library inside Foundation.
let lld: [LinkerSetting] = [.unsafeFlags(["-use-ld=lld"], .when(configuration: .release))]

/// A library that has a Swift of its own and sees nothing of whoever loads it but the C library.
let selfContained: [LinkerSetting] =
    lld + [
        .unsafeFlags(
            [
                "-static-stdlib", "-Xlinker", "-Bsymbolic",
                // What Foundation stands on; a module that was compiled for the shared one does not name it.
                "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCollections",
                "-l_FoundationCShims",
            ], .when(configuration: .release))
    ]

/// A device's executable.
///
/// Released, it is linked statically: it runs for a microsecond at a time, between other processes,
/// and every page of a shared library would have to be found again in each of its turns.
func device(_ name: String, _ module: String) -> Target {
    .executableTarget(
        name: name, dependencies: [.byName(name: module), "DeviceKit"], swiftSettings: strict,
        linkerSettings: lld + [
            .unsafeFlags(["-static-executable"], .when(configuration: .release))
        ])
}

/// The tests of a module, which see what it sees.
func tests(_ name: String, of module: String? = nil, _ dependencies: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: ([module ?? name] + dependencies).map { .byName(name: $0) },
        exclude: testDocuments[name] ?? [], swiftSettings: strict)
}

/// The programs of Scripts/fuzz alone: they need libFuzzer, which only that script's build brings.
let fuzzers: [Target] =
    Context.environment["ANECHOIC_FUZZ"] == nil
    ? []
    : ["Bytes", "Runs"].map { name in
        .executableTarget(
            name: "fuzz-\(name.lowercased())", dependencies: [.byName(name: "Fuzz\(name)")],
            path: "Tests/Fuzzing/Fuzzer/\(name)")
    }

let package = Package(
    name: "anechoic",
    products: [
        .executable(name: "anechoic", targets: ["anechoic"]),
        .executable(name: "apple-device", targets: ["apple-device"]),
        .executable(name: "accessory", targets: ["accessory"]),
        .executable(name: "bench-device", targets: ["bench-device"]),
        .executable(name: "hci-door", targets: ["hci-door"]),
        .library(name: "Anechoic", targets: ["Anechoic"]),
        .library(name: "DeviceKit", targets: ["DeviceKit"]),
        .library(
            name: "AppleDevice",
            targets: [
                "ARKit", "AppleCombine", "AppleDevice", "AppleLog", "AppleOSLog", "AppleSimd",
                "AppleUIKit",
                "CAppleLog", "CTimeAndChance", "CoreBluetooth", "MultipeerConnectivity",
                "NearbyInteraction", "WatchConnectivity",
            ]),
        .library(name: "AppleInline", targets: ["AppleInline"]),
        .plugin(name: "AppleNames", targets: ["AppleNames"]),
    ],
    // One version each, because Package.resolved is not kept: digests are those of what takes part. No library
    // of a user's depends on them, so nobody's own choice is narrowed.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        // Floor 0: bytes, and what only C can say.
        .systemLibrary(
            name: "CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
        .systemLibrary(name: "CMbedTLS", providers: [.apt(["libmbedtls-dev"])]),
        .target(name: "CAppleLog"),
        .target(name: "CDevice"),
        .target(name: "CEndRequest"),
        .target(name: "CFirmware"),
        .target(name: "CHostDoor"),
        // What a user's tests import: it calls the program, and needs nothing of it. The program's folder has the
        // name already, but for a letter's case.
        .target(name: "Anechoic", path: "Sources/Chamber", swiftSettings: strict),
        module("AppleSimd"),
        module("Containers"),
        module("DeviceLink"),
        module("HistoryRecords"),
        // Floor 1: the bytes on the air; what may be chosen; how values are written; the loop.
        .target(name: "CTimeAndChance", dependencies: ["CDevice"]),
        module("Bluetooth", ["DeviceLink"]),
        module("Choices", ["DeviceLink"]),
        module("Notation", ["DeviceLink"]),
        module("UV", ["CEndRequest", "CUV"]),
        // Floor 2: the accessory protocol; what a device author imports; schedules; documents, traces.
        module("AccessoryProtocol", ["Bluetooth", "DeviceLink"]),
        module("DeviceKit", ["CDevice", "DeviceLink", "Notation"]),
        module("SecurityManager", ["Bluetooth", "CMbedTLS", "DeviceLink"]),
        module("VirtualController", ["Bluetooth", "DeviceLink"]),
        module("VirtualUWBS", ["Bluetooth", "DeviceLink"]),
        module("Schedules", ["Choices", "DeviceLink", "Notation"]),
        module("Traces", ["DeviceLink", "Notation"]),
        module("YAML", ["DeviceLink", "Notation", .product(name: "Yams", package: "Yams")]),
        // Floor 3: the host stack and clocks of a device; words and promises.
        module("AppleFoundation", ["DeviceKit", "DeviceLink"]),
        module("AppleLog", ["DeviceKit"]),
        module("BluetoothHost", ["Bluetooth", "DeviceKit", "SecurityManager"]),
        module("Observer", ["AccessoryProtocol", "Bluetooth", "Containers", "DeviceLink"]),
        module("Promises", ["DeviceLink", "Traces"]),
        module("Sequences", ["DeviceLink", "Traces"]),
        module("Vocabulary", ["Bluetooth", "DeviceLink", "Notation", "Traces"]),
        // Floor 4: Apple's API, the accessory; values, and the library of promises.
        module(
            "AccessoryFirmware",
            [
                "AccessoryProtocol", "Bluetooth", "BluetoothHost", "DeviceKit", "DeviceLink",
                "SecurityManager", "Vocabulary",
            ]),
        module(
            "HostDoor",
            [
                "Bluetooth", "CHostDoor", "DeviceKit", "Notation", "VirtualController",
                "VirtualUWBS",
                "Vocabulary",
            ]),
        module("AppleCombine", ["AppleFoundation"]),
        module("AppleOSLog", ["AppleLog"]),
        module("AppleUIKit", ["AppleFoundation", "DeviceKit", "DeviceLink"]),
        module("BenchDevices", ["Bluetooth", "BluetoothHost", "DeviceKit"]),
        module(
            "Captures",
            ["AccessoryProtocol", "Bluetooth", "DeviceLink", "Observer", "Promises", "Traces"]),
        module(
            "CoreBluetooth",
            ["AppleFoundation", "Bluetooth", "BluetoothHost", "DeviceKit", "SecurityManager"]),
        module("ARKit", ["AppleFoundation", "AppleSimd", "DeviceKit"]),
        module("MultipeerConnectivity", ["AppleFoundation", "DeviceKit"]),
        module("WatchConnectivity", ["AppleFoundation", "DeviceKit"]),
        module("Monitors", ["Containers", "DeviceLink", "Notation", "Promises", "Traces"]),
        module(
            "PromiseLibrary",
            ["DeviceLink", "Notation", "Promises", "Traces", "Vocabulary", "YAML"]),
        module(
            "Scenarios",
            ["AccessoryProtocol", "DeviceLink", "Notation", "Promises", "Traces", "Vocabulary"]),
        // Floor 5: Nearby Interaction; the reader, the core, the judge.
        module(
            "Invariants",
            [
                "Containers", "DeviceLink", "Monitors", "Notation", "Promises", "Scenarios",
                "Traces", "Vocabulary",
            ]),
        module(
            "Simulation",
            [
                "Bluetooth", "Choices", "Containers", "DeviceLink", "Notation", "Observer",
                "Scenarios", "Traces", "Vocabulary",
            ]),
        module(
            "Topologies",
            [
                "AccessoryProtocol", "Bluetooth", "DeviceLink", "Notation", "PromiseLibrary",
                "Promises", "Scenarios", "Traces",
                "Vocabulary", "YAML",
            ]),
        module(
            "NearbyInteraction",
            [
                "ARKit", "AccessoryProtocol", "AppleFoundation", "AppleSimd", "DeviceKit",
                "DeviceLink",
                "Vocabulary",
            ]),
        // Floor 6: the Apple device; files and tables.
        module(
            "AppleDevice",
            [
                "ARKit", "AccessoryProtocol", "AppleFoundation", "Bluetooth", "BluetoothHost",
                "CoreBluetooth", "DeviceKit", "DeviceLink", "MultipeerConnectivity",
                "NearbyInteraction", "Notation", "Vocabulary", "WatchConnectivity",
            ]),
        module(
            "Reports",
            [
                "AccessoryProtocol", "Bluetooth", "Captures", "Choices", "DeviceLink", "Invariants",
                "Monitors", "Notation",
                "PromiseLibrary", "Promises", "Scenarios", "Sequences", "Simulation", "Topologies",
                "Traces", "UV", "Vocabulary", "YAML",
            ]),
        // Floor 7: what runs devices, by process or inline; an app as a library.
        .target(
            name: "AppleInline", dependencies: ["AppleDevice", "AppleFoundation", "DeviceKit"],
            swiftSettings: strict, linkerSettings: selfContained),
        module(
            "Orchestration",
            [
                "AccessoryFirmware", "AppleDevice", "BenchDevices", "CDevice", "Choices",
                "DeviceKit", "DeviceLink", "Invariants", "Notation", "Reports", "Scenarios",
                "Schedules",
                "Simulation", "Topologies", "Traces", "UV", "Vocabulary", "YAML",
            ]),
        // Floor 8: many runs to one end.
        module(
            "Campaigns",
            [
                "Choices", "DeviceKit", "DeviceLink", "Notation", "Orchestration", "Reports",
                "Scenarios", "Schedules", "Simulation", "Topologies", "Traces", "UV", "Vocabulary",
            ]),
        // Floor 9: what is made of them.
        module(
            "Diagnosis",
            [
                "Campaigns", "Choices", "DeviceLink", "Invariants", "Monitors", "Notation",
                "Orchestration", "PromiseLibrary", "Reports", "Scenarios", "Schedules", "Sequences",
                "Simulation", "Topologies", "Traces", "Vocabulary", "YAML",
            ]),
        module("Starters", ["Campaigns", "Notation", "Reports"]),
        // Floor 10: a verdict on a device, and why.
        module(
            "Conformance",
            [
                "AccessoryProtocol", "Campaigns", "DeviceLink", "Diagnosis", "Invariants",
                "Monitors", "Notation",
                "Orchestration", "PromiseLibrary", "Promises", "Reports", "Scenarios", "Topologies",
                "Vocabulary", "YAML",
            ]),
        module(
            "Soaks",
            [
                "Campaigns", "DeviceLink", "Diagnosis", "HistoryRecords", "Notation",
                "Orchestration", "Reports", "Scenarios", "Schedules", "Simulation", "Topologies",
                "UV",
            ]),
        module(
            "Pages",
            ["DeviceLink", "Diagnosis", "Notation", "Reports", "Sequences", "Traces"]),
        // Executables.
        .plugin(name: "AppleNames", capability: .buildTool(), path: "Sources/AppleNames"),
        .executableTarget(
            name: "anechoic",
            dependencies: [
                "AccessoryProtocol", "Campaigns", "Captures", "Conformance", "DeviceLink",
                "Diagnosis", "Invariants", "Monitors",
                "Notation", "Orchestration", "Pages", "PromiseLibrary", "Promises", "Reports",
                "Scenarios", "Schedules", "Sequences", "Simulation", "Soaks", "Starters",
                "Topologies", "Traces", "UV", "Vocabulary", "YAML",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict,
            linkerSettings: lld + [.linkedLibrary("mimalloc", .when(configuration: .release))]),
        .executableTarget(
            name: "anechoic-bench",
            dependencies: [
                "Choices", "DeviceLink", "Invariants", "Notation", "Orchestration", "Reports",
                "Scenarios", "Schedules", "Simulation", "Traces", "UV",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict,
            linkerSettings: lld + [.linkedLibrary("mimalloc", .when(configuration: .release))]),
        .executableTarget(
            name: "anechoic-history",
            dependencies: ["HistoryRecords", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict, linkerSettings: lld),
        device("apple-device", "AppleDevice"),
        device("accessory", "AccessoryFirmware"),
        device("bench-device", "BenchDevices"),
        device("hci-door", "HostDoor"),
        // Programs that only tests start.
        .executableTarget(
            name: "echo-device", dependencies: ["DeviceKit"], path: "Tests/EchoDevice",
            swiftSettings: strict),
        .executableTarget(
            name: "loaded-app",
            dependencies: ["AppleDevice", "AppleInline", "CDevice", "CTimeAndChance", "DeviceKit"],
            path: "Tests/LoadedApp", swiftSettings: strict),
        .executableTarget(
            name: "stranger-app",
            dependencies: [
                "AppleDevice", "AppleFoundation", "CoreBluetooth", "DeviceKit", "NearbyInteraction",
            ], path: "Tests/StrangerApp", swiftSettings: strict),
        .executableTarget(
            name: "singleton-app",
            dependencies: [
                "AppleDevice", "AppleFoundation", "AppleLog", "AppleUIKit", "CoreBluetooth",
                "NearbyInteraction",
            ], path: "Tests/SingletonApp",
            // As the manifest of `anechoic new app` has it.
            swiftSettings: strict + [
                .swiftLanguageMode(.v5),
                .unsafeFlags([
                    "-module-alias", "UIKit=AppleUIKit", "-module-alias", "os=AppleLog",
                ]),
            ], plugins: ["AppleNames"]),
        .executableTarget(
            name: "phones-app", dependencies: ["AppleDevice", "CoreBluetooth", "DeviceKit"],
            path: "Tests/PhonesApp", swiftSettings: strict),
        .executableTarget(
            name: "peers-app",
            dependencies: [
                "AppleDevice", "AppleFoundation", "MultipeerConnectivity", "NearbyInteraction",
            ], path: "Tests/PeersApp", swiftSettings: strict),
        .executableTarget(
            name: "example-beacon", dependencies: ["DeviceKit"], path: "Tests/Examples/Beacon",
            swiftSettings: strict),
        // What several test targets use.
        .target(
            name: "DeviceChamber", dependencies: ["AppleFoundation", "DeviceKit"],
            path: "Tests/Support/DeviceChamber", swiftSettings: strict),
        .target(
            name: "RunSupport",
            dependencies: ["Invariants", "Monitors", "Orchestration", "Reports", "TestSupport"],
            path: "Tests/Support/RunSupport", swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["DeviceLink"], path: "Tests/Support/TestSupport",
            swiftSettings: strict),
        .target(
            name: "FuzzBytes",
            dependencies: [
                "AccessoryProtocol", "Bluetooth", "BluetoothHost", "DeviceKit", "DeviceLink",
                "VirtualController", "VirtualUWBS",
            ],
            path: "Tests/Fuzzing/Bytes", swiftSettings: strict),
        .target(
            name: "FuzzRuns",
            dependencies: [
                "Bluetooth", "Captures", "Choices", "DeviceLink", "FuzzBytes", "Invariants",
                "Monitors",
                "Orchestration",
                "Promises", "PromiseLibrary", "Reports", "Scenarios", "Schedules", "Simulation",
                "Topologies",
                "Traces", "Vocabulary", "YAML",
            ],
            path: "Tests/Fuzzing/Runs", swiftSettings: strict),
        .testTarget(
            name: "DocumentTests", dependencies: ["anechoic", "example-beacon"],
            swiftSettings: strict),
        // Floor by floor, as above.
        tests("AccessoryProtocol"),
        tests("Choices"),
        tests("Containers"),
        tests("DeviceLink", ["TestSupport"]),
        tests("Bluetooth", ["DeviceLink", "TestSupport"]),
        tests("Notation", ["DeviceLink", "Scenarios", "Topologies"]),
        tests("SecurityManager", ["Bluetooth", "DeviceLink"]),
        tests("UV"),
        tests("DeviceKit", ["DeviceLink", "TestSupport", "echo-device"]),
        tests("Observer", ["AccessoryProtocol", "Bluetooth", "DeviceLink"]),
        tests("Traces", ["DeviceLink", "Notation", "TestSupport"]),
        tests("VirtualUWBS", ["Bluetooth", "Captures", "DeviceLink", "TestSupport"]),
        tests("YAML", ["Notation"]),
        tests(
            "AppleFoundation", ["CoreBluetooth", "DeviceChamber", "DeviceKit", "NearbyInteraction"]),
        tests("AppleLog", ["DeviceChamber"]),
        tests("AppleSimd"),
        tests("HostDoor", ["TestSupport"]),
        tests("VirtualController", ["Bluetooth", "DeviceLink", "TestSupport"]),
        tests(
            "BluetoothHost",
            ["Bluetooth", "DeviceKit", "DeviceLink", "SecurityManager", "TestSupport"]),
        tests("Promises"),
        tests(
            "Vocabulary",
            [
                "AccessoryFirmware", "AppleDevice", "DeviceKit", "DeviceLink",
                "Orchestration", "Reports", "RunSupport", "TestSupport", "Traces",
            ]),
        tests(
            "AccessoryFirmware",
            ["AccessoryProtocol", "Bluetooth", "DeviceKit", "TestSupport", "Vocabulary"]),
        tests("AppleCombine", ["AppleFoundation", "DeviceChamber"]),
        tests("AppleInline", ["TestSupport"]),
        tests("AppleOSLog"),
        tests("AppleUIKit", ["AppleFoundation", "DeviceChamber"]),
        tests("BenchDevices", ["DeviceChamber", "DeviceKit"]),
        tests("ARKit", ["AppleFoundation", "AppleSimd", "DeviceChamber", "DeviceKit"]),
        tests("MultipeerConnectivity", ["AppleFoundation", "DeviceChamber", "DeviceKit"]),
        tests("WatchConnectivity", ["AppleFoundation", "DeviceChamber", "DeviceKit"]),
        tests(
            "CoreBluetooth",
            ["AppleFoundation", "Bluetooth", "BluetoothHost", "DeviceChamber", "DeviceKit"]),
        tests(
            "NearbyInteraction",
            [
                "ARKit", "AccessoryProtocol", "AppleFoundation", "DeviceChamber", "DeviceKit",
                "Vocabulary",
            ]),
        tests(
            "Captures", ["Bluetooth", "DeviceLink", "PromiseLibrary", "TestSupport", "Traces"]),
        tests("Monitors", ["DeviceLink", "Promises", "TestSupport", "Traces"]),
        tests("Sequences", ["DeviceLink", "Notation", "Reports", "Traces"]),
        tests("PromiseLibrary", ["DeviceLink", "Promises", "TestSupport", "Traces"]),
        tests("Scenarios", ["DeviceLink", "Notation", "Topologies"]),
        tests(
            "AppleDevice",
            [
                "AccessoryFirmware", "AccessoryProtocol", "AppleFoundation", "CoreBluetooth",
                "DeviceChamber", "DeviceKit", "NearbyInteraction", "Vocabulary",
            ]),
        tests(
            "Invariants",
            [
                "DeviceLink", "Monitors", "Notation", "PromiseLibrary", "Promises", "Scenarios",
                "Topologies",
                "Traces", "Vocabulary", "YAML",
            ]),
        tests(
            "Simulation",
            [
                "Bluetooth", "Choices", "DeviceLink", "Invariants", "Notation", "Observer",
                "Reports",
                "Scenarios", "Schedules", "Topologies", "Traces", "Vocabulary", "YAML",
            ]),
        tests(
            "Topologies",
            [
                "DeviceLink", "Notation", "PromiseLibrary", "Promises", "Reports", "Scenarios",
                "TestSupport", "Traces", "Vocabulary", "YAML", "Yams",
            ]),
        tests(
            "Reports",
            [
                "DeviceLink",
                "Invariants", "Monitors", "Promises", "RunSupport", "Scenarios", "TestSupport",
                "Topologies",
                "YAML",
            ]),
        tests(
            "Schedules",
            [
                "Choices", "DeviceLink", "Orchestration", "Reports", "RunSupport", "Simulation",
                "TestSupport",
                "Traces",
            ]),
        tests(
            "Orchestration",
            [
                "DeviceLink", "Reports", "RunSupport", "Scenarios", "Simulation", "TestSupport",
                "Topologies", "Traces", "UV", "Vocabulary",
            ]),
        tests(
            "Campaigns",
            [
                "DeviceLink", "Orchestration", "Reports", "RunSupport", "Scenarios", "TestSupport",
                "Topologies", "Vocabulary",
            ]),
        tests(
            "Conformance",
            [
                "Promises",
                "Campaigns", "DeviceLink", "Orchestration", "Reports", "RunSupport", "Scenarios",
                "TestSupport",
                "Topologies",
            ]),
        tests(
            "Diagnosis",
            [
                "Campaigns", "Choices", "Orchestration", "Reports", "RunSupport", "Simulation",
                "TestSupport",
            ]),
        tests("Chamber", of: "Anechoic", ["TestSupport"]),
        tests("Starters", ["Campaigns"]),
        tests("HistoryRecords"),
        tests(
            "Soaks",
            [
                "Campaigns", "DeviceLink", "HistoryRecords", "Orchestration", "Reports",
                "Scenarios", "Simulation", "Topologies",
            ]),
        tests("Pages", ["DeviceLink", "TestSupport", "Traces"]),
        tests(
            "anechoic",
            [
                "DeviceLink",
                "Bluetooth", "Monitors", "Notation", "Reports", "RunSupport", "TestSupport",
                "Traces", "Vocabulary",
            ]),
        tests("Fuzz", of: "FuzzRuns", ["FuzzBytes", "TestSupport"]),
        .testTarget(name: "TidyTests", swiftSettings: strict),
    ] + fuzzers,
    swiftLanguageModes: [.v6]
)

// The program that keeps histories of soaks, and the library that it alone needs, are there only in the build of
// their own that Scripts make: that library brings threads (ARCHITECTURE.md, decision 58).
if Context.environment["ANECHOIC_HISTORY"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"))
} else {
    package.targets.removeAll { $0.name == "anechoic-history" }
}
