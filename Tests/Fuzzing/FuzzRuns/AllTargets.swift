package import FuzzBytes

extension FuzzTarget {
    /// All targets.
    package static let all = bytes + texts

    /// The target of this name; nil where there is none.
    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

    /// The targets whose inputs are files, or whole runs.
    private static let texts: [FuzzTarget] = [
        FuzzTarget("topology", .text, longest: 4096, "Topologies.") {
            { playTopology($0) }
        },
        FuzzTarget("promises", .text, longest: 4096, "Files of promises.") {
            { playPromises($0) }
        },
        FuzzTarget("trace", .text, longest: 4096, "Traces, judged by the library.") {
            makeTracePlayer()
        },
        FuzzTarget("capture", .text, longest: 4096, "Captures of strangers, as events.") {
            { playForeignCapture($0) }
        },
        FuzzTarget("replay", .run, longest: 4096, "Replay files, and how their runs begin.") {
            makeReplayPlayer()
        },
        FuzzTarget("device-turns", .run, longest: 2048, "Runs with a stranger among the devices.") {
            makeStrangerPlayer()
        },
    ]
}

/// Gets any target ready.
@_cdecl("anechoic_fuzz_open_any")
public func openAny(_ name: UnsafePointer<CChar>) -> UnsafeMutableRawPointer? {
    FuzzTarget.open(name, among: FuzzTarget.all)
}
