import Foundation
import TestSupport
import Testing

/// What `anechoic conform` never says yes to, and the devices and suites of others.
@Suite(.processes) struct ConformGateTests {
    private static let strangers = root + "/Tests/Strangers"

    /// Plays a suite of few topologies; one seed, no sweep.
    private func conform(
        _ arguments: [String], in place: Place, suite: String = topologies + "/basics"
    ) throws -> Command.Outcome {
        try Command(
            [
                "conform", "--suite", suite, "--seeds", "1", "--no-sweep", "--no-search", "--gate",
                "violations", "--junit", "out.xml",
            ]
                + arguments, in: place
        ).outcome()
    }

    private static func program(_ name: String) -> String {
        URL(filePath: Command.executables + "/" + name).path
    }

    private func script(_ text: String, to name: String, in place: Place) throws {
        try place.write("#!/bin/sh\n" + text, to: name)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: place.path + "/" + name)
    }

    // MARK: Nothing was shown

    @Test(arguments: [
        (["--profile", "nordic"], "has no such profile; expected qorvo or multi"),
        (["--profile", "qorvvo"], "did you mean qorvo?"),
        (["--accessory", "."], ".: this is a folder; expected a program"),
        (["--app-argument", "--fast"], "--app-argument --fast: expected --app beside it"),
        (["--pics", "nothing"], "nothing: this cannot be read as text"),
    ])
    func wrongUseLeavesAReportWithAnError(arguments: [String], sentence: String) throws {
        let place = try Place()
        let outcome = try conform(arguments, in: place)
        #expect(outcome.status == 64, "\(outcome.output)")
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
        let xml = place.read("out.xml")
        #expect(
            xml.contains("errors=\"1\"") && xml.contains("<error type=\"not played\""), "\(xml)")
        #expect(outcome.output.isEmpty)
    }

    @Test func aReportThatCannotBeWrittenIsToldBeforeAnythingIsPlayed() throws {
        let outcome = try conform(["--junit", "no/such/out.xml"], in: Place())
        #expect(outcome.status == 70)
        #expect(outcome.errors.contains("cannot write no/such/out.xml: "))
        #expect(outcome.errors.contains("; choose another place with --junit"))
        #expect(outcome.output.isEmpty)
    }

    @Test func aDeviceThatRefusesEveryResetDoesNotConform() throws {
        let place = try Place()
        try script("exec python3 \(Self.strangers)/rogue.py refuses\n", to: "it.sh", in: place)
        let outcome = try conform(["--accessory", "it.sh"], in: place)
        #expect(outcome.status == 3, "\(outcome.output)\(outcome.errors)")
        #expect(
            outcome.verdict.hasPrefix(
                "FAILED (nothing was played: refusal of lock: no"),
            "\(outcome.verdict)")
        #expect(place.read("out.xml").contains("<error type=\"device failed\""))
    }

    @Test func aDeviceThatDoesNothingIsUndecided() throws {
        let place = try Place()
        try script("exec python3 \(Self.strangers)/rogue.py idle\n", to: "it.sh", in: place)
        let file = try place.write(Self.topology(), to: "my/it.yaml")
        let outcome = try conform(["--accessory", "it.sh"], in: place, suite: file)
        #expect(outcome.status == 2, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.verdict.hasPrefix("UNDECIDED (no plain handshake came about"))
        #expect(
            outcome.output.contains(
                "they did not get from configuration data to a radio that is on"))
        #expect(place.read("out.xml").contains("<error type=\"inconclusive\""))
    }

    @Test func whatPutsNoPromiseToTheTestIsUndecided() throws {
        let outcome = try conform(
            ["--hosting", "inline", "--profile", "qorvo", "--only", "multiple-format"], in: Place())
        #expect(outcome.status == 2, "\(outcome.output)")
        #expect(outcome.verdict.hasPrefix("UNDECIDED (no promise was put to the test): 0 promises"))
    }

    @Test func theGateCanDemandThatNothingIsVacuous() throws {
        let place = try Place()
        let arguments = ["--profile", "qorvo", "--hosting", "inline"]
        let plain = try conform(arguments, in: place)
        #expect(plain.status == 0, "\(plain.output)")
        #expect(place.read("out.xml").contains("failures=\"0\" errors=\"0\""))
        let gated = try conform(arguments + ["--gate", "vacuity"], in: place)
        #expect(gated.status == 2, "\(gated.output)")
        #expect(gated.verdict.hasPrefix("UNDECIDED ("))
        #expect(gated.verdict.contains(" never exercised): "))
    }

    @Test func aSuiteThatIsTooSmallDecidesNothing() throws {
        let place = try Place()
        let arguments = ["--profile", "multi", "--hosting", "inline", "--gate", "must"]
        let outcome = try conform(arguments, in: place)
        #expect(outcome.status == 2, "\(outcome.output)")
        #expect(
            outcome.verdict.contains(" musts never exercised: R4-"), "\(outcome.verdict)")
    }

    @Test func aDeviceThatDoesNotComeBackAfterAKillFails() throws {
        let place = try Place()
        try script(
            "exec python3 \(Self.strangers)/rogue.py never-returns\n", to: "it.sh", in: place)
        let file = try place.write(
            Self.topology(expect: "steps: [{at: 1s, kill: lock, for: 1s}]"), to: "my/it.yaml")
        let outcome = try conform(["--accessory", "it.sh"], in: place, suite: file)
        #expect(outcome.status == 3, "\(outcome.output)\(outcome.errors)")
        #expect(
            outcome.output.contains(
                "no return of lock: after a kill it refuses what it was before (incarnation 1): no"),
            "\(outcome.output)")
    }

    @Test func aCrashThatDoesNotHappenAgainIsOne() throws {
        let place = try Place()
        try script(
            """
            vice=idle; [ -e crashed ] || vice=exit; touch crashed
            exec python3 \(Self.strangers)/rogue.py $vice

            """, to: "it.sh", in: place)
        let file = try place.write(Self.topology(), to: "my/it.yaml")
        let outcome = try conform(["--accessory", "it.sh", "--jobs", "1"], in: place, suite: file)
        #expect(outcome.status == 3, "\(outcome.output)\(outcome.errors)")
        #expect(
            outcome.output.contains("it did not happen again: played once more, the run was "),
            "\(outcome.output)")
    }

    @Test func whatWasShownBeforeAnErrorOfOursIsToldAllTheSame() throws {
        let place = try Place()
        // There can be no folder `out` any more.
        try script(
            "touch out\nexec python3 \(Self.strangers)/rogue.py exit\n", to: "it.sh", in: place)
        let file = try place.write(Self.topology(), to: "my/it.yaml")
        let outcome = try conform(["--accessory", "it.sh"], in: place, suite: file)
        #expect(outcome.status == 70, "\(outcome.output)\(outcome.errors)")
        #expect(
            outcome.verdict.hasPrefix("FAILED (ended after 1 of 1 runs: cannot make the folder"))
        #expect(outcome.output.contains("crash of lock: "), "\(outcome.output)")
        #expect(place.read("out.xml").contains("crash of lock: "))
    }

    // MARK: Somebody's own suite

    @Test func aProgramOfTheSuiteIsFoundFromItsFolderOn() throws {
        let place = try Place()
        try script("exec python3 \(Self.strangers)/rogue.py \"$1\"\n", to: "my/tag.sh", in: place)
        try script("exec python3 \(Self.strangers)/rogue.py idle\n", to: "it.sh", in: place)
        try place.write(
            Self.topology(expect: "  tag: {run: ./tag.sh, arguments: [idle]}"), to: "my/it.yaml")
        let outcome = try conform(["--accessory", "it.sh"], in: place, suite: place.path + "/my")
        #expect(outcome.status == 2, "\(outcome.output)\(outcome.errors)")
        #expect(!outcome.output.contains("launch failure"), "\(outcome.output)")
    }

    @Test func ofOneNameInTwoFilesNeitherPromiseHidesTheOther() throws {
        let place = try Place()
        func promise(_ event: String) -> String {
            "promises: [{promise: hush, says: Nobody talks., when: \(event), then: link.up, within: 1s}]\n"
        }
        try place.write(Self.topology(expect: promise("air.connected")), to: "my/one.yaml")
        try place.write(Self.topology(expect: promise("app.stop")), to: "my/two.yaml")
        let outcome = try conform(
            ["--hosting", "inline", "--profile", "multi", "--gate", "vacuity"], in: place,
            suite: place.path + "/my")
        #expect(outcome.status == 2, "\(outcome.output)\(outcome.errors)")
        let rows = outcome.output.split(separator: "\n").filter { $0.contains(": hush ") }
        #expect(rows.count == 2 && rows[1].contains(" vacuous "), "\(outcome.output)")
    }

    @Test(arguments: ["conform", "defects"])
    func whoDialsInIsNotWaitedFor(command: String) throws {
        let place = try Place()
        let file = try place.write("devices: {mine: {dials-in: true}}", to: "it.yaml")
        let outcome = try Command.run(command, "--suite", file, in: place)
        #expect(outcome.status == 64, "\(outcome.output)")
        #expect(outcome.errors.contains("it: mine dials in; expected devices that can be started"))
    }

    private static func topology(_ accessory: String = "", expect: String = "") -> String {
        """
        length: 5s
        devices:
          ben: {model: iPhone 15, at: [0m, 0m], permission: allowed}
          lock: {profile: multi, at: [2m, 0m]\(accessory)}
        \(expect)

        """
    }

    @Test(arguments: [("never", 1), ("eventually", 0)])
    func whatASuiteExpectsIsJudged(word: String, status: Int32) throws {
        let place = try Place()
        let file = try place.write(
            Self.topology(expect: "expect: [\(word): ni.didUpdate on ben]"), to: "my/it.yaml")
        let outcome = try conform(["--hosting", "inline"], in: place, suite: file)
        #expect(outcome.status == status, "\(outcome.output)\(outcome.errors)")
        #expect(place.read("out.xml").contains("<testcase name=\"topology\" classname=\"it\""))
        guard status == 1 else { return }
        #expect(outcome.verdict.hasPrefix("DOES NOT CONFORM (1 run not as expected): "))
        #expect(outcome.output.contains("  expected (line 5): never: "))
    }

    @Test func whatIsExpectedOfAnotherProfileIsNotJudged() throws {
        let place = try Place()
        let file = try place.write(
            Self.topology(expect: "expect: [never: ni.didUpdate on ben]"), to: "my/it.yaml")
        let arguments = ["--hosting", "inline", "--profile"]
        let other = try conform(arguments + ["qorvo"], in: place, suite: file)
        #expect(other.status == 0, "\(other.output)\(other.errors)")
        #expect(
            other.output.contains(
                "what they expect was not judged: it (written for the profile multi)"))
        #expect(try conform(arguments + ["multi"], in: place, suite: file).status == 1)
    }

    @Test(arguments: [
        ConformGateTests.topology(", defects: [reused-configuration]"),
        ConformGateTests.topology(expect: "expect: violated fresh-configuration"),
    ])
    func aSuiteAboutADefectIsForAnotherCommand(text: String) throws {
        let place = try Place()
        let outcome = try conform([], in: place, suite: try place.write(text, to: "my/it.yaml"))
        #expect(outcome.status == 64, "\(outcome.output)")
        #expect(outcome.errors.contains("play it with: anechoic defects --suite FOLDER"))
    }

    @Test func aPromiseThatIsBrokenIsCounted() throws {
        let place = try Place()
        let program = Self.program("accessory")
        let text = Self.topology().replacingOccurrences(
            of: "profile: multi", with: "run: \(program), model: multi")
        let broken =
            "promises: [{promise: hush, says: Nobody talks., never: msg.initialize.sent}]\n"
        try place.write(text + broken, to: "my/one.yaml")
        try place.write(text, to: "my/two.yaml")
        let outcome = try conform(["--profile", "qorvo"], in: place, suite: place.path + "/my")
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("hush was broken in 1 of 1 run, first in\none, seed 1"))
        #expect(outcome.verdict.hasPrefix("DOES NOT CONFORM (1 promise broken): "))
    }

    // MARK: Programs of others

    @Test func ourOwnDevicesAsProgramsConformToo() throws {
        let outcome = try conform(
            [
                "--app", Self.program("apple-device"),
                "--accessory", Self.program("accessory"),
            ], in: Place(), suite: topologies + "/lifecycle")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(!outcome.output.contains("not played") && !outcome.output.contains("without some"))
    }

    @Test func aProgramGetsItsArguments() throws {
        let place = try Place()
        try script("echo \"$@\" >> arguments\nexit 1\n", to: "it.sh", in: place)
        let outcome = try conform(
            ["--app", "it.sh", "--app-argument", "--model file", "--app-argument", "-v"],
            in: place, suite: topologies + "/basics/one-to-one.yaml")
        #expect(outcome.status == 3, "\(outcome.output)\(outcome.errors)")
        #expect(place.read("arguments").hasPrefix("--model file -v\n"))
    }

    @Test func onSuccessTheQuietOneSaysOneLine() throws {
        let place = try Place()
        let file = try place.write(Self.topology(), to: "my/it.yaml")
        let outcome = try conform(["--hosting", "inline", "--quiet"], in: place, suite: file)
        #expect(outcome.status == 0)
        #expect(outcome.output == outcome.verdict + "\n")
    }
}

extension Command.Outcome {
    /// The last line.
    fileprivate var verdict: String {
        output.split(separator: "\n").last.map(String.init) ?? ""
    }
}
