// swift-tools-version: 6.2
import PackageDescription

/// What a turn, a handshake and the judge run through.
///
/// Scripts build the rest without the optimiser, for time; a global option outdoes a target's, but not the frontend's.
let hot: Set = [
    "AccessoryFirmware", "AppleDevice", "AppleFoundation", "BluetoothHost", "CoreBluetooth",
    "Invariants", "Monitors", "NearbyInteraction", "Observer", "Orchestration", "PromiseLibrary",
    "Promises", "Scenarios", "Simulation", "UV", "Vocabulary", "YAML",
    "anechoic-bench",
]

/// What is so small and so often called that other modules inline it.
let inlined: Set = [
    "AccessoryProtocol", "Airs", "Basics", "Bluetooth", "Choices", "DeviceKit", "DeviceLink",
    "Schedules", "Traces",
]

let released = BuildSettingCondition.when(configuration: .release)

func settings(_ name: String) -> [SwiftSetting] {
    let optimised = ["-Xfrontend", "-O", "-Xllvm", "-inline-threshold=450"]
    let crossing = ["-Xfrontend", "-cross-module-optimization"]
    let flags = inlined.contains(name) ? optimised + crossing : hot.contains(name) ? optimised : []
    return [
        .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
        .unsafeFlags(flags, released),
    ]
}

func linking(_ flags: [String]) -> LinkerSetting { .unsafeFlags(flags, released) }

/// The toolchain's own linker, and what Foundation stands on, which modules that are compiled for the shared one do not name.
let withFoundation = [
    "-use-ld=lld", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCollections",
    "-l_FoundationCShims",
]

/// References counted without locking the bus: programs have one thread (a test sees to it), and the tests many.
let ofOneThread = ["retain", "release", "bridgeObjectRetain", "bridgeObjectRelease"]
    .flatMap { [$0, $0 + "_n"] }
    .flatMap { ["--wrap=swift_\($0)", "--defsym=__wrap_swift_\($0)=swift_nonatomic_\($0)"] }
    .flatMap { ["-Xlinker", $0] }

/// How the programs of a folder, or a library, are linked; `anechoic` allocates much.
///
/// A device runs for a microsecond at a time, and would have to find every page of a shared library again. The tests have
/// the same modules with the shared Swift, because their library comes in no other form.
let linked = [
    "Sources/Devices/Programs": [linking(["-static-executable"] + withFoundation + ofOneThread)],
    "Sources/Tool": [
        linking(["-static-stdlib"] + withFoundation + ofOneThread),
        .linkedLibrary("mimalloc", released),
    ],
    // A library that has a Swift of its own and sees nothing of whoever loads it but the C library.
    "AppleInline": [linking(["-static-stdlib", "-Xlinker", "-Bsymbolic"] + withFoundation)],
]

/// As the manifest of `anechoic new app` has it.
let ofUsers: [SwiftSetting] = [
    .swiftLanguageMode(.v5),
    .unsafeFlags(["-module-alias", "UIKit=AppleUIKit", "-module-alias", "os=AppleLog"]),
]

// MARK: Targets

/// Modules of other packages.
let foreign: [String: Target.Dependency] = [
    "ArgumentParser": .product(name: "ArgumentParser", package: "swift-argument-parser"),
    "Yams": .product(name: "Yams", package: "Yams"),
]

/// Each target, by its folder: what it imports, and, behind a bar, what stands in its folder and is none of it.
///
/// The modules of a wing import others of it, and of those that stand before it.
let table = """
    Sources/Wire
    AccessoryProtocol: Basics Bluetooth
    Basics:
    Bluetooth: Basics DeviceLink
    DeviceLink: Basics | DEVICE-LINK.md
    Sources/System
    CEndRequest:
    CFiles:
    UV: CEndRequest CUV
    Sources/Language
    PromiseLibrary: Basics CFiles DeviceLink Promises Traces Vocabulary YAML | CATALOGUE.md Library
    Promises: CFiles DeviceLink Traces | PROMISES.md clauses.csv
    Scenarios: AccessoryProtocol Basics DeviceLink Promises Traces Vocabulary
    Topologies: AccessoryProtocol Basics Bluetooth DeviceLink PromiseLibrary Promises Scenarios Traces Vocabulary YAML | topology.schema.json
    Traces: Basics DeviceLink | TRACE.md
    Vocabulary: Basics Bluetooth DeviceLink Traces
    YAML: Basics DeviceLink Yams
    Sources/World
    Airs: Basics Bluetooth Choices DeviceLink Scenarios Traces
    Choices: Basics DeviceLink
    Observer: AccessoryProtocol Basics Bluetooth DeviceLink
    Schedules: Basics Choices DeviceLink
    Simulation: Airs Basics Bluetooth Choices DeviceLink Observer Scenarios Traces Vocabulary
    Sources/Judge
    Invariants: Basics DeviceLink Monitors Promises Scenarios Traces
    Monitors: Basics DeviceLink Promises Traces | INDEX.md
    Sources/Devices
    AccessoryFirmware: AccessoryProtocol Basics Bluetooth BluetoothHost DeviceKit DeviceLink Vocabulary
    BenchDevices: AccessoryProtocol Bluetooth BluetoothHost DeviceKit
    BluetoothHost: Basics Bluetooth CMbedTLS DeviceKit DeviceLink
    CDevice:
    DeviceKit: Basics CDevice DeviceLink
    Sources/Devices/Apple
    AppleCombine: AppleFoundation
    AppleDevice: AccessoryProtocol AppleFoundation ARKit Basics BluetoothHost CoreBluetooth DeviceKit DeviceLink MultipeerConnectivity NearbyInteraction Vocabulary WatchConnectivity
    AppleExports: AppleFoundation
    AppleFoundation: Basics DeviceKit DeviceLink
    AppleInline: AppleDevice AppleFoundation DeviceKit
    AppleLog: DeviceKit
    AppleOSLog: AppleLog
    AppleSimd:
    AppleUIKit: AppleFoundation DeviceKit DeviceLink
    ARKit: AppleExports AppleSimd DeviceKit
    CAppleLog:
    CoreBluetooth: AppleExports Bluetooth BluetoothHost DeviceKit
    CTimeAndChance: CDevice
    MultipeerConnectivity: AppleExports Basics DeviceKit
    NearbyInteraction: AccessoryProtocol AppleExports AppleSimd ARKit Basics DeviceKit DeviceLink Vocabulary
    WatchConnectivity: AppleExports DeviceKit
    Sources/Devices/Foreign
    CFirmware:
    CHostDoor:
    HostDoor: Basics Bluetooth CHostDoor DeviceKit DeviceLink Vocabulary
    Sources/Devices/Programs
    accessory: AccessoryFirmware DeviceKit
    apple-device: AppleDevice DeviceKit
    bench-device: BenchDevices DeviceKit
    hci-door: DeviceKit HostDoor
    Sources/Runs
    Artifacts: AccessoryProtocol Airs Basics Bluetooth Captures Choices CMbedTLS DeviceLink Scenarios Simulation Topologies Traces UV Vocabulary YAML
    Campaigns: Artifacts Basics Choices DeviceKit DeviceLink Orchestration Reports Scenarios Schedules Topologies Traces UV Vocabulary
    Captures: AccessoryProtocol Bluetooth DeviceLink Observer Promises Traces
    Orchestration: AccessoryFirmware AppleDevice Artifacts Basics BenchDevices CDevice Choices DeviceKit DeviceLink Invariants Reports Scenarios Schedules Simulation Traces UV Vocabulary YAML | PERFORMANCE.md
    Reports: Artifacts Basics DeviceLink Invariants Monitors PromiseLibrary Promises Scenarios Sequences Simulation Topologies Traces Vocabulary YAML
    Sequences: DeviceLink Traces
    Sources/Answers
    Conformance: AccessoryProtocol Artifacts Basics Campaigns DeviceLink Diagnosis Invariants Monitors Orchestration PromiseLibrary Promises Reports Scenarios Topologies Vocabulary YAML
    Diagnosis: Artifacts Basics Campaigns Choices DeviceLink Invariants Monitors Orchestration PromiseLibrary Reports Scenarios Schedules Sequences Simulation Topologies Traces Vocabulary YAML
    Pages: Artifacts Basics CFiles DeviceLink Diagnosis Reports Sequences Traces | Assets
    Soaks: Artifacts Basics Campaigns CFiles CSQLite DeviceLink Diagnosis Orchestration Reports Scenarios Schedules Simulation Topologies UV | Plan/canary.yaml
    Sources/Tool
    anechoic: AccessoryProtocol ArgumentParser Artifacts Basics Campaigns Captures CFiles Conformance DeviceLink Diagnosis Invariants Monitors Orchestration Pages PromiseLibrary Promises Reports Scenarios Schedules Sequences Soaks Topologies Traces UV Vocabulary YAML | Starters/App Starters/CI Starters/Firmware
    anechoic-bench: ArgumentParser Basics Choices DeviceLink Invariants Orchestration Reports Scenarios Schedules Simulation Traces UV
    Tests/Support
    DeviceChamber: AppleFoundation DeviceKit
    RunSupport: Artifacts Monitors Orchestration Promises Reports TestSupport
    TestSupport: DeviceLink
    Tests/Programs
    echo-device: DeviceKit
    example-beacon: DeviceKit
    loaded-app: AppleDevice AppleInline CDevice CTimeAndChance DeviceKit
    peers-app: AppleDevice AppleFoundation MultipeerConnectivity NearbyInteraction
    phones-app: AppleDevice CoreBluetooth DeviceKit
    stranger-app: AppleDevice AppleFoundation CTimeAndChance CoreBluetooth DeviceKit NearbyInteraction
    singleton-app: AppleDevice AppleFoundation AppleLog AppleUIKit CoreBluetooth NearbyInteraction
    Tests/Fuzzing
    FuzzBytes: AccessoryProtocol Bluetooth BluetoothHost DeviceKit DeviceLink HostDoor
    FuzzRuns: Artifacts Bluetooth Captures Choices DeviceLink FuzzBytes Invariants Monitors Orchestration PromiseLibrary Promises Reports Scenarios Schedules Simulation Topologies Traces Vocabulary YAML
    Tests/Fuzzing/Fuzzer
    fuzz-bytes: FuzzBytes
    fuzz-runs: FuzzRuns
    Tests
    Wire: AccessoryProtocol Basics Bluetooth DeviceLink Scenarios TestSupport Topologies | DeviceLink/golden.txt
    System: UV
    Language: AccessoryFirmware AppleDevice Artifacts Basics DeviceKit DeviceLink Orchestration PromiseLibrary Promises Reports RunSupport Scenarios TestSupport Topologies Traces Vocabulary YAML Yams | PromiseLibrary/Mistakes Topologies/Mistakes
    World: AccessoryProtocol Airs Artifacts Basics Bluetooth Choices DeviceLink Invariants Observer Orchestration Reports RunSupport Scenarios Schedules Simulation TestSupport Topologies Traces Vocabulary YAML
    Judge: Basics DeviceLink Invariants Monitors PromiseLibrary Promises Scenarios TestSupport Topologies Traces Vocabulary YAML
    Devices: AccessoryFirmware AccessoryProtocol BenchDevices Bluetooth BluetoothHost DeviceChamber DeviceKit DeviceLink echo-device TestSupport Vocabulary | Apple Foreign
    Devices/Apple: AccessoryFirmware AccessoryProtocol AppleCombine AppleDevice AppleFoundation AppleLog AppleOSLog AppleSimd AppleUIKit ARKit Bluetooth BluetoothHost CoreBluetooth DeviceChamber DeviceKit MultipeerConnectivity NearbyInteraction TestSupport Vocabulary WatchConnectivity
    Devices/Foreign: Basics Bluetooth Captures DeviceLink HostDoor TestSupport
    Runs: Artifacts Basics Bluetooth Campaigns Captures DeviceLink Invariants Monitors Orchestration PromiseLibrary Promises Reports RunSupport Scenarios Sequences Simulation TestSupport Topologies Traces UV Vocabulary YAML | Captures/Foreign
    Answers: Artifacts Campaigns Choices Conformance DeviceLink Diagnosis Orchestration Pages PromiseLibrary Promises Reports RunSupport Scenarios Simulation Soaks TestSupport Topologies Traces YAML
    Tool/Chamber: Anechoic TestSupport
    Tool/Documents: example-beacon TestSupport
    Tool/anechoic: Artifacts Basics Bluetooth Campaigns DeviceLink Monitors Pages Reports RunSupport TestSupport Traces Vocabulary | Browser
    Fuzzing/Fuzz: FuzzBytes FuzzRuns TestSupport
    Tidy: TestSupport
    """

/// The targets of a table.
func targets(_ table: String) -> [Target] {
    var folder = ""
    return table.split(whereSeparator: \.isNewline).compactMap { row in
        let words = row.split { ": ".contains($0) }.map(String.init)
        if row.contains(":") { return target(words, in: folder) }
        folder = words[0]
        return nil
    }
}

/// One of a folder of programs, of modules, or of tests, which are called by their folder's name.
func target(_ words: [String], in folder: String) -> Target? {
    let (name, path) = (words[0], "\(folder)/\(words[0])")
    let bar = words.firstIndex(of: "|") ?? words.count
    let imports = words[1..<bar].map { foreign[$0] ?? .byName(name: $0) }
    let documents = Array(words[bar...].dropFirst())
    switch folder {
    case "Tests":
        let last = name.split(separator: "/").last ?? ""
        return .testTarget(
            name: "\(last)Tests", dependencies: imports, path: path, exclude: documents,
            swiftSettings: settings(name))
    // They need libFuzzer, which only Scripts/fuzz brings.
    case "Tests/Fuzzing/Fuzzer" where Context.environment["ANECHOIC_FUZZ"] == nil: return nil
    case "Sources/Devices/Programs", "Sources/Tool", "Tests/Programs", "Tests/Fuzzing/Fuzzer":
        let isUsers = name == "singleton-app"
        return .executableTarget(
            name: name, dependencies: imports, path: path, exclude: documents,
            swiftSettings: settings(name) + (isUsers ? ofUsers : []),
            linkerSettings: linked[folder], plugins: isUsers ? ["AppleNames"] : [])
    default:
        return .target(
            name: name, dependencies: imports, path: path, exclude: documents,
            swiftSettings: settings(name), linkerSettings: linked[name])
    }
}

func system(_ name: String, _ configuration: String?, _ package: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/System/\(name)", pkgConfig: configuration,
        providers: [.apt([package])])
}

let others: [Target] = [
    system("CUV", "libuv", "libuv1-dev"), system("CMbedTLS", nil, "libmbedtls-dev"),
    system("CSQLite", "sqlite3", "libsqlite3-dev"),
    // What a user's tests import. The folder `anechoic` is the program's, but for a letter's case.
    .target(name: "Anechoic", path: "Sources/Tool/Chamber", swiftSettings: settings("Anechoic")),
    .plugin(name: "AppleNames", capability: .buildTool(), path: "Sources/Devices/Apple/AppleNames"),
]

let package = Package(
    name: "anechoic",
    products: ["anechoic", "apple-device", "accessory", "bench-device", "hci-door"].map {
        .executable(name: $0, targets: [$0])
    } + ["Anechoic", "AppleInline", "DeviceKit"].map { .library(name: $0, targets: [$0]) } + [
        .library(
            name: "AppleDevice",
            targets: [
                "ARKit", "AppleCombine", "AppleDevice", "AppleLog", "AppleOSLog", "AppleSimd",
                "AppleUIKit", "CAppleLog", "CTimeAndChance", "CoreBluetooth",
                "MultipeerConnectivity", "NearbyInteraction", "WatchConnectivity",
            ]),
        .plugin(name: "AppleNames", targets: ["AppleNames"]),
    ],
    // One version each, as Package.resolved is not kept. No library of a user's depends on them: no choice is narrowed.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: targets(table) + others,
    swiftLanguageModes: [.v6]
)
