import Foundation
import Reports
import TestSupport
import Testing

/// An app that keeps what it has in a singleton, as many public ones do: each run finds it new, as a launch does.
struct SingletonTests {
    private static let app = root + "/Tests/Strangers/singleton"

    /// A phone with the app, that is launched again, and an accessory.
    private static func write(_ defect: String = "", to place: Place) throws {
        let defects = defect.isEmpty ? "" : ", defects: [\(defect)]"
        try place.write(
            """
            length: 20s
            devices:
              ben: {run: \(app), model: "iPhone17,1", permission: allowed\(defects)}
              lock: {profile: qorvo}
            steps:
              - {at: 5s, terminate: ben}
              - {at: 6s, launch: ben}
              - {at: 9s, kill: ben, for: 1s}
              - {at: 13s, background: ben}
              - {at: 14s, foreground: ben}
            expect:
              - exactly 3: app.launched on ben
              - in order: [ni.didUpdate on ben, app.terminated on ben, ni.didUpdate on ben, \
            device.started on ben, ni.didUpdate on ben]

            """, to: "one.yaml")
    }

    @Test(arguments: [
        ["run", "one.yaml", "--seeds", "1..4", "--jobs", "1", "--twice", "--no-out"],
        ["explore", "one.yaml", "--faults", "random", "--runs", "32"],
        ["soak", "one.yaml", "--runs", "64", "--jobs", "1"],
    ])
    func noCommandNeedsToKnowOfASingleton(_ command: [String]) throws {
        let place = try Place()
        try Self.write(to: place)
        let outcome = try Command(command, in: place).outcome()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(!outcome.errors.contains("global state"), "\(outcome.errors)")
    }

    @Test func itConformsWithoutASentenceAboutState() throws {
        let outcome = try Command.run(
            "conform", "--app", Self.app, "--filter", "gatt/", "--no-search", "--no-sweep",
            "--seeds", "1", in: Place())
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(!outcome.errors.contains("global state"), "\(outcome.errors)")
    }

    /// What C keeps outlives a launch, but no process: each command finds that out before it counts.
    @Test(arguments: [
        ["run", "one.yaml", "--twice", "--no-out"],
        ["run", "one.yaml", "--seeds", "1..4", "--jobs", "1", "--no-out"],
        ["explore", "one.yaml", "--runs", "32"],
        [
            "conform", "--app", app, "--defect", "ben=remembers-outside", "--filter",
            "basics/one-to-one",
        ],
        ["soak", "one.yaml", "--runs", "64", "--jobs", "1"],
    ])
    func whatCKeepsMeansFreshProcessesInEveryCommand(_ command: [String]) throws {
        let place = try Place()
        try place.write(
            """
            length: 20s
            devices:
              ben: {run: \(Self.app), model: "iPhone17,1", permission: allowed, defects: [remembers-outside]}
              lock: {profile: qorvo}
            expect: [eventually: ni.didUpdate on ben]

            """, to: "one.yaml")
        let outcome = try Command(command, in: place).outcome()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(
            outcome.errors.components(separatedBy: "a program keeps global state").count == 2,
            "\(outcome.errors)")
    }

    @Test func aFailureOfAProgramWithStateIsMadeSmallerAndExplained() throws {
        let place = try Place()
        try place.write(
            """
            length: 20s
            devices:
              ben: {run: \(Self.app), model: "iPhone17,1", permission: allowed, \
            defects: [remembers-outside, lets-go-in-background]}
              lock: {profile: qorvo}
            steps: [{at: 3s, lock: ben}, {at: 5s, background: ben}, {at: 6s, foreground: ben}]

            """, to: "one.yaml")
        #expect(try Command.run("run", "one.yaml", in: place).status == 1)
        for command in ["shrink", "explain"] {
            let outcome = try Command.run(command, "out/one/1/replay.json", "--trust", in: place)
            #expect([0, 1, 2].contains(outcome.status), "\(outcome.output)\(outcome.errors)")
            #expect(outcome.errors.contains("keeps global state"), "\(outcome.errors)")
        }
    }
}
