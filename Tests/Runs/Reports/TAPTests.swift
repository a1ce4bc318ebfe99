import Reports
import TestSupport
import Testing

/// TAP 13, and what Perl's harness reads of it.
struct TAPTests {
    @Test func aStreamHasALineForEachCase() {
        #expect(
            TAP.text(of: SampleResults.mixed) == """
                TAP version 13
                1..4
                ok 1 - R4.app R4-2.3-1
                not ok 2 - R4.accessory R4-2.3-6
                  ---
                  message: "It sent <stop> & went on."
                  severity: "violation"
                  file: "Topologies/dropout.yaml"
                  line: 9
                  story: |
                    seed: 2
                    replay: anechoic replay out/dropout/2/replay.json
                    dropout, seed 2: violated
                      promise quiet, kept by the accessory: It keeps quiet.
                        broken at 2.500 s (ben – lock): It sent <stop> & went on.
                        clause: R4 2.3
                          2.500 s  event 7  link.down on lock
                  ...
                ok 3 - R4.app R4-3.6.1-3 # SKIP should, not kept: It ranged on.
                ok 4 - R4.accessory R4-4.3.3-2 # SKIP never exercised

                """)
    }

    @Test func aCommandThatDidNotComeToItsEndBailsOut() {
        #expect(
            TAP.text(of: SampleResults.ended)
                == "TAP version 13\nBail out! a.yaml:2:9: error: unknown key ⏎ modle\n")
    }

    /// Perl's TAP::Parser: what each line is, and the YAML below it.
    private static let reader = """
        use TAP::Parser;
        my $parser = TAP::Parser->new({ source => $ARGV[0] });
        while (my $it = $parser->next) {
            if ($it->is_test) {
                printf "%s %s skip=%s\\n", $it->is_ok ? "ok" : "bad", $it->number, $it->has_skip ? 1 : 0;
            } elsif ($it->is_yaml) {
                print "yaml ", join(" ", sort keys %{$it->data}), "\\n";
            } else { print $it->type, "\\n"; }
        }
        printf "planned %s, failed %s, errors %s\\n", $parser->tests_planned, scalar $parser->failed,
            scalar $parser->parse_errors;
        """

    private func read(_ results: TestResults) throws -> [String] {
        let place = try Place()
        let file = try place.write(TAP.text(of: results), to: "results.tap")
        let outcome = try place.run(["perl", "-e", Self.reader, file])
        #expect(outcome.errors == "")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test func perlReadsWhatWasMeant() throws {
        #expect(
            try read(SampleResults.mixed) == [
                "version", "plan", "ok 1 skip=0", "bad 2 skip=0",
                "yaml file line message severity story", "ok 3 skip=1", "ok 4 skip=1",
                "planned 4, failed 1, errors 0",
            ])
    }

    @Test func whatADeviceSaysIsNoDirectiveAndNoTest() throws {
        #expect(
            try read(SampleResults.nasty) == [
                "version", "plan", "bad 1 skip=0", "yaml file line message severity story",
                "ok 2 skip=1", "ok 3 skip=1", "planned 3, failed 1, errors 0",
            ])
    }
}
