import Artifacts
import Foundation
import Reports
import RunSupport
import TestSupport
import Testing

/// Annotations, and the page of a job.
struct GitHubTests {
    @Test func aCaseThatHasNotPassedIsAnAnnotation() {
        #expect(
            Annotations.lines(of: SampleResults.mixed) == [
                "::error file=Topologies/dropout.yaml,line=9,title=anechoic conform%3A R4.accessory R4-2.3-6"
                    + "::It sent <stop> & went on.%0Areplay: anechoic replay out/dropout/2/replay.json",
                "::warning title=anechoic conform%3A R4.app R4-3.6.1-3::should, not kept: It ranged on.",
            ])
    }

    @Test func aCommandThatFoundNothingElseSaysItsVerdict() {
        let ended = Annotations.lines(
            of: SampleResults.results([], .inconclusive, "UNDECIDED (100% open)."))
        #expect(
            ended == ["::error title=anechoic conform%3A conform verdict::UNDECIDED (100%25 open)."]
        )
        #expect(Annotations.lines(of: SampleResults.results([], .held, "")) == [])
    }

    @Test func anAnnotationIsOneLineWhateverItSays() {
        for line in Annotations.lines(of: SampleResults.nasty) {
            #expect(!line.contains { $0.isNewline })
            #expect(line.hasPrefix("::error file=") || line.hasPrefix("::warning title="))
            // What the device said about commands is behind the one of ours.
            let head = line.dropFirst(2).prefix { $0 != ":" }
            #expect(!head.contains("\u{1B}") && !head.contains("%0A::"), "\(head)")
        }
    }

    @Test func onlyTenAnnotationsOfALevelAreWorthWriting() {
        let tests = (1...40).map {
            TestCase("\($0)", in: "", .failure(type: "violation", message: "no"))
        }
        let lines = Annotations.lines(
            of: SampleResults.results([TestSuite("a", tests)], .violated, ""))
        #expect(lines.count == 10)
    }

    @Test(arguments: [
        ("::add-mask::e", ": :add-mask::e"), ("  \t::stop-commands::x", "  \t: :stop-commands::x"),
        ("a ##[add-path]b", "a # #[add-path]b"), ("a::b", "a::b"),
        ("one\n::two\n", "one\n: :two\n"),
    ])
    func aLineOfADeviceIsNoCommand(_ said: String, _ shown: String) {
        #expect(WorkflowCommand.defused(said) == shown)
    }

    @Test func withoutItsVariablesGitHubIsNotThere() {
        #expect(!GitHub([:]).isHere && GitHub([:]).summary == nil)
        #expect(GitHub(["GITHUB_STEP_SUMMARY": "a.md"]).summary == nil)
        #expect(!GitHub(["GITHUB_ACTIONS": ""]).isHere)
        let runner = GitHub(["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "a.md"])
        #expect(runner.isHere && runner.summary == "a.md")
    }

    // MARK: The page

    @Test func thePageHasATableOfWhatIsWrong() {
        let page = StepSummary.markdown(of: SampleResults.mixed)
        #expect(
            page.hasPrefix(
                """
                ### ❌ anechoic conform: violated

                DOES NOT CONFORM &#40;1 promise broken&#41;.

                4 cases: 1 passed, 1 failed, 1 only recommended and not kept, 1 skipped.

                | | case | what is wrong |
                |---|---|---|
                | ❌ | R4.accessory R4-2.3-6 | It sent &lt;stop&gt; &amp; went on. |
                | ⚠️ | R4.app R4-3.6.1-3 | should, not kept&#58; It ranged on. |

                <details><summary>R4.accessory R4-2.3-6</summary>

                <pre>
                seed: 2
                """), "\(page)")
        #expect(
            StepSummary.markdown(of: SampleResults.results([], .held, "3 runs"))
                == "### ✅ anechoic conform: held\n\n3 runs\n\n1 case: 1 passed.\n\n")
    }

    @Test func thePageGrowsWithEachCommandOfAStep() throws {
        let place = try Place()
        let file = try place.write("# mine\n\n", to: "page.md")
        let runner = GitHub(["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": file])
        try runner.summarize(SampleResults.mixed)
        try runner.summarize(SampleResults.ended)
        let page = place.read("page.md")
        #expect(page.hasPrefix("# mine\n\n### ❌ anechoic conform: violated\n"))
        #expect(page.contains("\n### ❌ anechoic run: not played\n"))
        #expect(throws: ArtifactError.self) {
            try GitHub(["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "no/such/page.md"])
                .summarize(SampleResults.mixed)
        }
    }

    @Test func aPageStaysBelowAMebibyte() {
        let long = String(repeating: "<", count: 10_000)
        let run = RunReport.failed("a", seed: 1, long)
        let tests = (1...1_000).map {
            TestCase("\($0)", in: long, .failure(type: "a", message: long), shownBy: [run])
        }
        let page = StepSummary.markdown(
            of: SampleResults.results([TestSuite("a", tests)], .violated, long))
        #expect(page.utf8.count < 1 << 20)
        #expect(page.contains("\nand 900 more\n"))
    }

    /// GitHub's own reader of Markdown, and Python's of HTML.
    @Test(.enabled(if: PythonTool.areThere, "Scripts/test installs what reads it"))
    func whatADeviceSaysIsNoElementOfThePage() throws {
        let program = """
            import collections, html.parser, sys, cmarkgfm
            from cmarkgfm.cmark import Options
            text = open(sys.argv[1], encoding="utf-8").read()
            page = cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE)
            seen, said = collections.Counter(), []
            class Reader(html.parser.HTMLParser):
                def handle_starttag(self, tag, attributes): seen[tag] += 1
                def handle_data(self, data): said.append(data)
            Reader().feed(page)
            print(" ".join(f"{tag}={count}" for tag, count in sorted(seen.items())))
            print("".join(said).count("[c](javascript:d)"), "".join(said).count("`a` *b*"))
            """
        let place = try Place()
        let file = try place.write(StepSummary.markdown(of: SampleResults.nasty), to: "page.md")
        let outcome = try place.run([PythonTool.path("python3"), "-c", program, file])
        #expect(
            outcome.said
                == "details=1 h3=1 p=2 pre=1 summary=1 table=1 tbody=1 td=6 th=3 thead=1 tr=3\n11 11\n"
        )
    }
}
