import Foundation
import Reports
import TestSupport
import Testing

/// An app that keeps what it has in a singleton, as many public ones do: each run finds it new, as a launch does.
@Suite(.processes) struct SingletonTests {
    private static let app = root + "/Tests/Strangers/singleton"

    /// A topology of a phone with the app, and an accessory.
    private static func topology(_ defects: String, _ more: String) -> String {
        """
        length: 20s
        devices:
          ben:
            run: \(app)
            model: iPhone17,1
            parameters: {permission: allowed}
            defects: [\(defects)]
          lock: {profile: qorvo}
        \(more)

        """
    }

    /// The app is launched again in the run, twice.
    private static let relaunched = topology(
        "",
        """
        steps:
          - {at: 5s, terminate: ben}
          - {at: 6s, launch: ben}
          - {at: 9s, kill: ben, for: 1s}
          - {at: 13s, background: ben}
          - {at: 14s, foreground: ben}
        expect:
          - exactly 3: app.launched on ben
          - in order:
              - ni.didUpdate on ben
              - app.terminated on ben
              - ni.didUpdate on ben
              - device.started on ben
              - ni.didUpdate on ben
        """)

    @Test(arguments: [
        ["run", "one.yaml", "--seeds", "1..4", "--jobs", "1", "--twice", "--no-out"],
        ["explore", "one.yaml", "--faults", "random", "--runs", "32"],
        ["soak", "one.yaml", "--runs", "32", "--jobs", "1"],
    ])
    func noCommandNeedsToKnowOfASingleton(_ command: [String]) throws {
        let place = try Place()
        try place.write(Self.relaunched, to: "one.yaml")
        let outcome = try Command(command, in: place).outcome()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(!outcome.errors.contains("global state"), "\(outcome.errors)")
    }

    /// It is the app that `anechoic new app` makes: nothing that it does in these topologies breaks a promise.
    @Test func theAppOfAStarterConforms() throws {
        let outcome = try Command.run(
            "conform", "--app", Self.app, "--filter", "gatt/ or lifecycle/",
            "--no-search", "--no-sweep", "--seeds", "1", "--no-diagnosis", in: Place())
        #expect([0, 2].contains(outcome.status), "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains(" promises held, 0 broken, "), "\(outcome.output)")
        #expect(!outcome.errors.contains("global state"), "\(outcome.errors)")
    }

    /// What C keeps outlives a launch, but no process: each command finds that out before it counts.
    @Test(arguments: [
        ["run", "one.yaml", "--twice", "--no-out"],
        ["run", "one.yaml", "--seeds", "1..4", "--jobs", "1", "--no-out"],
        ["explore", "one.yaml", "--runs", "16"],
        [
            "conform", "--app", app, "--defect", "ben=remembers-outside", "--filter",
            "gatt/inspected",
            "--no-search", "--no-sweep", "--seeds", "1",
        ],
        ["soak", "one.yaml", "--runs", "32", "--jobs", "1"],
    ])
    func whatCKeepsMeansFreshProcessesInEveryCommand(_ command: [String]) throws {
        let place = try Place()
        try place.write(
            Self.topology("remembers-outside", "expect: [eventually: ni.didUpdate on ben]"),
            to: "one.yaml")
        let outcome = try Command(command, in: place).outcome()
        #expect([0, 2].contains(outcome.status), "\(outcome.output)\(outcome.errors)")
        #expect(
            outcome.errors.components(separatedBy: "a program keeps global state").count == 2,
            "\(outcome.errors)")
    }

    @Test func aCrashOfAProgramWithStateIsMadeSmaller() throws {
        let place = try Place()
        try place.write(
            Self.topology(
                "remembers-outside, crashes-in-background",
                "steps: [{at: 3s, obstruct: [ben, lock]}, {at: 5s, background: ben}]"),
            to: "one.yaml")
        let outcome = try Command.run("run", "one.yaml", in: place)
        #expect(
            outcome.status == 3 && outcome.output.contains("Fatal error: nobody looks any more"))
        let smaller = try Command.run(
            "shrink", "out/one/1/replay.json", "--trust", "--replays", "60", in: place)
        #expect(smaller.status == 3, "\(smaller.output)\(smaller.errors)")
        #expect(!place.read("out/one/1/shrunk/topology.yaml").contains("obstruct"))
    }
}
