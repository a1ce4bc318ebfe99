"""Compares the program with that of another commit: Scripts/bench compare [COMMIT].

Time: both take turns, ten samples each; a figure is the median of the ratios of samples taken one after
the other, with the interval that holds it in 98 of 100 such comparisons. Instructions: callgrind counts
those of the orchestrator's process, which no other load on the machine changes. Without a commit the one
before the last is meant.
"""

import argparse
import subprocess
import sys

import harness
from harness import BUILD, ROOT, Failed, instructions_each, median, run

SAMPLES = 10
# No figure may fall by more.
TOLERANCE = 0.03
# What is played, and what of its result counts.
MEASURES = {
    "handshake/inline": (("handshake", "--hosting", "inline"), "runs"),
    "handshake": (("handshake",), "runs"),
    "monitors/four-by-four": (("four-by-four", "--hosting", "inline"), "runs"),
    "turns/2/staggered": (("turns", "--devices", 2, "--staggered"), "measured_turns"),
    "turns/64/simultaneous": (("turns", "--devices", 64, "--simultaneous"), "measured_turns"),
    "cycles": (("cycles",), "cycles"),
    "cycles/inline": (("cycles", "--hosting", "inline"), "cycles"),
}


def built(commit):
    """The program of a commit, in a folder of its own."""
    found = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", f"{commit}^{{commit}}"],
                           capture_output=True, text=True)
    if found.returncode != 0:
        print(f"bench: there is no commit '{commit}'", file=sys.stderr)
        raise SystemExit(64)
    tree = BUILD / "compare" / found.stdout.strip()
    if not (tree / "Package.swift").exists():
        tree.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "-C", ROOT, "archive", commit], capture_output=True, check=True)
        subprocess.run(["tar", "-x", "-C", tree], input=archive.stdout, check=True)
    # The measurements are built apart; an old commit has none.
    harness.call_common("eval", "build_tool; ! declare -F build_bench >/dev/null || build_bench", scripts=tree / "Scripts")
    programs = tree / ".build" / "release"
    own = programs / harness.MEASURER.name
    return own if own.exists() else programs / "anechoic"


def rate(program, arguments, what):
    result = run(*harness.measuring(program), *arguments, "--seconds", 1)
    return result[what] / result["seconds"]


def interval(ratios):
    """The second and the ninth of ten: the median of all lies between them in 98 of 100 cases."""
    ordered = sorted(ratios)
    return ordered[1], ordered[-2]


def times(ours, theirs, chosen):
    """A row for each measure, and whether one fell for sure."""
    for name in chosen:
        arguments, what = MEASURES[name]
        ratios = []
        for _ in range(SAMPLES):
            before = rate(theirs, arguments, what)
            ratios.append(rate(ours, arguments, what) / before)
        low, high = interval(ratios)
        yield [name, f"{median(ratios):.3f}", f"{low:.3f} to {high:.3f}"], high < 1 - TOLERANCE


def counts(ours, theirs, chosen):
    for name in chosen:
        arguments, what = MEASURES[name]
        now, before = (instructions_each(program, arguments, what) for program in (ours, theirs))
        row = [name, f"{now / before:.3f}", f"{before:,.0f} → {now:,.0f}"]
        yield row, now > before * (1 + TOLERANCE)


def show(title, rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    print(title)
    for row in rows:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def parsed(arguments):
    parser = argparse.ArgumentParser(
        prog="Scripts/bench compare", description=__doc__.split("\n\n")[0])
    parser.add_argument("commit", nargs="?", default="HEAD~1")
    parser.add_argument("--only", action="append", choices=MEASURES, metavar="NAME", default=[],
                        help=f"compare only this (repeatable): {', '.join(MEASURES)}")
    parser.add_argument("--no-time", action="store_true", help="count instructions only")
    return parser.parse_args(arguments)


def main(arguments):
    options = parsed(arguments)
    harness.WORK.mkdir(parents=True, exist_ok=True)
    harness.call_common("build_bench")
    theirs, chosen = built(options.commit), options.only or list(MEASURES)
    fell = []
    parts = [("instructions of the orchestrator, now against before", counts)]
    if not options.no_time:
        parts.append(("runs, turns or cycles a second, now against before", times))
    for title, take in parts:
        rows = []
        for row, isSlower in take(harness.MEASURER, theirs, chosen):
            rows.append(row + (["SLOWER"] if isSlower else [""]))
            fell += [row[0]] if isSlower else []
        show(title, rows)
    print(f"{len(chosen)} compared with {options.commit}: "
          + (f"slower by more than {TOLERANCE:.0%}: {', '.join(fell)}" if fell
             else f"none slower by more than {TOLERANCE:.0%}"))
    return 1 if fell else 0
