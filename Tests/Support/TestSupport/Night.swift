import Foundation
package import Testing

/// Whether what takes hours is played: `Scripts/test --night` sets `ANECHOIC_NIGHT`.
package let isNight = ProcessInfo.processInfo.environment["ANECHOIC_NIGHT"] != nil

/// Whether what takes minutes is played: `Scripts/test --all` sets `ANECHOIC_WHOLE`, and so does a test that is asked for
/// by its name.
///
/// Without it each kind of guarantee has a test, with fewer topologies, seeds or runs.
package let isWhole = isNight || ProcessInfo.processInfo.environment["ANECHOIC_WHOLE"] != nil

extension Trait where Self == ConditionTrait {
    /// A test that takes minutes, of a kind of which the short suite has another.
    package static var long: Self { .enabled(if: isWhole, "Scripts/test --all plays it") }
}

/// The topologies that tests play which are about all of them: all, or the first of every sixth folder.
package let playedTopologies = isWhole ? [topologies] : firstTopologies

private let firstTopologies: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: topologies)) ?? []
    return names.sorted().enumerated().filter { $0.offset % 6 == 1 }.compactMap { _, folder in
        let files = try? FileManager.default.contentsOfDirectory(atPath: topologies + "/" + folder)
        return files?.filter { $0.hasSuffix(".yaml") }.min().map { "\(topologies)/\(folder)/\($0)" }
    }
}()
