"""Measures how surely conform finds what only an order or a fault at the wrong moment brings out.

Orders: each race defect of the reference devices, inline, from twenty seeds on until it is found. From the
runs to the first failure follows how likely a gate of the standard budget is to fail. Strangers: real gates,
by process, of an accessory in Python with one bug each, and of healthy strangers, which no gate may accuse.
Pace: runs a second of the accessory in Python, with faults at random and without.

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
# Defects of the reference devices that need an order: the races, and what the plain part of the gate does not find.
ORDERS = [
    "disconnects-on-did-stop", "ignores-initialize-while-ranging", "lost-request", "single-configuration",
    "notifies-wrong-link", "stop-stops-everyone", "keeps-session-after-disconnect", "abandons-lost-link",
    "ignores-removal", "stop-acknowledged-though-running", "tries-after-giving-up", "writes-after-invalidation",
    "updates-after-removal", "unbounded-retries", "starts-in-background", "resumes-old-configuration",
    "ranges-through-suspension", "stop-answers-did-start", "forgets-to-invalidate", "runs-while-suspended",
    "ranges-after-disconnect", "advertises-once", "bad-supervision", "stale-multiple"]
# Bugs of the lantern that break a clause (a maker's own expectations are not the gate's), and the parameters of a product that has them: how long its work takes, in ns.
BUGS = {
    "keeps-prepare-timer": ["prepare=920000000", "prepare-slack=140000000"],
    "keeps-settle-timer": ["settle=410000000", "settle-slack=60000000"],
    "warms-up-after-stop": ["warm-up=20000000", "warm-up-slack=45000000"],
    "works-for-lost-links": [],
    "answers-last-asked": ["links=2"],
    "winds-down-another": ["wind-down=100000000", "wind-down-slack=550000000"],
    "deaf-while-settling": ["settle=2000000", "settle-slack=250000000"],
    "settles-another": ["settle=2000000", "settle-slack=250000000"],
    "remembers-starting": [],
    "stops-only-ranging": [],
    "cleans-up-another": ["clean-up=20000000", "clean-up-slack=540000000"],
    "flushes-late": ["flush=20000000"],
    "publishes-late": ["publish=50000000", "publish-slack=230000000"],
}
QUICK = ["keeps-prepare-timer", "answers-last-asked", "stops-only-ranging", "settles-another",
         "works-for-lost-links", "deaf-while-settling"]
# The runs that the search of a standard gate plays, and how likely it has to fail within them.
STANDARD, NEEDED, CONFIDENCE = 20_480, 0.95, 0.95
EXPLORATIONS, GATES, HEALTHY = 20, 3, 10_000


def parsed(arguments):
    parser = argparse.ArgumentParser(prog="Scripts/bench gate", description=__doc__.split("\n\n")[0])
    parser.add_argument("--quick", action="store_true",
                        help=f"three explorations of each order, three gates of {len(QUICK)} bugs, no healthy gates")
    parser.add_argument("--only", action="append", metavar="NAME", default=[],
                        help="only this defect, bug, or 'healthy' or 'pace' (repeatable)")
    parser.add_argument("--json", metavar="FILE", help="write everything there as well")
    options = parser.parse_args(arguments)
    known = {*ORDERS, *BUGS, "healthy", "pace"}
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


def chance(hits, runs):
    """How likely a gate of the standard budget fails, and at least how likely with the confidence demanded."""
    if hits == 0:
        return 0.0, 0.0
    return tuple(1 - math.exp(-mean / runs * STANDARD)
                 for mean in (hits, least_mean(hits, (1 - CONFIDENCE) / 2)))


def order(defect, explorations):
    """The runs to the first failure of a defect, from several seeds on, with single faults left out."""
    runs, seconds, hits, broken = [], 0.0, 0, set()
    for number in range(explorations):
        result, _, taken = answer(
            "conform", "--hosting", "inline", "--defect", defect, "--no-sweep", "--seeds", 1,
            "--seed", 1 + 100_000 * number, "--budget", "standard", "-x", "--no-diagnosis")
        failed = [one["promise"] for one in result["promises"] if one["result"] == "violated"]
        runs.append(result["runs"])
        seconds += taken
        hits += bool(failed)
        broken |= set(failed)
    likely, surely = chance(hits, sum(runs))
    return {"defect": defect, "explorations": explorations, "hits": hits, "runs": sorted(runs), "seconds": seconds,
            "chance": likely, "at_least": surely, "broken": sorted(broken)}


# Real gates

def gate(*arguments, seed=1):
    """A gate of the standard budget, by process."""
    result, status, seconds = answer("conform", *arguments, "--budget", "standard", "--seed", seed,
                                     "--no-diagnosis")
    return {"runs": result["runs"], "status": status, "seconds": seconds, "reasons": result["reasons"],
            "broken": [one["promise"] for one in result["promises"] if one["result"] == "violated"]}


def bug(name):
    words = [word for one in [name, *BUGS[name]] for word in ("--accessory-argument", one)]
    gates = [gate("--accessory", LANTERN, "--profile", "lantern", *words, "-x", seed=1 + 1_000 * number)
             for number in range(GATES)]
    return {"bug": name, "gates": gates}


def healthy():
    """Standard gates of healthy strangers, and faults at random over all that ships, played by our own devices."""
    rows = []
    for name, words in {
        "accessory": ["--accessory", ACCESSORY, "--pics", STRANGERS / "accessory.pics.yaml"],
        "lantern": ["--accessory", LANTERN, "--profile", "lantern"],
        "wayfinder": ["--app", APP],
    }.items():
        one = gate(*words, seed=300_001)
        rows.append({"who": name, "runs": one["runs"], "seconds": one["seconds"], "alarms": one["broken"]})
        progress(f"healthy, {name}: {one['runs']} runs in {one['seconds']:.0f} s, accused of {one['broken'] or 'nothing'}")
    result, _, seconds = answer(
        "explore", TOPOLOGIES, "-k", "not defects and not classics", "--faults", "random", "--runs", HEALTHY,
        "--seed", 300_001, "--hosting", "inline")
    rows.append({"who": "our own, explored", "runs": result["runs"], "seconds": seconds,
                 "alarms": [one["fingerprint"] for one in result["findings"]]})
    return rows


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


# The report

def columns(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(text.ljust(width) if place == 0 else text.rjust(width) for place, (text, width)
                               in enumerate(zip(row, widths))).rstrip() for row in rows)


def order_table(orders):
    rows = [["order", "found", "runs: median", "most", f"a standard gate fails ({CONFIDENCE:.0%})", "breaks"]]
    for one in orders:
        rows.append([one["defect"], f"{one['hits']} of {one['explorations']}",
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


def judged(orders, bugs, rows, paces):
    demands = []
    if orders:
        least = min(orders, key=lambda one: one["at_least"])
        demands.append((f"least chance of a standard gate to fail, at {CONFIDENCE:.0%} ({least['defect']})",
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
    return demands


def main(arguments):
    options = parsed(arguments)
    WORK.mkdir(parents=True, exist_ok=True)
    harness.call_common("build_bench")
    began = time.monotonic()
    chosen = lambda name: not options.only or name in options.only
    orders, bugs = [], []
    for defect in filter(chosen, ORDERS):
        orders.append(order(defect, 3 if options.quick else EXPLORATIONS))
        one = orders[-1]
        progress(f"{defect}: {one['hits']} of {one['explorations']}, {sum(one['runs']):,} runs in {one['seconds']:.0f} s")
    for name in [name for name in BUGS if chosen(name) and (not options.quick or name in QUICK)]:
        bugs.append(bug(name))
        progress(f"{name}: {[(gate['status'], gate['runs']) for gate in bugs[-1]['gates']]}")
    paces = pace() if chosen("pace") else None
    rows = healthy() if chosen("healthy") and not options.quick else []
    tables = [order_table(orders) if orders else "", bug_table(bugs) if bugs else "",
              healthy_table(rows) if rows else "",
              f"accessory in Python: {paces['plain']:.0f} runs a second, with faults at random {paces['faults']:.0f}"
              if paces else ""]
    print(*filter(None, tables), sep="\n\n")
    demands = judged(orders, bugs, rows, paces)
    print("\n" + columns([["demand", "result", ""], *(
        [words, f"{value:.4g}", "ok" if enough else "SHORT"] for words, value, enough in demands)]))
    print(f"in {time.monotonic() - began:.0f} s")
    if options.json:
        Path(options.json).write_text(json.dumps({
            "machine": harness.machine(), "orders": orders, "bugs": bugs, "healthy": rows, "pace": paces,
            "demands": [{"demand": words, "result": value, "passed": enough} for words, value, enough in demands]},
            indent=1, allow_nan=False) + "\n")
    return 0 if all(enough for _, _, enough in demands) else 1
