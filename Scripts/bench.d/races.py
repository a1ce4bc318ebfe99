"""Measures how surely each strategy finds each race, and what becomes of what is found.

A race is a defect in a topology whose plain run holds; where it says so, faults at random are drawn
besides, which then decide more than the order. Every pair of race and strategy is explored by
seeds from 1 on until it has failed a hundred times or 40,000 runs are done (--quick: 352 runs, or 2,816
where those have found nothing, of the portfolio and of the random walk alone). What was explored stays
in .build/bench/races, so that a measurement that was stopped goes on where it was; --afresh forgets it.
"""

import argparse
import json
import math
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import harness
import strangers
from harness import ROOT, TOOL, TOPOLOGIES, WORK, Failed

FOLDER = WORK / "races"
RACES = json.loads((Path(__file__).parent / "races.json").read_text())
STRATEGIES = ["portfolio", "random", "urw", "surw", "pos", "pct:2", "pct:3", "pctcp:2", "pctcp:3",
              "pctcp:5", "latency", "heavy-latency", "starvation", "late", "delay:3", "fifo"]
# A campaign of 2,000 runs finds it 96 times of 100 where one run does with this likelihood.
NEEDED = 1 - 0.04 ** (1 / 2000)
# How an exploration ends: nothing failed, a violation, a device failed, a failure did not repeat.
FOUND = (0, 1, 3, 70)
HITS, MOST_RUNS = 100, 40_000
# The rarest fail once in 180 to 470 runs: of them 352 miss up to a half, and 2,816 fewer than 1 in 300.
QUICK_RUNS, QUICK_MOST = 352, 2_816
REPLAYS, FAILURES = 100, 5


def parsed(arguments):
    parser = argparse.ArgumentParser(prog="Scripts/bench races",
                                     description=__doc__.split("\n\n")[0])
    parser.add_argument("--quick", action="store_true", help="few runs, of the portfolio and the random walk")
    parser.add_argument("--strangers", action="store_true", help="bugs in devices that are not ours; see its --help")
    parser.add_argument("--afresh", action="store_true", help="forget what was measured before")
    parser.add_argument("--only", action="append", metavar="NAME", default=[], help="only this race (repeatable)")
    parser.add_argument("--json", metavar="FILE", help="write everything there as well")
    options = parser.parse_args(arguments)
    if unknown := set(options.only) - {race["name"] for race in RACES}:
        parser.error(f"no race is called {', '.join(sorted(unknown))}")
    return options


def anechoic(*arguments, statuses=(0, 1)):
    """Runs our tool; its output where it ends with one of these statuses."""
    done = subprocess.run([str(TOOL), *map(str, arguments)], capture_output=True, text=True, cwd=ROOT)
    if done.returncode not in statuses:
        raise Failed(f"anechoic {' '.join(map(str, arguments))}: status {done.returncode}: "
                     f"{(done.stderr or done.stdout).strip()[-300:]}")
    return done.stdout


def topology(race):
    return TOPOLOGIES / f"{race['topology']}.yaml"


def switched(race):
    return [word for defect in race.get("defects", []) for word in ("--defect", defect)]


def provoked(race):
    return ["--faults", race["faults"]] if "faults" in race else []


def wilson(hits, runs):
    """What the share may be, with a confidence of 95 % (Wilson 1927)."""
    if runs == 0:
        return 0.0, 1.0
    share, z = hits / runs, 1.959964
    center = (share + z * z / (2 * runs)) / (1 + z * z / runs)
    spread = z / (1 + z * z / runs) * math.sqrt(share * (1 - share) / runs + z * z / (4 * runs * runs))
    return max(0.0, center - spread), min(1.0, center + spread)


def runs_until(share, quantile):
    """After how many runs one has failed with this likelihood: they are independent by their seeds."""
    if share <= 0:
        return None
    return 1 if share >= 1 else max(1, math.log(1 - quantile) / math.log(1 - share))


def demand_race(race):
    """A race holds where what can happen first does."""
    plain = json.loads(anechoic(
        "run", topology(race), *switched(race), "--scheduler", "fifo", "--no-out", "--hosting", "inline",
        "--format", "json"))[0]["verdict"]
    if plain != "held":
        raise Failed(f"{race['name']}: the plain run is {plain}, so this is no race")


def explored(race, strategy, runs):
    """What explore says of so many runs; it goes on where it has been."""
    out = FOLDER / race["name"].replace("/", "-") / strategy.replace(":", "-")
    return json.loads(anechoic(
        "explore", topology(race), *switched(race), *provoked(race), "--strategy", strategy, "--runs", runs,
        "--resume", "--format", "json", "--out", out, statuses=FOUND)), out


def cell(race, strategy, quick):
    """The hits of a strategy at a race."""
    runs, enough, most = (QUICK_RUNS, 1, QUICK_MOST) if quick else (512, HITS, MOST_RUNS)
    while True:
        report, out = explored(race, strategy, runs)
        hits = sum(arm["failing"] for arm in report["arms"])
        if hits >= enough or report["runs"] >= most:
            break
        runs = min(most, runs * 4)
    low, high = wilson(hits, report["runs"])
    share, rate = hits / report["runs"], report["runs"] / max(report["seconds"], 1e-9)
    return {
        "race": race["name"], "strategy": strategy, "runs": report["runs"], "hits": hits,
        "share": share, "low": low, "high": high, "runs_per_second": rate,
        "median_runs": runs_until(share, 0.5), "p90_runs": runs_until(share, 0.9),
        "median_seconds": None if share <= 0 else runs_until(share, 0.5) / rate,
        "fingerprints": len(report["findings"]),
        "unconfirmed": sum(finding["confirmations"] < 3 for finding in report["findings"]),
        "found": [str(out / f"{finding['report']['topology']}/{finding['report']['seed']}/replay.json")
                  for finding in report["findings"]],
    }


def to_follow(race, cells, quick):
    """Replay files of failures of a race, of different seeds, whoever found them."""
    found = [file for one in cells if one["race"] == race["name"] for file in one["found"]]
    of_seeds = {Path(file).parent.name: file for file in reversed(found)}
    return list(reversed(of_seeds.values()))[:1 if quick else FAILURES]


def consequences(race, file, quick):
    """What becomes of one failure: replayed, shrunk and explained."""
    times = 4 if quick else REPLAYS
    same = 0
    for number in range(times):
        hosting = "process" if number % 2 == 0 else "inline"
        # A replay that is another run, by its digest, ends with 70.
        output = anechoic("replay", file, "--hosting", hosting, "--no-out", "--format", "json",
                          statuses=FOUND)
        same += json.loads(output)[0]["verdict"] == "violated"
    anechoic("shrink", file)
    shrunk = Path(file).parent / "shrunk"
    reduction = json.loads((shrunk / "reduction.json").read_text())
    anechoic("explain", shrunk / "replay.json", statuses=(0, 2))
    explanation = json.loads((shrunk / "explained" / "explanation.json").read_text())
    pair = explanation.get("race")
    declared = pair["declared"] if pair else []
    by_swap = any(one["isThis"] for one in declared)
    by_effect = any(one["isEffect"] for one in declared)
    return {
        "race": race["name"], "file": file, "replayed": same, "of": times, "before": reduction["before"],
        "after": reduction["after"], "replays": reduction["replays"], "seconds": reduction["seconds"],
        "certified": reduction.get("certified") is not None and not reduction["superfluous"],
        "pair": words_of(pair), "effect": words_of(explanation.get("effect")),
        # Declared are the two that were swapped, or the two that this turned round at a device.
        "declared": "pair" if by_swap else "effect" if by_effect else None,
    }


def words_of(pair):
    return [pair["first"]["words"], pair["second"]["words"]] if pair else None


def healthy(quick):
    """Runs of the same topologies without a defect, with faults and without: how many of them fail."""
    total = {"runs": 0, "alarms": 0}
    for faults in sorted({race.get("faults", "") for race in RACES}):
        races = [race for race in RACES if race.get("faults", "") == faults]
        names = sorted({race["topology"] for race in races})
        runs = 44 if quick else 2_000
        report = json.loads(anechoic(
            "explore", *(TOPOLOGIES / f"{name}.yaml" for name in names), *provoked(races[0]),
            "--runs", runs * len(names), "--resume", "--format", "json",
            "--out", FOLDER / f"healthy{faults}", statuses=FOUND))
        total["runs"] += report["runs"]
        total["alarms"] += sum(arm["failing"] for arm in report["arms"])
    return total


def geometric_mean(cells):
    """Of the runs to the first failure; where nothing was found, as if half a hit had been."""
    return math.exp(statistics.fmean(
        math.log(1 / max(cell["share"], 0.5 / cell["runs"])) for cell in cells))


def columns(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(
        text.ljust(width) if place == 0 else text.rjust(width)
        for place, (text, width) in enumerate(zip(row, widths))).rstrip() for row in rows)


def number(value):
    return "–" if value is None else f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def cell_table(cells):
    rows = [["race", "strategy", "hits", "of", "hit rate (95 %)", "runs: median", "p90", "seconds",
             "ways"]]
    for one in cells:
        rows.append([
            one["race"], one["strategy"], f"{one['hits']:,}", f"{one['runs']:,}",
            f"{one['share']:.3%} ({one['low']:.3%}–{one['high']:.3%})", number(one["median_runs"]),
            number(one["p90_runs"]), number(one["median_seconds"]), str(one["fingerprints"])])
    return columns(rows)


def strategy_table(cells):
    rows = [["strategy", "found", "mean runs to the first (geometric)", "worst race", "its runs"]]
    for strategy in STRATEGIES:
        own = [one for one in cells if one["strategy"] == strategy]
        if not own:
            continue
        worst = min(own, key=lambda one: one["share"])
        rows.append([
            strategy, f"{sum(one['hits'] > 0 for one in own)} of {len(own)}",
            number(geometric_mean(own)), worst["race"], number(1 / max(worst["share"], 1e-12))
            if worst["hits"] else f"> {worst['runs']:,}"])
    return columns(rows)


def failure_table(failures):
    rows = [["race", "replays", "devices", "steps", "afters", "decisions", "shrunk in", "seconds",
             "pair", ""]]
    for one in failures:
        after = one["after"]
        rows.append([
            one["race"], f"{one['replayed']} of {one['of']}", str(after["devices"]),
            str(after["steps"]), str(after["afters"]), str(after["decisions"]),
            f"{one['replays']} replays", f"{one['seconds']:.1f}",
            {"pair": "declared", "effect": "its effect"}.get(
                one["declared"], "another" if one["pair"] else "none"),
            " against ".join(one["pair"] or []) +
            (f", so that {' is before '.join(one['effect'])}" if one["effect"] else "")])
    return columns(rows)


def judged(races, cells, failures, alarms, quick):
    """What was demanded, what came of it, and whether that is enough."""
    portfolio = [one for one in cells if one["strategy"] == "portfolio"]
    demands = [
        ("races that nobody found", races - len({one["race"] for one in cells if one["hits"]}),
         lambda value: value == 0),
        ("false alarms", alarms["alarms"], lambda value: value == 0),
    ] + ([
        ("failures that are not the same run by processes, three times",
         sum(one["unconfirmed"] for one in cells), lambda value: value == 0),
        ("replays that are another run",
         sum(one["of"] - one["replayed"] for one in failures), lambda value: value == 0),
        ("shrunk with a certificate, share", statistics.fmean(one["certified"] for one in failures),
         lambda value: value == 1),
        ("devices, median", median(failures, "devices"), lambda value: value <= 3),
        ("steps, median", median(failures, "steps"), lambda value: value <= 3),
        ("afters, median", median(failures, "afters"), lambda value: value <= 2),
        ("replays to shrink, median", statistics.median(one["replays"] for one in failures),
         lambda value: value <= 100),
        ("seconds to shrink, median", statistics.median(one["seconds"] for one in failures),
         lambda value: value <= 2),
        ("explained by one pair, share", statistics.fmean(one["pair"] is not None for one in failures),
         lambda value: value >= 0.8),
        ("explained by the pair that the defect declares, share",
         statistics.fmean(one["declared"] is not None for one in failures), lambda value: value >= 0.8),
    ] if failures else [])
    if not quick:
        singles = [strategy for strategy in STRATEGIES[1:]
                   if any(one["strategy"] == strategy for one in cells)]
        best = min(geometric_mean([one for one in cells if one["strategy"] == name])
                   for name in singles)
        worst = min(max(1 / max(one["share"], 0.5 / one["runs"]) for one in cells
                        if one["strategy"] == name) for name in singles)
        demands += [
            (f"races that a campaign of 2,000 runs of the portfolio misses too often (rate < 1/{1 / NEEDED:.0f})",
             sum(one["share"] < NEEDED for one in portfolio), lambda value: value == 0),
            ("portfolio's mean against that of the best single strategy",
             geometric_mean(portfolio) / best, lambda value: value <= 1.15),
            ("portfolio's worst race against the least worst of a single strategy",
             max(1 / max(one["share"], 0.5 / one["runs"]) for one in portfolio) / worst,
             lambda value: value <= 2),
        ]
    return [(words, value, enough(value)) for words, value, enough in demands]


def median(failures, what):
    return statistics.median(one["after"][what] for one in failures)


def progress(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def main(arguments):
    if "--strangers" in arguments:
        return strangers.main([argument for argument in arguments if argument != "--strangers"])
    options = parsed(arguments)
    WORK.mkdir(parents=True, exist_ok=True)
    harness.call_common("build_bench")
    if options.afresh:
        shutil.rmtree(FOLDER, ignore_errors=True)
    races = [race for race in RACES if not options.only or race["name"] in options.only]
    strategies = STRATEGIES[:2] if options.quick else STRATEGIES
    began, cells, failures = time.monotonic(), [], []
    for race in races:
        demand_race(race)
    for place, race in enumerate(races, 1):
        for strategy in strategies:
            cells.append(cell(race, strategy, options.quick))
            one = cells[-1]
            progress(f"{place} of {len(races)}, {race['name']}, {strategy}: {one['hits']} of {one['runs']}")
        failures += [consequences(race, file, options.quick)
                     for file in to_follow(race, cells, options.quick)]
    alarms = healthy(options.quick)
    demands = judged(len(races), cells, failures, alarms, options.quick)
    print("Runs are independent by their seeds: median and p90 follow from the hit rate.")
    print(cell_table(cells), strategy_table(cells), failure_table(failures), sep="\n\n")
    print(f"\nhealthy devices: {alarms['alarms']} alarms in {alarms['runs']:,} runs "
          f"(at most {3 / max(alarms['runs'], 1):.2%} at 95 %)\n")
    swapped, turned = (sum(one["declared"] == by for one in failures) for by in ("pair", "effect"))
    print(f"the declared race is the pair of {swapped} of {len(failures)} failures, and what the pair "
          f"turned round of {turned}\n")
    print(columns([["demand", "result", ""], *(
        [words, number(float(value)), "ok" if enough else "SHORT"] for words, value, enough in demands)]))
    print(f"{len(cells)} cells, {sum(one['runs'] for one in cells):,} runs, in "
          f"{time.monotonic() - began:.0f} s")
    if options.json:
        Path(options.json).write_text(json.dumps({
            "machine": harness.machine(), "cells": cells, "failures": failures, "healthy": alarms,
            "demands": [{"demand": words, "result": value, "passed": enough}
                        for words, value, enough in demands]}, indent=1, allow_nan=False) + "\n")
    return 0 if all(enough for _, _, enough in demands) else 1
