import Artifacts
import Foundation
import PromiseLibrary
import Promises
import TestSupport
import Testing
import Topologies
import Vocabulary

/// What the manual says is played, held against the program (Manual.docc/Fidelity.md).
struct FidelityTests {
    private static let statuses = [
        "*implemented*", "*parameter*", "*cannot be simulated*",
    ]

    /// The cells of all tables whose rows have a status.
    private static func rows() throws -> [[String]] {
        let page = root + "/Sources/Tool/anechoic/Manual.docc/Fidelity.md"
        return try String(contentsOfFile: page, encoding: .utf8).split(separator: "\n").compactMap {
            line in
            let cells = line.dropFirst().dropLast().split(
                separator: "|", omittingEmptySubsequences: false
            ).map { $0.trimmingCharacters(in: .whitespaces) }
            return cells.count == 4 && cells[2].hasPrefix("*") ? cells : nil
        }
    }

    /// `2.3-1,2` is two statements of section 2.3.
    private static func clauses(_ cell: String) -> [String] {
        cell.components(separatedBy: ", ").flatMap { part -> [String] in
            let pieces = part.split(separator: "-")
            guard pieces.count == 2 else { return [] }
            return pieces[1].split(separator: ",").map { "R4-\(pieces[0])-\($0)" }
        }
    }

    @Test func everyClauseOfR4HasOneRow() throws {
        let named = try Self.rows().flatMap { Self.clauses($0[0]) }
        #expect(named.sorted() == ClauseTable.r4.map(\.id).sorted())
    }

    @Test func aRowIsShownBySomethingUnlessNothingCanShowIt() throws {
        for row in try Self.rows() {
            #expect(Self.statuses.contains(row[2]), "\(row)")
            let isShown = ["*implemented*", "*parameter*"].contains(row[2])
            #expect(row[3].isEmpty != isShown, "\(row)")
        }
    }

    @Test func everythingThatIsNamedExists() throws {
        let known = try Self.known()
        for name in try Self.rows().flatMap({ Self.names(in: $0[3][...]) }) {
            #expect(known.contains(name), "\(name)")
        }
    }

    /// What stands between backquotes.
    private static func names(in cell: Substring) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }

    /// Topologies, promises, parameters, verbs, defects, and suites of tests.
    private static func known() throws -> Set<String> {
        let kinds = [Catalogue.Kind.appleDevice, .accessory]
        return Set(try TopologyFile.find(in: topologies).map(\.name))
            .union(PropertyLibrary.promiseNames)
            .union(kinds.flatMap { Catalogue.parameters(of: $0).map(\.name) })
            .union(kinds.flatMap { Catalogue.defects(of: $0).map(\.name) })
            .union(VerbName.allCases.map(\.rawValue)).union(TopologyKeys.air)
            .union(try suites())
    }

    /// The names of suites are those of their files.
    private static func suites() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root + "/Tests").compactMap { path in
            path.hasSuffix("Tests.swift")
                ? path.split(separator: "/").last.map { String($0.dropLast(6)) } : nil
        }
    }

    @Test func theDeclaredDeviationsOfEachProfileAreThoseOfTheProgram() throws {
        let page = try String(
            contentsOfFile: root + "/Sources/Tool/anechoic/Manual.docc/Fidelity.md", encoding: .utf8
        )
        for profile in AccessoryProfile.allCases {
            let row = page.split(separator: "\n").first {
                $0.hasPrefix("| `") && $0.contains("`\(profile.rawValue)`")
            }
            let named = row?.split(separator: "|").last.map { Self.names(in: $0) } ?? []
            #expect(named == profile.deviations.map(\.rawValue), "\(profile.rawValue)")
        }
    }
}
