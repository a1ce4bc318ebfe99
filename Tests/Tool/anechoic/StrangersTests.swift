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

    /// A design of `allowed/designs.json`: a healthy device that does something that nobody forbids.
    private struct Design: Decodable {
        let name: String
        let language: String
        /// What its topology says of it and of the reference app, beside the rest.
        let own: String?
        let phone: String?
        /// The sentence that allows it, and where that stands.
        let allows: String

        /// Its topology, of the one for accessories or for apps.
        func topology() throws -> String {
            let folder = "Tests/Strangers/allowed"
            let isApp = language == "Swift"
            let programs = [
                "Python": "accessory.py", "C": "accessory-in-c", "Swift": "../wayfinder",
            ]
            let program = try #require(programs[language], "\(name)")
            return try text(of: "\(folder)/\(isApp ? "app" : "accessory").yaml")
                .replacing("PROGRAM", with: "\(root)/\(folder)/\(program)")
                .replacing("NAME", with: name)
                .replacing(" OWN", with: own.map { " \($0)," } ?? "")
                .replacing(" PHONE", with: phone.map { " \($0)," } ?? "")
        }
    }

    /// Gates of them all, and long explorations, are played by `Scripts/bench verdicts`.
    @Test func whatNobodyForbidsIsNotAccused() throws {
        let table = URL(filePath: "\(Self.folder)/allowed/designs.json")
        let designs = try JSONDecoder().decode([Design].self, from: Data(contentsOf: table))
        let place = try Place()
        for design in designs {
            #expect(!design.allows.isEmpty, "\(design.name)")
            try place.write(try design.topology(), to: "\(design.name).yaml")
        }
        let languages = designs.map(\.language)
        for (language, least) in [("Python", 19), ("C", 4), ("Swift", 3)] {
            #expect(languages.count { $0 == language } >= least)
        }
        let outcome = try Command.run(
            "run", ".", "--seeds", isWhole ? "1..2" : "1", "--no-out", "--format", "json", in: place
        )
        let reports = try outcome.reports
        #expect(reports.count == (isWhole ? 2 : 1) * designs.count, "\(outcome.errors)")
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
