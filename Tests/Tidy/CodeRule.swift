import Foundation

/// What the code of Sources may not say, and where.
enum CodeRule: CaseIterable {
    case onlyUVImportsLibuv
    case onlyYAMLImportsYams
    case onlyCommandsImportArgumentParser
    case nothingSwitchesOffWhatTheCompilerChecks
    case nothingStartsAThread
    case aPureModuleHasNoClockAndNoChance
    case aPureModuleCallsNoOperatingSystem
    case foundationBeginsWithFiles
    case theExecutableDeclaresCommandsAndTheirOptions
    case aPartOfTheWorldKnowsNoWorld
    case theScriptAloneTouchesItsState

    /// Modules that decide, or whose values are decided upon: same input, same run.
    private static let pure: Set = [
        "AccessoryFirmware", "AccessoryProtocol", "Airs", "Basics", "Bluetooth", "BluetoothHost",
        "Choices", "DeviceKit", "DeviceLink", "Invariants", "Monitors", "Observer",
        "PromiseLibrary", "Promises", "Scenarios", "Schedules", "Sequences", "Simulation", "Traces",
        "Vocabulary", "YAML",
    ]

    /// What begins with files and JSON; Apple's `Data` and `UUID` are part of their API.
    private static let shell: Set = [
        "AppleCombine", "AppleFoundation", "AppleLog", "AppleNames", "AppleUIKit", "Artifacts",
        "Campaigns", "Chamber", "Conformance", "Diagnosis", "Orchestration", "Pages", "Reports",
        "Soaks", "anechoic", "anechoic-bench",
    ]

    /// Where Apple's API lets an app hand values to what could be another thread, and never is one here.
    private static let unchecked = [
        "AppleCombine/Publisher.swift", "AppleFoundation/NotificationCenter.swift",
        "AppleLog/OSLog.swift",
    ]

    /// The airs and the script: values with borders, whose effects the world carries out.
    private static let parts = ["/World/Airs/", "/Simulation/Script/"]

    /// The lines that break it.
    func broken(by lines: [Line]) -> [Line] {
        let isBroken = isBroken
        return lines.filter { applies(to: $0) && isBroken(String($0.code)) }
    }

    private func applies(to line: Line) -> Bool {
        switch self {
        case .onlyUVImportsLibuv: line.module != "UV"
        case .onlyYAMLImportsYams: line.module != "YAML"
        case .onlyCommandsImportArgumentParser:
            !["anechoic", "anechoic-bench"].contains(line.module)
        case .nothingSwitchesOffWhatTheCompilerChecks:
            !Self.unchecked.contains { line.path.hasSuffix($0) }
        // Tasks become turns there.
        // Only another thread sees that this one hangs.
        case .nothingStartsAThread:
            !["AppleFoundation/Executors.swift", "Orchestration/HangWatch.swift"].contains(
                where: line.path.hasSuffix)
        case .aPureModuleHasNoClockAndNoChance: Self.pure.contains(line.module)
        // DeviceKit alone reads and writes the link; everything else gets what happened as a value.
        case .aPureModuleCallsNoOperatingSystem:
            Self.pure.contains(line.module) && line.module != "DeviceKit"
        case .foundationBeginsWithFiles: !Self.shell.contains(line.module)
        case .theExecutableDeclaresCommandsAndTheirOptions:
            line.module == "anechoic" && !line.path.hasSuffix("/OptionValues.swift")
                && !line.path.contains("/Starters/")
        // A value reaches what its code names, and nothing else.
        case .aPartOfTheWorldKnowsNoWorld: Self.parts.contains(where: line.path.contains)
        case .theScriptAloneTouchesItsState:
            line.module == "Simulation" && !Self.parts.contains(where: line.path.contains)
        }
    }

    /// Whether a line of code breaks it; made once for all lines, because a pattern takes long to make.
    private var isBroken: (String) -> Bool {
        func finds(_ pattern: String) -> (String) -> Bool {
            // Foundation's, which goes through these lines fifty times faster than Swift's.
            let pattern = try? NSRegularExpression(
                pattern: pattern, options: .allowCommentsAndWhitespace)
            return { pattern?.firstMatch(in: $0, range: NSRange($0.startIndex..., in: $0)) != nil }
        }
        switch self {
        case .onlyUVImportsLibuv: return finds(#"\bimport\sCUV\b"#)
        case .onlyYAMLImportsYams: return finds(#"\bimport\sYams\b"#)
        case .onlyCommandsImportArgumentParser: return finds(#"\bimport\sArgumentParser\b"#)
        case .nothingSwitchesOffWhatTheCompilerChecks:
            return finds(#"@unchecked\sSendable|nonisolated\(unsafe\)|\btry!|\bawait\b"#)
        // The release build counts references without atomic instructions (Package.swift).
        case .nothingStartsAThread:
            return finds(
                #"""
                \bimport\s(Dispatch|_Concurrency)\b | \b(Thread|Task|OperationQueue)(\.|\(|\s?\{)
                | \bpthread_create\b | \buv_(thread_create|queue_work)\b | DispatchQueue\.global
                """#)
        case .aPureModuleHasNoClockAndNoChance:
            return finds(
                #"""
                \bimport\s(Foundation|Dispatch) | \b(Continuous|Suspending)Clock\b
                | SystemRandom | \.random\((in:|\)) | \.shuffled\(\) | \bSet[<(]
                | \b(Double|Float)\b
                """#)
        case .aPureModuleCallsNoOperatingSystem: return finds(#"\bimport\s(Glibc|Musl|Darwin)\b"#)
        case .foundationBeginsWithFiles: return finds(#"\bimport\sFoundation$"#)
        case .theExecutableDeclaresCommandsAndTheirOptions:
            let declares = finds(#"^(final\s)?(struct|class|enum|protocol|actor)\s"#)
            let isCommand = finds(#":\s(Parsable(Command|Arguments)|ExpressibleByArgument)"#)
            return { declares($0) && !isCommand($0) }
        case .aPartOfTheWorldKnowsNoWorld:
            return finds(#"\b(World|Agenda|AirObserver)\b|surroundings\.(devices|ways)\b"#)
        case .theScriptAloneTouchesItsState:
            return finds(#"\bscript\.(active|items|spoilings|cleared|planned)\b"#)
        }
    }

    /// Lines that break it, each in the module that it must not stand in.
    var samples: [(module: String, code: String)] {
        switch self {
        case .onlyUVImportsLibuv: [("Orchestration", "internal import CUV")]
        case .onlyYAMLImportsYams:
            [("Topologies", "internal import Yams"), ("anechoic", "import Yams")]
        case .onlyCommandsImportArgumentParser: [("Reports", "import ArgumentParser")]
        case .nothingSwitchesOffWhatTheCompilerChecks:
            [
                ("UV", "extension Loop: @unchecked Sendable {}"), ("UV", "let a = try! b()"),
                ("Reports", "nonisolated(unsafe) var a = 0"), ("Campaigns", "await a()"),
            ]
        case .nothingStartsAThread:
            [
                ("UV", "import Dispatch"), ("Reports", "Task { a() }"),
                ("Reports", "Thread.sleep(1)"),
                ("UV", "uv_queue_work(loop, work, nil, nil)"),
            ]
        case .aPureModuleHasNoClockAndNoChance:
            [
                ("Simulation", "let a = Int.random(in: 0..<9)"), ("DeviceKit", "ContinuousClock()"),
                ("Schedules", "var a: Set<Int> = []"), ("Scenarios", "let a: Double = 0"),
                ("YAML", "import FoundationEssentials"),
            ]
        case .aPureModuleCallsNoOperatingSystem: [("Invariants", "internal import Glibc")]
        case .foundationBeginsWithFiles:
            [("Topologies", "internal import Foundation"), ("CoreBluetooth", "import Foundation")]
        case .theExecutableDeclaresCommandsAndTheirOptions:
            [("anechoic", "struct Helper {"), ("anechoic", "final class Cache: Hashable {")]
        case .aPartOfTheWorldKnowsNoWorld:
            [
                ("World/Airs", "extension World {"),
                ("Simulation/Script", "agenda: inout Agenda<Occurrence>"),
            ]
        case .theScriptAloneTouchesItsState:
            [("Simulation", "script.active.removeAll()")]
        }
    }
}
