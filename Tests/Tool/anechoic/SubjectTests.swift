import Artifacts
import Foundation
import Reports
import RunSupport
import TestSupport
import Testing

/// What a topology is about makes its verdict: without it, the verdict is another one.
@Suite(.processes) struct SubjectTests {
    @Test func withoutAStepAnExpectationFails() throws {
        let variants = try Self.variants(of: ["steps", "path"])
        #expect(!variants.isEmpty)
        for (variant, report) in try Self.play(variants) {
            #expect(report.status == .violated, "\(variant.name) without its line \(variant.line)")
        }
    }

    // That one is drawn can be expected of a seed, but not of every seed.
    @Test func randomFaultsHappenAndWithoutThemThereIsNone() throws {
        let pairs = try Self.texts().compactMap { name, text -> [Variant]? in
            let calm = text.replacing(/(?m)^faults:\n(  .*\n)+/, with: "")
            guard calm != text else { return nil }
            return [text, calm].map {
                Variant(name: name, line: 0, text: $0 + "  - at least 1: fault\n")
            }
        }
        #expect(!pairs.isEmpty && pairs.allSatisfy { $0[0].name.hasPrefix("chaos/") })
        for pair in pairs {
            let reports = try Self.play(pair).map(\.1)
            #expect(reports.map(\.status) == [.held, .violated], "\(pair[0].name)")
        }
    }

    @Test(.long) func everyExpectationIsPartOfTheVerdict() throws {
        let variants = try Self.variants(of: ["expect"])
        let whole = try Self.play(Self.texts().map { Variant(name: $0, line: 0, text: $1) })
        for (variant, report) in try Self.play(variants) {
            let before = try #require(whole.first { $0.0.name == variant.name }).1
            #expect(
                before.expectations.count + before.promises.count(where: \.isMeantToBreak)
                    > report.expectations.count + report.promises.count(where: \.isMeantToBreak),
                "\(variant.name) without its line \(variant.line)")
        }
    }

    @Test func withoutItsDefectATopologyKeepsEveryPromise() throws {
        var variants: [Variant] = []
        for file in try TopologyFile.find(in: topologies + "/defects") {
            let text = try String(contentsOfFile: file.path, encoding: .utf8)
            let healthy = text.replacing(/, defects: \[.*?\]/, with: "")
            #expect(healthy != text)
            let end = try #require(healthy.range(of: "\nexpect:")).lowerBound
            variants.append(
                Variant(name: file.name, line: 0, text: String(healthy[..<end]) + "\n"))
        }
        for (variant, report) in try Self.play(variants) {
            #expect(report.status == .held, "\(report.summary)")
            let violated = report.promises.filter { $0.verdict == .violated }.map(\.promise)
            #expect(violated == [], "\(variant.name)")
        }
    }

    @Test func withItsDefectATopologyBreaksWhatItSays() throws {
        let variants = try TopologyFile.find(in: topologies + "/defects").map {
            Variant(
                name: $0.name, line: 0, text: try String(contentsOfFile: $0.path, encoding: .utf8))
        }
        for (variant, report) in try Self.play(variants) {
            #expect(report.status == .held, "\(report.summary)")
            for promise in report.promises where promise.isMeantToBreak {
                #expect(promise.verdict == .violated, "\(variant.name): \(promise.promise)")
            }
        }
    }

    // The others are about attributes and advertisements, which the network has not.
    @Test(.long) func byTheNetworkMostDefectsBreakTheSamePromises() throws {
        let variants = try TopologyFile.find(in: topologies + "/defects").map { file in
            let text = try String(contentsOfFile: file.path, encoding: .utf8)
            return Variant(
                name: file.name, line: 0,
                text: text.replacing(/(profile: [a-z0-9.-]+|model: [A-Za-z]+ [A-Za-z0-9 ]+)/) {
                    "\($0.output.1), transport: network"
                })
        }
        let reports = try Self.play(variants).map(\.1)
        #expect(reports.count { $0.status == .held } >= 80)
        #expect(reports.allSatisfy { $0.status == .held || $0.status == .violated })
    }

    // MARK: Variants

    /// A topology without one of its items.
    private struct Variant {
        let name: String
        /// The line of the item that was omitted, from 1.
        let line: Int
        let text: String
    }

    private static func texts() throws -> [(String, String)] {
        try TopologyFile.find(in: topologies).filter { !$0.name.hasPrefix("defects/") }.map {
            ($0.name, try String(contentsOfFile: $0.path, encoding: .utf8))
        }
    }

    /// Every topology without each item of its lists of these names.
    private static func variants(of keys: [String]) throws -> [Variant] {
        try texts().flatMap { name, text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init)
            return items(of: keys, in: lines).map { item, list in
                // A list of which nothing is left goes as a whole.
                let gone = item == list.dropFirst() ? list : item
                let rest = lines[..<gone.lowerBound] + lines[gone.upperBound...]
                return Variant(
                    name: name, line: item.lowerBound + 1, text: rest.joined(separator: "\n"))
            }
        }
    }

    /// The lines of each item, and of the list that it belongs to with its key.
    private static func items(
        of keys: [String], in lines: [String]
    ) -> [(item: Range<Int>, list: Range<Int>)] {
        lines.indices.filter { index in keys.contains { word(lines[index]) == "\($0):" } }.flatMap {
            key in
            let depth = indent(lines[key])
            let end =
                lines[(key + 1)...].firstIndex { $0.isEmpty || indent($0) <= depth } ?? lines.count
            let starts = (key + 1..<end).filter {
                indent(lines[$0]) == indent(lines[key + 1]) && word(lines[$0]).hasPrefix("- ")
            }
            return zip(starts, starts.dropFirst() + [end]).map { ($0..<$1, key..<end) }
        }
    }

    private static func indent(_ line: String) -> Int { line.prefix { $0 == " " }.count }

    private static func word(_ line: String) -> String {
        String(line.drop { $0 == " " })
    }

    /// Plays them inline, all in one call: the first variant of each topology in one folder, the second
    /// in the next, so that each has its own name.
    private static func play(_ variants: [Variant]) throws -> [(Variant, RunReport)] {
        let place = try Place()
        var seen: [String: Int] = [:]
        var keyed: [String: Variant] = [:]
        for variant in variants {
            let number = seen[variant.name, default: 0]
            seen[variant.name] = number + 1
            try place.write(variant.text, to: "in/\(number)/\(variant.name).yaml")
            keyed["\(number)/\(variant.name)"] = variant
        }
        let outcome = try Command.run(
            "run", "in", "--hosting", "inline", "--no-out", "--format", "json", in: place)
        let reports = try outcome.reports
        guard reports.count == variants.count else { throw Failure(outcome.errors) }
        return try reports.map { report in
            guard let variant = keyed[report.topology] else { throw Failure(report.topology) }
            return (variant, report)
        }
    }
}
