import Foundation
import TestSupport
import Testing

/// An app of a user's, in a package beside this repository, as the guide says.
@Suite(.disabled(if: ProcessInfo.processInfo.environment["ANECHOIC_SANITIZER"] != nil), .processes)
struct NewAppTests {
    /// The commands of one of the guide's chapters, word by word.
    private static func commands(
        of guide: String = "Own-App-In-Swift", after headline: String
    ) throws -> [String] {
        let guide = try String(
            contentsOfFile: "\(root)/Sources/Tool/anechoic/Manual.docc/\(guide).md", encoding: .utf8
        )
        let chapter = guide.components(separatedBy: "## \(headline)\n").last ?? ""
        let block = chapter.components(separatedBy: "```sh\n").dropFirst().first ?? ""
        return block.prefix(while: { $0 != "`" }).split(separator: "\n").map(String.init)
    }

    /// Does them in a folder, with options of `run`.
    private static func follow(
        _ commands: [String], in place: Place, _ options: String
    ) throws -> ToolOutcome {
        let script = commands.joined(separator: " &&\n")
            .replacingOccurrences(of: "swift test", with: "swift test --disable-xctest")
            .replacingOccurrences(of: "anechoic run", with: "\"$ANECHOIC\" run \(options)")
            .replacingOccurrences(of: "anechoic new", with: "\"$ANECHOIC\" new")
        let outcome = try place.run([
            "env", "ANECHOIC=\(Command.executables)/anechoic", "bash", "-c", "set -e\n\(script)",
        ])
        #expect(outcome.status == 0, "\(outcome.said)")
        return outcome
    }

    @Test(.long) func theGuideLeadsFromAnEmptyFolderToARunAndATest() throws {
        try Self.makeAnApp(in: Place())
    }

    private static func makeAnApp(in place: Place) throws {
        let made = try Command.run("new", "app", "door-finder", in: place)
        #expect(made.output.contains("door-finder/Topologies/door-finder.yaml\n"), "\(made.errors)")
        try place.write(extras, to: "door-finder/Sources/DoorFinderKit/Extras.swift")
        let app = "door-finder/Sources/DoorFinderKit/DoorFinderApp.swift"
        try place.write(
            place.read(app).replacingOccurrences(
                of: "public init(_ launch: AppLaunch) {}", with: start), to: app)
        let commands = try commands(after: "1 From an empty folder to a run")
        #expect(commands.count == 4)
        // That packages test themselves OutsidePackageTests show every day.
        let outcome = try follow(
            commands.filter { isNight || $0 != "swift test" }, in: place, "--twice")
        #expect(outcome.said.contains("1 run: 1 held"))
        #expect(
            !isNight
                || outcome.said.contains("Test theAppRanges(seed:) with 10 test cases passed"))
        let log = place.read("door-finder/out/door-finder/1/logs/ben.log")
        #expect(log.contains("[0.000000 s] printed\n"))
        #expect(told(in: log) == expected, "\(log.prefix(4_000))")
        try relaunch("process", in: place, build: "debug")
    }

    /// Another build of the app, as optimised as ours.
    @Test(.enabled(if: isNight)) func thousandsOfRunsGoAsTheGuideSays() throws {
        let place = try Place()
        try Self.makeAnApp(in: place)
        let thousands = try Self.commands(after: "5 Thousands of runs")
        #expect(thousands.count == 3)
        let inline = try Self.follow(["cd door-finder"] + thousands, in: place, "--out inline")
        #expect(inline.said.contains("100 runs: 100 held"))
        for file in ["trace.jsonl", "logs/ben.log"] {
            let byProcess = place.read("door-finder/out/door-finder/1/\(file)")
            #expect(place.read("door-finder/inline/door-finder/1/\(file)") == byProcess, "\(file)")
        }
        for hosting in ["process", "inline"] {
            try Self.relaunch(hosting, in: place, build: "release")
        }
    }

    @Test(.long) func firmwareInSwiftIsMadeAndHeard() throws {
        let commands = try Self.commands(
            of: "Own-Firmware-In-Swift", after: "1 A device in one command")
        #expect(commands.count == 4)
        let outcome = try Self.follow(commands, in: Place(), "--twice")
        #expect(outcome.said.contains("1 run: 1 held"))
    }

    @Test func aLibraryThatCannotBeLoadedIsOneFailureInEveryRun() throws {
        let place = try Place()
        try place.write(
            """
            length: 1s
            devices:
              ben: {run: ./app, model: "iPhone17,1"}
            """, to: "my apps/one.yaml")
        try place.write("no program", to: "my apps/app")
        try place.write("no library", to: "my apps/libapp-inline.so")
        let outcome = try Command.run(
            "explore", "my apps/one.yaml", "--runs", "32", "--hosting", "inline", in: place)
        #expect(
            outcome.output.contains(
                "my apps/libapp-inline.so cannot be loaded: file too short"))
        #expect(outcome.output.contains("failed, in 1 way\n"), "\(outcome.output)")
    }

    /// An app that is launched again has new singletons, and ranges again.
    private static func relaunch(_ hosting: String, in place: Place, build: String) throws {
        try place.write(
            relaunched.replacingOccurrences(of: "BUILD", with: build),
            to: "door-finder/More/relaunch.yaml")
        let outcome = try Command.run(
            "run", "door-finder/More", "--hosting", hosting, "--out", hosting, in: place)
        #expect(outcome.output.contains("1 run: 1 held"), "\(outcome.output)")
        let log = place.read("\(hosting)/relaunch/1/logs/ben.log")
        let launches = told(in: log).compactMap { $0.split(separator: "] ").last }
        #expect(launches.filter { $0.hasPrefix("launch") } == ["launch 1", "launch 1"])
    }

    private static let relaunched = """
        length: 20s
        devices:
          ben: {run: ../.build/BUILD/door-finder, model: "iPhone17,1"}
          lock: {profile: qorvo}
        steps:
          - {at: 5s, terminate: ben}
          - {at: 6s, launch: ben}
        expect:
          - eventually within 12s: ni.didUpdate on ben with peer = lock

        """

    /// What the extras have told, without what differs between builds.
    private static func told(in log: String) -> [String] {
        log.split(separator: "\n").filter { $0.contains("[extras:") }
            .map { $0.replacingOccurrences(of: "[extras:all] info: ", with: "") }
    }

    private static let start =
        "private let extras = Extras()\n    public init(_ launch: AppLaunch) {}"

    /// Foundation, tasks, the main actor, Combine and Observation, of which a run knows nothing but turns.
    private static let extras = """
        import Combine
        import Foundation
        import Observation
        import UIKit
        import os.log
        import simd

        final class Shared {
            static let one = Shared()
            var launches = 0
        }

        @Observable final class Counter { var count = 0 }

        final class Extras: ObservableObject {
            @Published var number = 0
            private let logger = Logger(subsystem: "extras", category: "all")
            private var bag = Set<AnyCancellable>()
            private let counter = Counter()

            init() {
                print("printed")
                Shared.one.launches += 1
                logger.info("launch \\(Shared.one.launches)")
                logger.info("\\(Date()) \\(UIDevice.current.name) \\(simd_length(simd_float3(3, 4, 0)))")
                let same = [UUID(), UUID()]
                let drawn = (0..<4).map { _ in Int.random(in: 0..<10) }
                logger.info("\\(same[0] != same[1]) \\(Set(drawn).isSubset(of: 0..<10))")
                let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
                let threads = status?.split(separator: "\\n").first { $0.hasPrefix("Threads") }
                logger.info("\\(threads?.filter(\\.isNumber) ?? "") thread")
                $number.dropFirst().sink { [logger] in logger.info("number \\($0)") }.store(in: &bag)
                withObservationTracking {
                    _ = counter.count
                } onChange: { [logger] in
                    logger.info("observed")
                }
                DispatchQueue.main.asyncAfter(deadline: .now() + 1.5 - .milliseconds(500)) { self.number = 1 }
                DispatchQueue.main.asyncAfter(wallDeadline: .now() + .seconds(4) - 0.5) { self.number = 2 }
                Task { @MainActor [logger, counter] in
                    try? await Task.sleep(for: .seconds(2))
                    counter.count += 1
                    let sum = await withTaskGroup(of: Int.self) { group in
                        for number in 1...3 { group.addTask { number } }
                        return await group.reduce(0, +)
                    }
                    MainActor.assertIsolated()
                    logger.info("slept, sum \\(sum)")
                }
                Timer.publish(every: 3, on: .main, in: .common).autoconnect().first()
                    .sink { [logger] in logger.info("timer \\($0.timeIntervalSince1970)") }.store(in: &bag)
            }
        }

        """

    private static let expected = [
        "[0.000000 s] launch 1", "[0.000000 s] 2026-01-01 00:00:00 +0000 iPhone 5.0",
        "[0.000000 s] true true",
        "[0.000000 s] 1 thread", "[1.000868 s] number 1", "[2.001936 s] observed",
        "[2.005268 s] slept, sum 6", "[3.000000 s] timer 1767225603.0",
        "[3.500956 s] number 2",
    ]
}
