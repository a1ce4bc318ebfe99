import Foundation
import TestSupport
import Testing

/// A step of GitHub Actions.
@Suite(.processes) struct GitHubStepTests {
    private static let step = "export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=page.md"
    private static let pair = topologies + "/dropout/mid-handshake.yaml"

    @Test func aStepHasAPageAndAnnotations() throws {
        let place = try Place()
        let file = try place.write(text(of: "Topologies/dropout/mid-handshake.yaml"), to: "it.yaml")
        let words = ["run", file, "--defect", "lock=reused-configuration", "--hosting", "inline"]
        let outcome = try Command(words, in: place, limits: Self.step).outcome()
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.hasPrefix(
                "::error file=\(file),title=anechoic run%3A it topology::fresh-configuration: "),
            "\(outcome.errors)")
        #expect(!outcome.output.contains("::error"))
        #expect(
            place.read("page.md").hasPrefix(
                "### ❌ anechoic run: violated\n\n1 run&#58; 1 violated\n"))
    }

    @Test func withoutTheVariablesNothingIsSaid() throws {
        let place = try Place()
        let outcome = try Command.run(
            "run", Self.pair, "--defect", "lock=reused-configuration", in: place)
        #expect(outcome.status == 1 && outcome.errors == "")
        #expect(!FileManager.default.fileExists(atPath: place.path + "/page.md"))
    }

    @Test(arguments: ["run", "check"])
    func aMistakeIsAnAnnotationOfItsLine(command: String) throws {
        let place = try Place()
        try place.write("devices:\n  ben: {modle: iPhone 15}\n", to: "wrong.yaml")
        let outcome = try Command([command, "wrong.yaml"], in: place, limits: Self.step).outcome()
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains("\n::error file=wrong.yaml,line=2,col=9,title=anechoic::"),
            "\(outcome.errors)")
    }

    @Test func aPageThatCannotBeWrittenIsToldBeforeTheFirstRun() throws {
        let outcome = try Command(
            ["run", Self.pair], in: Place(),
            limits: "export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=no/such/page.md"
        ).outcome()
        #expect(outcome.status == 70 && outcome.output == "")
        #expect(
            outcome.errors.contains(
                "cannot write no/such/page.md: No such file or directory; choose another place with "
                    + "GITHUB_STEP_SUMMARY"), "\(outcome.errors)")
    }

    /// What a runner obeys stands at the beginning of a line, behind blanks, or after `##[` anywhere.
    @Test(arguments: ["text", "tap", "json"])
    func whatADeviceSaysIsNoCommandOfTheRunner(format: String) throws {
        let place = try Place()
        try place.write(
            "#!/bin/sh\nprintf '::add-mask::e\\n  ::stop-commands::x\\na ##[add-mask]f\\n' >&2\nexit 3\n",
            to: "it.sh")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: place.path + "/it.sh")
        try place.write("length: 1s\ndevices: {lock: {run: ./it.sh}}\n", to: "it.yaml")
        let outcome = try Command(
            ["run", "it.yaml", "--format", format, "--no-out"], in: place, limits: Self.step
        ).outcome()
        #expect(outcome.status == 3, "\(outcome)")
        let all = outcome.output + outcome.errors
        #expect(all.contains("add-mask"), "\(all)")
        #expect(!outcome.output.contains("##["), "\(all)")
        for line in all.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
            #expect(
                !line.hasPrefix("::") || line.hasPrefix("::error file=it.yaml,title="), "\(line)")
        }
    }
}
