import TestSupport
import Testing

/// `compare`: two versions on the same seeds.
@Suite(.processes) struct CompareTests {
    private func played(_ options: [String], into tree: String, in place: Place) throws {
        _ = try Command(
            [
                "run", topologies + "/dropout/mid-handshake.yaml", "--seeds", "1..12", "--out",
                tree, "-q",
            ] + options, in: place
        ).outcome()
    }

    @Test func aDefectIsNewAndItsRepairIsGone() throws {
        let place = try Place()
        try played([], into: "good", in: place)
        try played(["--defect", "lock=reused-configuration"], into: "bad", in: place)
        let worse = try Command.run("compare", "good", "bad", in: place)
        #expect(worse.status == 1, "\(worse.errors)")
        let lines = worse.output.split(separator: "\n")
        #expect(lines[0] == "12 runs in both")
        #expect(
            lines[2].hasPrefix("new     0 (0.0–24.2 %)  12 (75.8–100.0 %)  fresh-configuration: "),
            "\(worse.output)")
        #expect(lines[2].hasSuffix("bad/dropout/mid-handshake/1"))
        let better = try Command.run("compare", "bad", "good", in: place)
        #expect(better.status == 0)
        #expect(better.output.contains("\ngone    12 (75.8–100.0 %)  0 (0.0–24.2 %)  "))
        let same = try Command.run("compare", "bad", "bad", in: place)
        #expect(same.status == 0)
        #expect(same.output.contains("\nalike   12 "))
        #expect(
            try Command.run("compare", "good", "good", in: place).output
                == "12 runs in both\nno failure in either\n")
    }

    @Test func twoProgramsArePlayedAndCompared() throws {
        let place = try TravelTests.project()
        try place.write(
            place.read("build/lock").replacing("if not self.sessions:", with: "if True:"),
            to: "build/mended")
        try place.makeExecutable("build/mended")
        let options = ["tests", "--seeds", "1..6", "--accessory"]
        let better = try Command(
            ["compare"] + options + ["build/lock", "--accessory", "build/mended"], in: place
        ).outcome()
        #expect(better.status == 0, "\(better.output)\(better.errors)")
        #expect(
            better.output.hasPrefix("before: build/lock\nafter:  build/mended\n6 runs in both\n"))
        #expect(better.output.contains("\ngone    6 "), "\(better.output)")
        // Fewer seeds than were played before: what is left of those is not counted.
        let worse = try Command(
            ["compare", "tests", "--seeds", "1..2", "--accessory", "build/mended", "--accessory"]
                + ["build/lock", "--jobs", "1"], in: place
        ).outcome()
        #expect(worse.status == 1, "\(worse.output)\(worse.errors)")
        #expect(worse.output.contains("\n2 runs in both\n"), "\(worse.output)")
        #expect(worse.output.contains("compare/after/drop/1"))
        let one = try Command(["compare"] + options + ["build/lock"], in: place).outcome()
        #expect(one.status == 64 && one.errors.contains("expected --accessory or --app twice"))
    }

    @Test func treesWithoutACommonRunAreWrongUse() throws {
        let place = try Place()
        try played([], into: "good", in: place)
        try place.write("", to: "empty/nothing")
        let outcome = try Command.run("compare", "good", "empty", in: place)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("good and empty have no run in common"))
    }
}
