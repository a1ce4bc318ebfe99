"""Measures how surely conform finds what only an order or a fault at the wrong moment brings out.

Orders: each race defect of the reference devices, inline, from twenty seeds on until it is found. From the
runs to the first failure follows how likely the search of a standard gate is to fail; the suite and the sweep,
which come before it, are not counted. Strangers: real gates,
by process, of an accessory in Python with one bug each, and of healthy strangers, which no gate may accuse.
Pace: runs a second of the accessory in Python, with faults at random and without. Quick: how long the gate for
every change takes with our own devices, inline on all cores.

What was measured of an order, of a bug or of a healthy device stays in .build/bench/gate, so that pieces add up; what
another Anechoic has measured is measured anew.

Exit status 0: all demands met; 1: one falls short; 70: something could not be measured.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import harness
from harness import ROOT, TOOL, TOPOLOGIES, WORK, Failed

STRANGERS = ROOT / "Tests" / "Strangers"
ACCESSORY, LANTERN, APP = STRANGERS / "accessory.py", STRANGERS / "lantern.py", STRANGERS / "wayfinder"
AS_LANTERN = ["--accessory", LANTERN, "--profile", "lantern", "--pics", STRANGERS / "lantern.pics.yaml"]
# Defects of the reference devices that need an order: the races, and what the plain part of the gate does not find.
ORDERS = [
    "disconnects-on-did-stop", "ignores-initialize-while-ranging", "lost-request", "single-configuration",
    "notifies-wrong-link", "stop-stops-everyone", "keeps-session-after-disconnect", "abandons-lost-link",
    "ignores-removal", "stop-acknowledged-though-running", "tries-after-giving-up", "writes-after-invalidation",
    "updates-after-removal", "unbounded-retries", "starts-in-background", "resumes-old-configuration",
    "ranges-through-suspension", "stop-answers-did-start", "forgets-to-invalidate", "runs-while-suspended",
    "ranges-after-disconnect", "advertises-once", "bad-supervision", "stale-multiple"]
# Bugs of the lantern that break a clause (a maker's own expectations are not the gate's), and the parameters of a
# product that has them: how long its work takes, in ns. With the parameters alone it has to conform. What outlives a
# link shows only on the next one, on which an app has subscribed 0.5 s after a lost link, 1 s after a lost attempt.
BUGS = {
    "keeps-prepare-timer": ["prepare=600000000", "prepare-slack=500000000"],
    "keeps-settle-timer": ["settle=410000000", "settle-slack=60000000"],
    "warms-up-after-stop": ["warm-up=20000000", "warm-up-slack=45000000"],
    "works-for-lost-links": [],
    "answers-last-asked": ["links=2"],
    "winds-down-another": ["wind-down=100000000", "wind-down-slack=550000000"],
    "deaf-while-settling": ["settle=2000000", "settle-slack=250000000"],
    "settles-another": ["settle=2000000", "settle-slack=250000000"],
    "remembers-starting": [],
    "stops-only-ranging": [],
    "flushes-late": ["flush=20000000"],
    "publishes-late": ["publish=50000000", "publish-slack=230000000"],
}
QUICK = ["keeps-prepare-timer", "answers-last-asked", "stops-only-ranging", "settles-another",
         "works-for-lost-links", "deaf-while-settling"]
# How likely the search of a standard gate has to fail, and with which confidence.
NEEDED, CONFIDENCE = 0.95, 0.95
# The seconds that the gate for every change may take, on two cores.
PATIENCE = 60
EXPLORATIONS, GATES, HEALTHY = 20, 3, 10_000


def parsed(arguments):
    parser = argparse.ArgumentParser(prog="Scripts/bench gate", description=__doc__.split("\n\n")[0])
    parser.add_argument("--quick", action="store_true",
                        help=f"three explorations of each order, three gates of {len(QUICK)} bugs, no healthy gates")
    parser.add_argument("--only", action="append", metavar="NAME", default=[],
                        help="only this defect, bug, or 'healthy', 'pace' or 'quick' (repeatable)")
    parser.add_argument("--for", dest="seconds", type=float, metavar="SECONDS", default=math.inf,
                        help="begin nothing new after so long; what is missing then ends it with 70")
    parser.add_argument("--json", metavar="FILE", help="write everything there as well")
    options = parser.parse_args(arguments)
    known = {*ORDERS, *BUGS, "healthy", "pace", "quick"}
    if unknown := set(options.only) - known:
        parser.error(f"nothing is called {', '.join(sorted(unknown))}")
    return options


def answer(command, *arguments):
    """The result of a command, its exit status and how long it took in seconds."""
    with tempfile.TemporaryDirectory(dir=WORK) as out:
        began = time.monotonic()
        done = subprocess.run([str(TOOL), command, *map(str, arguments), "--json", "--out", out],
                              capture_output=True, text=True, cwd=ROOT)
    try:
        result = json.loads(done.stdout)["results"][0]
    except (ValueError, KeyError, IndexError):
        raise Failed(f"anechoic {command} {' '.join(map(str, arguments))}: status {done.returncode}: "
                     f"{(done.stderr or done.stdout).strip()[-300:]}") from None
    return result, done.returncode, time.monotonic() - began


def progress(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


# How likely a gate fails

def poisson_tail(hits, mean):
    """How likely at least so many come where so many are expected."""
    term, total = math.exp(-mean), 0.0
    for number in range(hits):
        total += term
        term *= mean / (number + 1)
    return 1 - total


def least_mean(hits, likelihood):
    """The smallest mean with which so many, or more, are not unlikelier than this (exact, by bisection)."""
    low, high = 0.0, float(hits)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if poisson_tail(hits, middle) > likelihood else (middle, high)
    return low


def chance(hits, runs, planned):
    """How likely a search of so many planned runs fails, and at least how likely with the confidence demanded."""
    if hits == 0:
        return 0.0, 0.0
    return tuple(1 - math.exp(-mean / runs * planned)
                 for mean in (hits, least_mean(hits, (1 - CONFIDENCE) / 2)))


def least_search():
    """How many runs the search of a standard gate plays at least: those of a suite of one topology."""
    result, _, _ = answer(
        "conform", "--hosting", "inline", "--profile", "qorvo", "--no-sweep", "--seeds", 1, "-k", "basics/one-to-one",
        "--gate", "violations", "--budget", "standard")
    return result["searched"]["planned"]


class Pieces:
    """What the programs as they are now were measured to do, in pieces that begin within a time."""

    def __init__(self, seconds):
        self.kept, self.end = harness.Kept(WORK / "gate" / "results.jsonl"), time.monotonic() + seconds
        programs = [TOOL.parent / name for name in ("accessory", "anechoic", "apple-device")]
        self.programs = harness.digest([*programs, *sorted(STRANGERS.glob("*.py")), *sorted(STRANGERS.glob("*.yaml"))])

    def of(self, name, measure):
        key = f"{name} {self.programs}"
        if key not in self.kept.known and time.monotonic() > self.end:
            raise Failed(f"no time was left for {name}, nor for what comes after it; begin again to go on from there")
        return self.kept.of(key, measure)


def explored(defect, seed):
    """The runs until a gate of the reference devices meets a defect of theirs, with single faults left out."""
    result, status, seconds = answer(
        "conform", "--hosting", "inline", "--defect", defect, "--no-sweep", "--strict", "--seeds", 1, "--seed", seed,
        "--budget", "standard", "-x", "--no-diagnosis")
    # Where the suite finds it there is no search.
    return {"runs": result["runs"], "seconds": seconds, "found": status == 1,
            "searched": result.get("searched") is not None,
            "broken": [one["promise"] for one in result["promises"] if one["result"] == "violated"]}


def order(defect, explorations, planned, pieces):
    """The runs to the first failure of a defect, from several seeds on."""
    seeds = [1 + 100_000 * number for number in range(explorations)]
    found = [pieces.of(f"order {defect} {seed}", lambda seed=seed: explored(defect, seed)) for seed in seeds]
    runs, hits = sorted(one["runs"] for one in found), sum(one["found"] for one in found)
    likely, surely = chance(hits, sum(runs), planned)
    return {"defect": defect, "explorations": explorations, "hits": hits, "runs": runs,
            "searches": sum(one["searched"] for one in found), "seconds": sum(one["seconds"] for one in found),
            "chance": likely, "at_least": surely, "broken": sorted({name for one in found for name in one["broken"]})}


# Real gates

def gate(*arguments, seed=1):
    """A gate of the standard budget, by process."""
    result, status, seconds = answer("conform", *arguments, "--budget", "standard", "--seed", seed,
                                     "--no-diagnosis")
    return {"runs": result["runs"], "status": status, "seconds": seconds, "reasons": result["reasons"],
            "broken": [one["promise"] for one in result["promises"] if one["result"] == "violated"]}


def arguments(words):
    return [word for one in words for word in ("--accessory-argument", one)]


def bug(name, pieces):
    words = [*AS_LANTERN, *arguments([name, *BUGS[name]]), "-x"]
    seeds = [1 + 1_000 * number for number in range(GATES)]
    return {"bug": name, "gates": [pieces.of(f"bug {name} {seed}", lambda seed=seed: gate(*words, seed=seed))
                                   for seed in seeds]}


def healthy(pieces):
    """Standard gates of healthy strangers, and faults at random over all that ships, played by our own devices."""
    rows = []
    for name, words in {
        "accessory": ["--accessory", ACCESSORY, "--pics", STRANGERS / "accessory.pics.yaml"],
        "lantern": AS_LANTERN,
        "wayfinder": ["--app", APP],
        # Whoever has one of the bugs has to be healthy without it.
        **{f"lantern {' '.join(words)}": [*AS_LANTERN, *arguments(words)]
           for words in {tuple(words): words for words in BUGS.values() if words}.values()},
    }.items():
        one = pieces.of(f"healthy {name}", lambda words=words: gate(*words, seed=300_001))
        alarms = one["broken"] or ([] if one["status"] in (0, 2) else one["reasons"])
        rows.append({"who": name, "runs": one["runs"], "seconds": one["seconds"], "alarms": alarms})
        progress(f"healthy, {name}: {one['runs']} runs in {one['seconds']:.0f} s, accused of {alarms or 'nothing'}")
    one = pieces.of("healthy all", among_faults)
    return [*rows, {"who": "our own, explored", **one}]


def among_faults():
    result, _, seconds = answer(
        "explore", TOPOLOGIES, "-k", "not defects and not classics", "--faults", "random", "--runs", HEALTHY,
        "--seed", 300_001, "--hosting", "inline")
    return {"runs": result["runs"], "seconds": seconds, "alarms": [one["fingerprint"] for one in result["findings"]]}


def pace():
    """Runs a second of the accessory in Python: plain, and where faults at random kill and restart it."""
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        file = Path(folder) / "pair.yaml"
        file.write_text("length: 20s\ndevices:\n  ben: {model: iPhone 15}\n"
                        f"  lock: {{run: {ACCESSORY}}}\n")
        rates = harness.alternate(5, **{
            name: lambda words=words: answer(
                "explore", file, *words, "--runs", 640, "--hosting", "process")[0]
            for name, words in {"plain": [], "faults": ["--faults", "random"]}.items()})
    per_second = {name: harness.median([one["runs"] / one["seconds"] for one in samples])
                  for name, samples in rates.items()}
    return {**per_second, "share": per_second["faults"] / per_second["plain"]}


def quick():
    """The gate for every change, of our own devices inline."""
    result, status, seconds = answer("conform", "--hosting", "inline", "--budget", "quick")
    if status != 0:
        raise Failed(f"our own devices do not conform: {', '.join(result['reasons'])}")
    return {"runs": result["runs"], "seconds": seconds}


# The report

def columns(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(text.ljust(width) if place == 0 else text.rjust(width) for place, (text, width)
                               in enumerate(zip(row, widths))).rstrip() for row in rows)


def order_table(orders):
    rows = [["order", "found", "by search", "runs: median", "most", f"a search fails ({CONFIDENCE:.0%})", "breaks"]]
    for one in orders:
        rows.append([one["defect"], f"{one['hits']} of {one['explorations']}", f"{one['searches']}",
                     f"{one['runs'][len(one['runs']) // 2]:,}", f"{one['runs'][-1]:,}",
                     f"{one['chance']:.2%} (≥ {one['at_least']:.2%})", ", ".join(one["broken"][:2])])
    return columns(rows)


def bug_table(bugs):
    rows = [["bug of a stranger", "gates that fail", "runs", "seconds", "breaks"]]
    for one in bugs:
        rows.append([one["bug"], f"{sum(gate['status'] == 1 for gate in one['gates'])} of {len(one['gates'])}",
                     ", ".join(f"{gate['runs']:,}" for gate in one["gates"]),
                     ", ".join(f"{gate['seconds']:.0f}" for gate in one["gates"]),
                     ", ".join(sorted({name for gate in one["gates"] for name in gate["broken"]})[:2])])
    return columns(rows)


def healthy_table(rows):
    return columns([["healthy", "runs", "seconds", "alarms"], *(
        [one["who"], f"{one['runs']:,}", f"{one['seconds']:.0f}", ", ".join(one["alarms"]) or "none"] for one in rows)])


def judged(orders, bugs, rows, paces, ours):
    demands = []
    if orders:
        least = min(orders, key=lambda one: one["at_least"])
        demands.append((f"least chance of a standard search to fail, at {CONFIDENCE:.0%} ({least['defect']})",
                        least["at_least"], least["at_least"] >= NEEDED))
    if bugs:
        surely = sum(all(gate["status"] == 1 for gate in one["gates"]) for one in bugs)
        demands.append((f"bugs of a stranger that {GATES} real gates of {GATES} find, of {len(bugs)}", surely,
                        surely >= min(6, len(bugs))))
    if rows:
        demands.append((f"alarms on healthy devices, in {sum(one['runs'] for one in rows):,} runs",
                        sum(len(one["alarms"]) for one in rows), not any(one["alarms"] for one in rows)))
    if paces:
        # With a new interpreter for each kill it was 0.14.
        demands.append(("runs a second with faults at random, of those without", paces["share"], paces["share"] >= 0.28))
    if ours:
        demands.append((f"seconds of a quick gate of our own devices, {ours['runs']:,} runs", ours["seconds"],
                        ours["seconds"] <= PATIENCE))
    return demands


def main(arguments):
    options = parsed(arguments)
    WORK.mkdir(parents=True, exist_ok=True)
    harness.call_common("build_bench")
    try:
        return measured(options, Pieces(options.seconds))
    except Failed as failure:
        print(f"bench: {failure}", file=sys.stderr)
        return 70


def measured(options, pieces):
    began = time.monotonic()
    chosen = lambda name: not options.only or name in options.only
    orders, bugs = [], []
    wanted = list(filter(chosen, ORDERS))
    planned = least_search() if wanted else 0
    for defect in wanted:
        orders.append(order(defect, 3 if options.quick else EXPLORATIONS, planned, pieces))
        one = orders[-1]
        progress(f"{defect}: {one['hits']} of {one['explorations']}, {sum(one['runs']):,} runs in {one['seconds']:.0f} s")
    for name in [name for name in BUGS if chosen(name) and (not options.quick or name in QUICK)]:
        bugs.append(bug(name, pieces))
        progress(f"{name}: {[(gate['status'], gate['runs']) for gate in bugs[-1]['gates']]}")
    paces = pace() if chosen("pace") else None
    ours = quick() if chosen("quick") else None
    rows = healthy(pieces) if chosen("healthy") and not options.quick else []
    tables = [order_table(orders) if orders else "", bug_table(bugs) if bugs else "",
              healthy_table(rows) if rows else "",
              f"accessory in Python: {paces['plain']:.0f} runs a second, with faults at random {paces['faults']:.0f}"
              if paces else ""]
    print(*filter(None, tables), sep="\n\n")
    demands = judged(orders, bugs, rows, paces, ours)
    print("\n" + columns([["demand", "result", ""], *(
        [words, f"{value:.4g}", "ok" if enough else "SHORT"] for words, value, enough in demands)]))
    print(f"in {time.monotonic() - began:.0f} s")
    if options.json:
        Path(options.json).write_text(json.dumps({
            "machine": harness.machine(), "orders": orders, "bugs": bugs, "healthy": rows, "pace": paces,
            "quick": ours, "demands": [{"demand": words, "result": value, "passed": enough} for words, value, enough in demands]},
            indent=1, allow_nan=False) + "\n")
    return 0 if all(enough for _, _, enough in demands) else 1
