import Foundation
import TestSupport
import Testing

/// What Scripts/install makes of a prefix.
@Suite(.processes) struct InstallTests {
    private static let script = root + "/Scripts/install"

    /// Installs the programs that the tests play, and not those of another build.
    private func install(_ words: String..., in place: Place) throws -> ToolOutcome {
        try place.run(
            ["env", "ANECHOIC_EXECUTABLES=\(Command.executables)", Self.script] + words)
    }

    private func files(in folder: String) -> [String] {
        let all = FileManager.default.subpaths(atPath: folder) ?? []
        var isFolder: ObjCBool = false
        return all.filter {
            FileManager.default.fileExists(atPath: folder + "/" + $0, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    @Test func whatIsInstalledRunsWithoutTheRepository() throws {
        let place = try Place()
        let installed = try install("a prefix", in: place)
        #expect(installed.status == 0, "\(installed.said)")
        let program = place.path + "/a prefix/bin/anechoic"
        #expect(try place.run([program, "--version"]).output.contains(/^\d+\.\d+\.\d+\n$/))
        // Devices by process are found beside it, and the topologies that ship in its share.
        let run = try place.run([program, "run", "a prefix/share/anechoic/Topologies/dropout"])
        #expect(run.output.hasSuffix("3 runs: 3 held\n"), "\(run.said)")
        let conform = try place.run([
            program, "conform", "--seeds", "1", "--no-sweep", "--no-search", "--only", "R4-3.4.1-1",
            "-q", "-k", "mid-handshake",
        ])
        #expect(conform.status == 0, "\(conform.said)")
        let python = place.path + "/a prefix/share/anechoic/examples/Python/accessory.py"
        #expect(FileManager.default.isExecutableFile(atPath: python))
        // Firmware in C finds the library that is installed.
        #expect(try place.run([program, "new", "firmware", "door-lock"]).status == 0)
        let made = try place.run(["make", "-C", "door-lock"])
        #expect(made.status == 0, "\(made.said)")
        #expect(made.output.contains("\(place.path)/a prefix/share/anechoic/c/include"))
        let own = try place.run([program, "run", "door-lock/Topologies"])
        #expect(own.output.hasSuffix("1 run: 1 held\n"), "\(own.said)")
        try appsAndPages(of: program, in: place)
    }

    /// An app names the sources that are installed, which SwiftPM reads; a page is drawn with the d3 that is.
    private func appsAndPages(of program: String, in place: Place) throws {
        let share = place.path + "/a prefix/share/anechoic"
        for name in [
            "d3/d3.min.js", "d3/copyright", "package/LICENSE", "wireshark/nearby-interaction.lua",
            "convert-log",
        ] { #expect(place.read("a prefix/share/anechoic/\(name)") != "", "\(name)") }
        let app = try place.run([program, "new", "app", "DoorFinder"])
        #expect(app.status == 0, "\(app.said)")
        #expect(place.read("door-finder/Package.swift").contains("?? \"\(share)/package\""))
        let page = try place.run([
            "unshare", "-rm", "bash", "-c",
            "mount -t tmpfs none /usr/share && exec \"$0\" report out/mid-handshake/1",
            program,
        ])
        #expect(page.status == 0, "\(page.said)")
    }

    @Test(.long) func whatIsUninstalledLeavesWhatIsSomebodyElses() throws {
        let place = try Place()
        try place.write("mine", to: "prefix/bin/other")
        #expect(try install("prefix", in: place).status == 0)
        #expect(try install("prefix", in: place).status == 0)
        let removed = try install("--uninstall", "prefix", in: place)
        #expect(removed.status == 0, "\(removed.said)")
        #expect(files(in: place.path + "/prefix") == ["bin/other"])
        let again = try install("--uninstall", "prefix", in: place)
        #expect(again.status == 64 && again.errors.contains("nothing was installed in prefix"))
    }

    @Test func aFileOfSomebodyElseIsNotReplaced() throws {
        let place = try Place()
        try place.write("mine", to: "prefix/bin/anechoic")
        let outcome = try install("prefix", in: place)
        #expect(outcome.status == 64, "\(outcome.said)")
        #expect(outcome.errors.contains("prefix/bin/anechoic is there, and was not installed by"))
        #expect(place.read("prefix/bin/anechoic") == "mine")
        #expect(files(in: place.path + "/prefix") == ["bin/anechoic"])
    }

    @Test(arguments: [[], ["--frobnicate"], ["a", "b"], [""]])
    func wrongUseIs64(_ words: [String]) throws {
        let outcome = try Place().run([Self.script] + words)
        #expect(outcome.status == 64 && outcome.errors.contains("Usage: Scripts/install"))
    }

    @Test func aPrefixThatCannotBeMadeIsOneError() throws {
        let place = try Place()
        try place.write("", to: "file")
        let outcome = try install("file/prefix", in: place)
        #expect(outcome.status == 69, "\(outcome.said)")
        #expect(outcome.errors.contains("cannot write all of it into file/prefix"))
    }

    // MARK: Manual pages and completions

    @Test func everyCommandHasAManualPageWithoutAMistake() throws {
        let place = try Place()
        #expect(try install("prefix", in: place).status == 0)
        let folder = place.path + "/prefix/share/man/man1"
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let help = try Command.run("--help", in: place).output
        let commands = try #require(help.components(separatedBy: "SUBCOMMANDS:\n").last)
            .matches(of: #/(?m)^  ([a-z-]+) /#).map { "anechoic-\($0.1).1" }
        #expect(pages == (commands + ["anechoic.1"]).sorted())
        for page in pages {
            let lint = try place.run(["mandoc", "-Tlint", "-Wwarning", folder + "/" + page])
            #expect(lint.status == 0 && lint.said == "", "\(page): \(lint.said)")
        }
        let page = try place.run(["mandoc", "-Tascii", folder + "/anechoic-judge.1"]).output
            .replacing(/.\u{8}/, with: "")
        for part in [
            "anechoic judge trace", "--sarif file", "EXIT STATUS\n     0 all held, 1 a violation",
        ] {
            #expect(page.contains(part), "\(page)")
        }
    }

    @Test func bashCompletesCommandsAndOptions() throws {
        let place = try Place()
        #expect(try install("prefix", in: place).status == 0)
        func completions(_ words: String...) throws -> [String] {
            let list = words.map { "'\($0)'" }.joined(separator: " ")
            let program = """
                source prefix/share/bash-completion/completions/anechoic
                COMP_WORDS=(\(list)) COMP_CWORD=\(words.count - 1) COMP_LINE="${COMP_WORDS[*]}"
                COMP_POINT=${#COMP_LINE} COMP_TYPE=9
                _anechoic anechoic "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let outcome = try place.run(["bash", "-c", program])
            return outcome.output.split(separator: "\n").map(String.init).sorted()
        }
        #expect(try completions("anechoic", "con") == ["conform"])
        #expect(try completions("anechoic", "judge", "--sa") == ["--sarif"])
        #expect(try completions("anechoic", "judge", "--format", "") == ["tap", "text"])
    }

    // MARK: Examples

    /// What a wrapper adds, so that the jobs are short.
    private static let shortened = """
        #!/bin/sh
        case $1 in
        conform) set -- "$@" --no-search --no-sweep --seeds 1 ;;
        soak) set -- "$@" --runs 30 ;;
        esac
        exec '\(Command.executables)/anechoic' "$@"

        """

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: root + "/.build/venv/bin/hadolint"),
            "Scripts/test installs what reads them"),
        arguments: [
            ("github-workflows", ["github", "github-nightly"], ["conform.sarif"]),
            ("gitlab-ci", ["gitlab"], ["codequality.json"]),
        ].prefix(isWhole ? 2 : 1))
    func theJobsOfNewFirmwareArePlayedAsARunnerDoes(
        _ schema: String, _ names: [String], _ own: [String]
    ) throws {
        let place = try Place()
        let tools = root + "/.build/venv/bin/"
        let files = names.map { root + "/Tests/Examples/CI/\($0).yml" }
        let checked = try place.run(
            [tools + "check-jsonschema", "--builtin-schema", "vendor.\(schema)"] + files)
        #expect(checked.status == 0, "\(checked.said)")
        let script = try place.run(
            [tools + "python3", root + "/Scripts/night.d/job.py"] + files
        ).output
        let shell = try place.run(["shellcheck", "--shell", "sh", "-"], input: script)
        #expect(shell.status == 0, "\(shell.said)")

        #expect(try Command.run("new", "firmware", "door-lock", in: place).status == 0)
        try place.write(Self.shortened, to: "bin/anechoic")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: place.path + "/bin/anechoic")
        try place.write("PATH=$PWD/bin:$PATH\ncd door-lock\n" + script, to: "job.sh")
        let played = try place.run(["sh", "job.sh"])
        #expect(played.status == 0, "\(played.said)")
        let reports = [
            "run.xml", "conform.xml", "conform.html", "soak.xml", "soak.prom", "soak.html",
        ]
        for name in reports + own {
            #expect(place.read("door-lock/\(name)") != "", "\(name): \(played.said)")
        }
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: root + "/.build/venv/bin/hadolint"),
            "Scripts/test installs what reads it"))
    func theContainerfileHasNoMistake() throws {
        let place = try Place()
        let file = root + "/Tests/Examples/CI/anechoic.Containerfile"
        let outcome = try place.run([root + "/.build/venv/bin/hadolint", file])
        #expect(outcome.status == 0 && outcome.said == "", "\(outcome.said)")
    }

    @Test func theScriptsHaveNoMistakeOfAShell() throws {
        let outcome = try Place().run([
            "shellcheck", "--external-sources", "--source-path", root, Self.script,
            root + "/Scripts/test", root + "/Scripts/night.d/image",
        ])
        #expect(outcome.status == 0, "\(outcome.said)")
    }
}
