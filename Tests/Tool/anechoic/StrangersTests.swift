import Artifacts
import Foundation
import RunSupport
import TestSupport
import Testing

/// Devices that are not ours: the lantern in Python and the wayfinder, an app in Swift.
///
/// Their bugs are measured by `Scripts/bench races --strangers`.
@Suite(.processes) struct StrangersTests {
    private static let folder = root + "/Tests/Strangers"

    /// A bug of `bugs.json`.
    private struct Bug: Decodable {
        let name: String
        let device: String
        let race: [Side]

        struct Side: Decodable {
            let device: String
        }
    }

    @Test(arguments: ["clean", "clean-both", "clean-wayfinder"])
    func aHealthyStrangerKeepsEveryPromise(_ topology: String) throws {
        let place = try Place()
        let outcome = try Command.run(
            "run", "\(Self.folder)/topologies/\(topology).yaml", "--seeds", "1..4", "--scheduler",
            "portfolio", "--no-out", "--format", "json", in: place)
        let reports = try outcome.reports
        #expect(reports.count == 4, "\(outcome.errors)")
        for report in reports { #expect(report.status == .held, "\(report.summary)") }
    }

    /// Each design of `allowed.json`: the user stops and starts, the link drops, the radio refuses, the phone is away.
    ///
    /// Gates of them all are played by `Scripts/bench verdicts`.
    @Test func whatR4LeavesToTheMakerIsNotAccused() throws {
        struct Design: Decodable {
            let name: String
            let pics: String
        }
        let table = try Data(contentsOf: URL(filePath: "\(Self.folder)/allowed.json"))
        let designs = try JSONDecoder().decode([Design].self, from: table)
        #expect(designs.count >= 18)
        let place = try Place()
        for design in designs {
            let isSlow = design.pics.contains("answers-within: 6s")
            let app =
                (design.pics.contains("asks-first: false") ? "asks-first: false, " : "")
                + (isSlow ? "request-timeout: 7s, " : "")
            let lock = isSlow ? ", answers-within: 6s" : ""
            try place.write(
                """
                length: 60s
                devices:
                  ben: {model: iPhone 15, permission: allowed, \(app)at: [0m, 0m]}
                  lock: {run: \(Self.folder)/allowed.py, arguments: [\(design.name)], at: [2m, 0m]\(lock)}
                steps:
                  - {at: 8s, stop: ben}
                  - {at: 10s, start: ben}
                  - {at: 18s, disconnect: [ben, lock]}
                  - {at: 24s, refuse-uwb: lock}
                  - {at: 30s, partition: [ben, lock], for: 8s}
                expect: [eventually: ni.didUpdate on ben with distance != none]
                """, to: "\(design.name).yaml")
        }
        let outcome = try Command.run(
            "run", ".", "--seeds", "1..2", "--no-out", "--format", "json", in: place)
        let reports = try outcome.reports
        #expect(reports.count == 2 * designs.count, "\(outcome.errors)")
        for report in reports { #expect(report.status == .held, "\(report.summary)") }
    }

    @Test func thePlainRunOfEveryBugHolds() throws {
        let place = try Place()
        let outcome = try Command.run(
            "run", "\(Self.folder)/topologies", "--scheduler", "fifo", "--no-out", "--format",
            "json", in: place)
        let reports = try outcome.reports
        let names = Set(reports.map { $0.topology.split(separator: "/").last.map(String.init) })
        #expect(names.isSuperset(of: try bugs().map(\.name)), "\(outcome.errors)")
        for report in reports { #expect(report.status == .held, "\(report.summary)") }
    }

    /// The accessory's radio refuses as often as the app tries.
    @Test(arguments: [(", silent: 1", ["alive-again"]), ("", [])])
    func whoeverGivesUpWithoutAWordIsBlamed(parameter: String, broken: [String]) throws {
        let place = try Place()
        let parameters = "{permission: allowed, attempts: 3\(parameter)}"
        try place.write(
            """
            length: 30s
            devices:
              ben: {run: \(Self.folder)/wayfinder, model: "iPhone15,4", parameters: \(parameters)}
              lock: {profile: qorvo}
            steps: [{at: 100ms, refuse-uwb: lock, count: 3}]
            expect: [exactly 3: uwb.refused on lock]
            """, to: "vain.yaml")
        let outcome = try Command.run("run", "vain.yaml", "--no-out", "--format", "json", in: place)
        let report = try #require(try outcome.reports.first, "\(outcome.errors)")
        let violated = report.promises.filter { !$0.violations.isEmpty }
        #expect(violated.map(\.promise) == broken, "\(report.summary)")
        #expect((report.status == .held) == broken.isEmpty, "\(report.summary)")
    }

    @Test func everyBugHasItsTopologyAndDeclaresARaceAtItsDevice() throws {
        let bugs = try bugs()
        #expect(bugs.count >= 24)
        for bug in bugs {
            let text = try String(
                contentsOfFile: "\(Self.folder)/topologies/\(bug.name).yaml", encoding: .utf8)
            #expect(text.contains("defects: [\(bug.name)]"))
            #expect(bug.race.map(\.device) == [bug.device, bug.device])
        }
    }

    private func bugs() throws -> [Bug] {
        let file = URL(filePath: "\(Self.folder)/bugs.json")
        return try JSONDecoder().decode([Bug].self, from: Data(contentsOf: file))
    }
}
