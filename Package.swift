// swift-tools-version: 6.2
import PackageDescription

// MARK: What a row says

/// Every target is built in language mode 6 with warnings as errors.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// What a turn, a handshake and the judge run through.
///
/// Scripts build the rest without the optimiser, which takes most of a build's time; a global option outdoes a target's,
/// but not what the compiler's frontend is told.
let hot: Set = [
    "AccessoryFirmware", "AppleDevice", "AppleFoundation", "BluetoothHost", "CoreBluetooth",
    "Invariants", "Monitors", "NearbyInteraction", "Observer", "Orchestration", "Promises",
    "Scenarios", "Simulation", "UV", "Vocabulary", "anechoic-bench",
]

/// What is so small and so often called that other modules inline it.
let inlined: Set = [
    "AccessoryProtocol", "Airs", "Basics", "Bluetooth", "Choices", "DeviceKit", "DeviceLink",
    "Schedules", "Traces",
]

/// How a target is compiled.
func compiled(_ name: String) -> [SwiftSetting] {
    let across = inlined.contains(name) ? ["-Xfrontend", "-cross-module-optimization"] : []
    guard hot.union(inlined).contains(name) else { return strict }
    let optimised = ["-Xfrontend", "-O", "-Xllvm", "-inline-threshold=450"] + across
    return strict + [.unsafeFlags(optimised, .when(configuration: .release))]
}

/// The toolchain's own linker, which has nothing to say about the C library inside Foundation.
let lld: [LinkerSetting] = [.unsafeFlags(["-use-ld=lld"], .when(configuration: .release))]

/// A device's executable, released, is linked statically: it runs for a microsecond at a time, between other
/// processes, and every page of a shared library would have to be found again in each of its turns.
let statically = lld + [.unsafeFlags(["-static-executable"], .when(configuration: .release))]

/// What allocates much.
let withAllocator = lld + [.linkedLibrary("mimalloc", .when(configuration: .release))]

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

/// Modules of other packages.
let foreign: [String: Target.Dependency] = [
    "ArgumentParser": .product(name: "ArgumentParser", package: "swift-argument-parser"),
    "Yams": .product(name: "Yams", package: "Yams"),
]

/// Files that stand in a target's folder, and are none of it.
let documents = [
    "DeviceLink": ["DEVICE-LINK.md"], "Monitors": ["INDEX.md"],
    "Orchestration": ["PERFORMANCE.md"], "Pages": ["Assets"],
    "PromiseLibrary": ["CATALOGUE.md", "Library"],
    "Promises": ["PROMISES.md", "clauses.csv"], "Soaks": ["Plan/canary.yaml"],
    "anechoic": ["App", "CI", "Firmware"].map { "Starters/\($0)" },
    "Topologies": ["topology.schema.json"], "Traces": ["TRACE.md"],
    "WireTests": ["DeviceLink/golden.txt"], "RunsTests": ["Captures/Foreign"],
    "LanguageTests": ["PromiseLibrary/Mistakes", "Topologies/Mistakes"],
    "DevicesTests": ["Apple", "Foreign"], "anechoicTests": ["Browser"],
]

/// A table's rows: a target's name, and what it imports.
func rows(_ table: String) -> [(name: String, imports: [Target.Dependency])] {
    table.split(separator: "\n").map { row in
        let words = row.split { ": ".contains($0) }.map(String.init)
        return (words[0], words.dropFirst().map { foreign[$0] ?? .byName(name: $0) })
    }
}

/// The modules of a folder: they import others of it, and of those that stand before it.
func modules(in folder: String, _ table: String) -> [Target] {
    rows(table).map { name, imports in
        .target(
            name: name, dependencies: imports, path: "\(folder)/\(name)",
            exclude: documents[name] ?? [], swiftSettings: compiled(name),
            linkerSettings: name == "AppleInline" ? selfContained : nil)
    }
}

/// The programs of a folder.
func programs(
    in folder: String, linked: [LinkerSetting] = [], settings: [SwiftSetting] = [],
    plugins: [Target.PluginUsage] = [], _ table: String
) -> [Target] {
    rows(table).map { name, imports in
        .executableTarget(
            name: name, dependencies: imports, path: "\(folder)/\(name)",
            exclude: documents[name] ?? [], swiftSettings: compiled(name) + settings,
            linkerSettings: linked, plugins: plugins)
    }
}

/// The tests of folders, each called by its folder's name.
func tests(_ table: String) -> [Target] {
    rows(table).map { folder, imports in
        let name = folder.split(separator: "/").last.map { "\($0)Tests" } ?? folder
        return .testTarget(
            name: name, dependencies: imports, path: "Tests/\(folder)",
            exclude: documents[name] ?? [], swiftSettings: strict)
    }
}

// MARK: Wings

let wire = modules(
    in: "Sources/Wire",
    """
    AccessoryProtocol: Basics Bluetooth DeviceLink
    Basics:
    Bluetooth: Basics DeviceLink
    DeviceLink: Basics
    """)

let system =
    modules(
        in: "Sources/System",
        """
        CEndRequest:
        CFiles:
        UV: CEndRequest CUV
        """) + [
        .systemLibrary(
            name: "CUV", path: "Sources/System/CUV", pkgConfig: "libuv",
            providers: [.apt(["libuv1-dev"])]),
        .systemLibrary(
            name: "CMbedTLS", path: "Sources/System/CMbedTLS",
            providers: [.apt(["libmbedtls-dev"])]),
        .systemLibrary(
            name: "CSQLite", path: "Sources/System/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
    ]

let language = modules(
    in: "Sources/Language",
    """
    PromiseLibrary: Basics CFiles DeviceLink Promises Traces Vocabulary YAML
    Promises: CFiles DeviceLink Traces
    Scenarios: AccessoryProtocol Basics DeviceLink Promises Traces Vocabulary
    Topologies: AccessoryProtocol Basics Bluetooth DeviceLink PromiseLibrary Promises Scenarios Traces Vocabulary YAML
    Traces: Basics DeviceLink
    Vocabulary: Basics Bluetooth DeviceLink Traces
    YAML: Basics DeviceLink Yams
    """)

let world = modules(
    in: "Sources/World",
    """
    Airs: Basics Bluetooth Choices DeviceLink Scenarios Traces
    Choices: Basics DeviceLink
    Observer: AccessoryProtocol Basics Bluetooth DeviceLink
    Schedules: Basics Choices DeviceLink
    Simulation: Airs Basics Bluetooth Choices DeviceLink Observer Scenarios Traces Vocabulary
    """)

let judge = modules(
    in: "Sources/Judge",
    """
    Invariants: Basics DeviceLink Monitors Promises Scenarios Traces Vocabulary
    Monitors: Basics DeviceLink Promises Traces
    """)

let devices = modules(
    in: "Sources/Devices",
    """
    AccessoryFirmware: AccessoryProtocol Bluetooth BluetoothHost DeviceKit DeviceLink Vocabulary
    BenchDevices: Bluetooth BluetoothHost DeviceKit
    BluetoothHost: Basics Bluetooth CMbedTLS DeviceKit DeviceLink
    CDevice:
    DeviceKit: Basics CDevice DeviceLink
    """)

let apple = modules(
    in: "Sources/Devices/Apple",
    """
    AppleCombine: AppleFoundation
    AppleDevice: AccessoryProtocol AppleFoundation ARKit Basics Bluetooth BluetoothHost CoreBluetooth DeviceKit DeviceLink \
        MultipeerConnectivity NearbyInteraction Vocabulary WatchConnectivity
    AppleFoundation: Basics DeviceKit DeviceLink
    AppleInline: AppleDevice AppleFoundation DeviceKit
    AppleLog: DeviceKit
    AppleOSLog: AppleLog
    AppleSimd:
    AppleUIKit: AppleFoundation DeviceKit DeviceLink
    ARKit: AppleFoundation AppleSimd DeviceKit
    CAppleLog:
    CoreBluetooth: AppleFoundation Bluetooth BluetoothHost DeviceKit
    CTimeAndChance: CDevice
    MultipeerConnectivity: AppleFoundation Basics DeviceKit
    NearbyInteraction: AccessoryProtocol AppleFoundation AppleSimd ARKit Basics DeviceKit DeviceLink Vocabulary
    WatchConnectivity: AppleFoundation DeviceKit
    """)

let foreigners = modules(
    in: "Sources/Devices/Foreign",
    """
    CFirmware:
    CHostDoor:
    HostDoor: Basics Bluetooth CHostDoor DeviceKit DeviceLink Vocabulary
    """)

let runs = modules(
    in: "Sources/Runs",
    """
    Artifacts: AccessoryProtocol Airs Basics Bluetooth Captures Choices CMbedTLS DeviceLink Scenarios Simulation Topologies \
        Traces UV Vocabulary YAML
    Campaigns: Artifacts Basics Choices DeviceKit DeviceLink Orchestration Reports Scenarios Schedules Simulation Topologies \
        Traces UV Vocabulary
    Captures: AccessoryProtocol Bluetooth DeviceLink Observer Promises Traces
    Orchestration: AccessoryFirmware AppleDevice Artifacts Basics BenchDevices CDevice Choices DeviceKit DeviceLink Invariants \
        Reports Scenarios Schedules Simulation Topologies Traces UV Vocabulary YAML
    Reports: Artifacts Basics DeviceLink Invariants Monitors PromiseLibrary Promises Scenarios Sequences Simulation Topologies \
        Traces Vocabulary YAML
    Sequences: DeviceLink Traces
    """)

let answers = modules(
    in: "Sources/Answers",
    """
    Conformance: AccessoryProtocol Artifacts Basics Campaigns DeviceLink Diagnosis Invariants Monitors Orchestration \
        PromiseLibrary Promises Reports Scenarios Topologies Vocabulary YAML
    Diagnosis: Artifacts Basics Campaigns Choices DeviceLink Invariants Monitors Orchestration PromiseLibrary Reports Scenarios \
        Schedules Sequences Simulation Topologies Traces Vocabulary YAML
    Pages: Artifacts Basics CFiles DeviceLink Diagnosis Reports Sequences Traces
    Soaks: Artifacts Basics Campaigns CFiles CSQLite DeviceLink Diagnosis Orchestration Reports Scenarios Schedules Simulation \
        Topologies UV
    """)

let tool =
    programs(
        in: "Sources/Tool", linked: withAllocator,
        """
        anechoic: AccessoryProtocol ArgumentParser Artifacts Basics Campaigns Captures CFiles Conformance DeviceLink Diagnosis \
            Invariants Monitors Orchestration Pages PromiseLibrary Promises Reports Scenarios Schedules Sequences Simulation \
            Soaks Topologies Traces UV Vocabulary YAML
        anechoic-bench: ArgumentParser Basics Choices DeviceLink Invariants Orchestration Reports Scenarios Schedules Simulation \
            Traces UV
        """)
    + programs(
        in: "Sources/Devices/Programs", linked: statically,
        """
        accessory: AccessoryFirmware DeviceKit
        apple-device: AppleDevice DeviceKit
        bench-device: BenchDevices DeviceKit
        hci-door: DeviceKit HostDoor
        """) + [
        // What a user's tests import: it calls the program, and needs nothing of it. The program's folder has the
        // name already, but for a letter's case.
        .target(name: "Anechoic", path: "Sources/Tool/Chamber", swiftSettings: strict),
        .plugin(
            name: "AppleNames", capability: .buildTool(), path: "Sources/Devices/Apple/AppleNames"),
    ]

// MARK: Tests

let supports =
    modules(
        in: "Tests/Support",
        """
        DeviceChamber: AppleFoundation DeviceKit
        RunSupport: Artifacts Invariants Monitors Orchestration Promises Reports TestSupport
        TestSupport: DeviceLink
        """)
    + modules(
        in: "Tests/Fuzzing",
        """
        FuzzBytes: AccessoryProtocol Bluetooth BluetoothHost DeviceKit DeviceLink HostDoor
        FuzzRuns: Artifacts Bluetooth Captures Choices DeviceLink FuzzBytes Invariants Monitors Orchestration PromiseLibrary \
            Promises Reports Scenarios Schedules Simulation Topologies Traces Vocabulary YAML
        """)
    + programs(
        in: "Tests/Programs",
        """
        echo-device: DeviceKit
        example-beacon: DeviceKit
        loaded-app: AppleDevice AppleInline CDevice CTimeAndChance DeviceKit
        peers-app: AppleDevice AppleFoundation MultipeerConnectivity NearbyInteraction
        phones-app: AppleDevice CoreBluetooth DeviceKit
        stranger-app: AppleDevice AppleFoundation CoreBluetooth DeviceKit NearbyInteraction
        """)
    // As the manifest of `anechoic new app` has it.
    + programs(
        in: "Tests/Programs",
        settings: [
            .swiftLanguageMode(.v5),
            .unsafeFlags(["-module-alias", "UIKit=AppleUIKit", "-module-alias", "os=AppleLog"]),
        ], plugins: ["AppleNames"],
        """
        singleton-app: AppleDevice AppleFoundation AppleLog AppleUIKit CoreBluetooth NearbyInteraction
        """)

let suites = tests(
    """
    Wire: AccessoryProtocol Basics Bluetooth DeviceLink Scenarios TestSupport Topologies
    System: UV
    Language: AccessoryFirmware AppleDevice Artifacts Basics DeviceKit DeviceLink Orchestration PromiseLibrary Promises Reports \
        RunSupport Scenarios TestSupport Topologies Traces Vocabulary YAML Yams
    World: AccessoryProtocol Airs Artifacts Basics Bluetooth Choices DeviceLink Invariants Observer Orchestration Reports \
        RunSupport Scenarios Schedules Simulation TestSupport Topologies Traces Vocabulary YAML
    Judge: Basics DeviceLink Invariants Monitors PromiseLibrary Promises Scenarios TestSupport Topologies Traces Vocabulary YAML
    Devices: AccessoryFirmware AccessoryProtocol BenchDevices Bluetooth BluetoothHost DeviceChamber DeviceKit DeviceLink \
        echo-device TestSupport Vocabulary
    Devices/Apple: AccessoryFirmware AccessoryProtocol AppleCombine AppleDevice AppleFoundation AppleInline AppleLog AppleOSLog \
        AppleSimd AppleUIKit ARKit Bluetooth BluetoothHost CoreBluetooth DeviceChamber DeviceKit MultipeerConnectivity \
        NearbyInteraction TestSupport Vocabulary WatchConnectivity
    Devices/Foreign: Basics Bluetooth Captures DeviceLink HostDoor TestSupport
    Runs: Artifacts Basics Bluetooth Campaigns Captures DeviceLink Invariants Monitors Orchestration PromiseLibrary Promises \
        Reports RunSupport Scenarios Sequences Simulation TestSupport Topologies Traces UV Vocabulary YAML
    Answers: Artifacts Campaigns Choices Conformance DeviceLink Diagnosis Orchestration Pages Promises Reports RunSupport \
        Scenarios Simulation Soaks TestSupport Topologies Traces YAML
    Tool/Chamber: Anechoic TestSupport
    Tool/Documents: anechoic example-beacon
    Tool/anechoic: anechoic Artifacts Basics Bluetooth Campaigns DeviceLink Monitors Pages Reports RunSupport TestSupport Traces \
        Vocabulary
    Fuzzing/Fuzz: FuzzBytes FuzzRuns TestSupport
    Tidy: TestSupport
    """)

/// The programs of Scripts/fuzz alone: they need libFuzzer, which only that script's build brings.
let fuzzers =
    Context.environment["ANECHOIC_FUZZ"] == nil
    ? []
    : programs(
        in: "Tests/Fuzzing/Fuzzer",
        """
        fuzz-bytes: FuzzBytes
        fuzz-runs: FuzzRuns
        """)

// MARK: The package

let package = Package(
    name: "anechoic",
    products: ["anechoic", "apple-device", "accessory", "bench-device", "hci-door"].map {
        .executable(name: $0, targets: [$0])
    } + [
        .library(name: "Anechoic", targets: ["Anechoic"]),
        .library(name: "DeviceKit", targets: ["DeviceKit"]),
        .library(
            name: "AppleDevice",
            targets: [
                "ARKit", "AppleCombine", "AppleDevice", "AppleLog", "AppleOSLog", "AppleSimd",
                "AppleUIKit", "CAppleLog", "CTimeAndChance", "CoreBluetooth",
                "MultipeerConnectivity", "NearbyInteraction", "WatchConnectivity",
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
    targets: wire + system + language + world + judge + devices + apple + foreigners + runs
        + answers + tool + supports + suites + fuzzers,
    swiftLanguageModes: [.v6]
)
