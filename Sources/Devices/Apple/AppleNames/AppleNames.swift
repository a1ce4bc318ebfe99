import Foundation
import PackagePlugin

/// Gives a module of an app names of its own for what Foundation and Dispatch have and a turn has otherwise.
///
/// A module's own names win over those of all that it imports, so a file that imports Foundation alone finds our
/// `Timer`, too. What cannot be there is an error of the compiler's, with the file, the line and what to do.
@main
struct AppleNames: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let file = context.pluginWorkDirectoryURL.appending(path: "AppleNames.swift")
        let text = Self.text
        if (try? String(contentsOf: file, encoding: .utf8)) != text {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        return [
            .buildCommand(
                displayName: "Apple's names for \(target.name)",
                executable: URL(filePath: "/bin/true"), arguments: [], outputFiles: [file])
        ]
    }

    /// Ours, in virtual time.
    private static let ours = [
        "DispatchGroup", "DispatchPredicate", "DispatchQoS", "DispatchQueue", "DispatchSemaphore",
        "DispatchSource", "DispatchSourceTimer", "DispatchSpecificKey", "DispatchTime",
        "DispatchTimeInterval", "DispatchTimeoutResult", "DispatchWallTime", "DispatchWorkItem",
        "DispatchWorkItemFlags", "NSKeyedArchiver", "NSKeyedUnarchiver",
        "NotificationCenter", "RunLoop", "Timer", "UserDefaults",
    ]

    /// What would start a thread, reach the network or start a program, and what to use in its place.
    private static let refused = [
        ("BlockOperation", "use DispatchQueue"),
        ("DispatchIO", "a device has no files of its own: keep data in UserDefaults"),
        ("Operation", "use DispatchQueue"),
        ("OperationQueue", "use DispatchQueue"),
        ("Process", "a device starts no programs"),
        ("Thread", "a device has one thread: use DispatchQueue, or Task"),
        ("URLSession", "a test reaches no network: put a stand-in behind a protocol of yours"),
        ("URLSessionConfiguration", "a test reaches no network"),
    ]

    private static let text =
        "// Made by the package anechoic.\nimport AppleFoundation\n\n"
        + ours.map { "typealias \($0) = AppleFoundation.\($0)\n" }.joined()
        + operators
        + refused.map { name, instead in
            "\n@available(*, unavailable, message: \"\(name) is not there on a simulated device: \(instead)\")\n"
                + "typealias \(name) = AppleFoundation.Absent\n"
        }.joined()

    /// An operator is found only where the module of its type is imported.
    private static let operators = ["DispatchTime", "DispatchWallTime"].map { time in
        [("+", ""), ("-", "-")].map { name, sign in
            """

            func \(name) (time: \(time), seconds: Double) -> \(time) {
                time.advanced(bySeconds: \(sign)seconds)
            }
            func \(name) (time: \(time), interval: DispatchTimeInterval) -> \(time) {
                time.advanced(bySeconds: \(sign)interval.seconds)
            }

            """
        }.joined()
    }.joined()
}
