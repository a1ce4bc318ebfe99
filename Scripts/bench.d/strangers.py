"""Measures what explore, shrink and explain make of bugs in devices that are not ours.

The bugs are in Tests/Strangers: an accessory in Python, an app in Swift, and the topology in which each
bug is a race, with its two sides in bugs.json. Each is explored from ten seeds on, 400 runs at most;
what was found is replayed a hundred times by process, shrunk and explained, and what explain says is
held against the declared race and played. Results stay in .build/bench/strangers, so that pieces add
up; a bug whose program or topology has changed is measured anew, and --afresh forgets everything.
"""

import argparse
import hashlib
import json
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import harness
from harness import ROOT, WORK, Failed

STRANGERS = ROOT / "Tests" / "Strangers"
FOLDER = WORK / "strangers"
BUGS = json.loads((STRANGERS / "bugs.json").read_text())
HEALTHY = ["clean", "clean-both", "clean-wayfinder"]
QUICK = ["keeps-prepare-timer", "warms-up-after-stop", "answers-last-asked", "runs-for-lost-link"]
# How an exploration ends: nothing failed, a violation, a device failed, a failure did not repeat.
FOUND = (0, 1, 3, 70)
# How far from its time in the failing run an event is looked for in another: two connection events, in ns.
NEAR = 60_000_000
RUNS, EXPLORATIONS, FOLLOWED, REPLAYS, SEEDS = 400, 10, 2, 100, 40


def parsed(arguments):
    parser = argparse.ArgumentParser(prog="Scripts/bench races --strangers", description=__doc__.split("\n\n")[0])
    parser.add_argument("--quick", action="store_true",
                        help=f"{len(QUICK)} bugs, an exploration each, and three replays")
    parser.add_argument("--afresh", action="store_true", help="forget what was measured before")
    parser.add_argument("--only", action="append", metavar="NAME", default=[], help="only this bug (repeatable)")
    parser.add_argument("--explorations", type=int, metavar="N", help=f"of each bug (default: {EXPLORATIONS})")
    parser.add_argument("--follow", type=int, metavar="N", help=f"failures of each bug (default: {FOLLOWED})")
    parser.add_argument("--replays", type=int, metavar="N", help=f"of each failure (default: {REPLAYS})")
    parser.add_argument("--for", dest="seconds", type=float, metavar="SECONDS", default=float("inf"),
                        help="begin nothing new after so long")
    parser.add_argument("--jobs", type=int, metavar="N", default=1, help="runs at a time (default: 1)")
    parser.add_argument("--tool", type=Path, default=harness.TOOL, metavar="FILE",
                        help="this anechoic, and none is built")
    parser.add_argument("--json", metavar="FILE", help="write everything there as well")
    options = parser.parse_args(arguments)
    if unknown := set(options.only) - {bug["name"] for bug in BUGS}:
        parser.error(f"no bug is called {', '.join(sorted(unknown))}")
    for name, few, many in (("explorations", 1, EXPLORATIONS), ("follow", 1, FOLLOWED), ("replays", 3, REPLAYS)):
        if getattr(options, name) is None:
            setattr(options, name, few if options.quick else many)
    return options


class Results:
    """What was measured, one JSON object a line; a later line replaces one of the same key."""

    def __init__(self, tool):
        self.file, self.tool = FOLDER / "results.jsonl", tool
        lines = self.file.read_text().splitlines() if self.file.exists() else []
        self.known = {record["key"]: record for record in map(json.loads, lines)}

    def of(self, what, bug, number, measure):
        """The record of a key, measured where it is not known for the devices as they are now."""
        key = f"{what} {bug['name']} {number} {state_of(bug)}"
        if key not in self.known:
            record = {"key": key, "what": what, "bug": bug["name"], "number": number, **measure()}
            with self.file.open("a") as lines:
                lines.write(json.dumps(record) + "\n")
            self.known[key] = record
        return self.known[key]


def state_of(bug):
    """Changes with the topology of a bug and with the strangers' programs that play in it."""
    text = topology(bug["name"]).read_bytes()
    programs = sorted(STRANGERS.glob("*.py")) if b"lantern" in text else []
    programs += sorted((ROOT / "Tests" / "StrangerApp").glob("*.swift")) if b"wayfinder" in text else []
    return hashlib.sha256(b"\0".join([text, *(path.read_bytes() for path in programs)])).hexdigest()[:12]


def topology(name):
    return STRANGERS / "topologies" / f"{name}.yaml"


def anechoic(tool, *arguments, statuses=(0, 1)):
    done = subprocess.run([str(tool), *map(str, arguments)], capture_output=True, text=True, cwd=ROOT)
    if done.returncode not in statuses:
        raise Failed(f"anechoic {' '.join(map(str, arguments))}: status {done.returncode}: "
                     f"{(done.stderr or done.stdout).strip()[-300:]}")
    return done.stdout


def demand_race(tool, bug):
    """A race holds where what can happen first does."""
    verdict = json.loads(anechoic(
        tool, "run", topology(bug["name"]), "--scheduler", "fifo", "--no-out", "--format", "json"))[0]["verdict"]
    return {"verdict": verdict}


def explored(tool, bug, number, jobs):
    """The first failure from a seed on, within 400 runs."""
    out = FOLDER / "found" / bug["name"] / str(number)
    shutil.rmtree(out, ignore_errors=True)
    report = json.loads(anechoic(
        tool, "explore", topology(bug["name"]), "--seed", 1 + 100_000 * number, "--runs", RUNS, "--until-failures", 1,
        "--jobs", jobs, "--hosting", "process", "--format", "json", "--out", out, statuses=FOUND))
    found = [finding for finding in report["findings"] if finding["confirmations"] == 3]
    files = [str(out / f"{finding['report']['topology']}/{finding['report']['seed']}/replay.json") for finding in found]
    return {"runs": report["runs"], "failing": sum(arm["failing"] for arm in report["arms"]),
            "found": bool(found), "unconfirmed": len(report["findings"]) - len(found), "file": (files or [None])[0]}


def replayed(tool, file, *out):
    """The verdict of a replay by process, in a word; `another run` where it is one."""
    done = subprocess.run(
        [str(tool), "replay", str(file), "--trust", "--hosting", "process", "--format", "json", *map(str, out)],
        capture_output=True, text=True, cwd=ROOT)
    if done.returncode == 70:
        return "another run"
    return json.loads(done.stdout)[0]["verdict"] if done.returncode in FOUND else f"status {done.returncode}"


def followed(tool, file, replays):
    """What becomes of one failure: replayed, shrunk, explained, and what was said is played."""
    same = sum(replayed(tool, file, "--no-out") == "violated" for _ in range(replays))
    anechoic(tool, "shrink", file, "--trust")
    shrunk = Path(file).parent / "shrunk"
    reduction = json.loads((shrunk / "reduction.json").read_text())
    said = anechoic(tool, "explain", shrunk / "replay.json", "--trust", statuses=(0, 2, 70))
    folder = shrunk / "explained"
    explanation = json.loads((folder / "explanation.json").read_text())
    # As long as a hundred replays: what is drawn is drawn again.
    again = None
    if replays >= REPLAYS:
        again = anechoic(tool, "explain", shrunk / "replay.json", "--trust", statuses=(0, 2, 70))
    pair = explanation.get("race")
    return {
        "file": file, "replayed": same, "of": replays, "after": reduction["after"],
        "certified": reduction.get("certified") is not None and not reduction["superfluous"],
        "seconds": reduction["seconds"], "pair": sides(pair, folder),
        "effect": sides((pair or {}).get("effect"), folder), "random": explanation.get("underRandomDelivery"),
        "sentences": sentences(tool, folder, pair, said, again),
    }


# The declared race

def sides(two, folder):
    """The two of explain's pair, each with all that happened at its time in the failing run."""
    if not two:
        return None
    events = trace_of(folder / "failing")
    return [{**two[which], "at": sorted({(one["kind"], one.get("device") or "")
                                         for one in events if one["time"] == two[which].get("time")})}
            for which in ("first", "second")]


def declared(bug, one):
    """Whether explain's pair, or what it turned round, is the declared race: which of the two, or None."""
    for what in ("pair", "effect"):
        if one[what] and is_between(bug["race"], *one[what]):
            return what
    return None


def is_between(race, first, second):
    return any(is_side(race[one], first) and is_side(race[1 - one], second) for one in (0, 1))


def is_side(side, event):
    """An event is a declared side by its channel, or by a declared kind at the declared device at its time."""
    if any(event.get("event", "").startswith(channel) for channel in side.get("events", [])):
        return True
    kind = "script.step" if event["words"].startswith("the step ") else event["words"].split("): ", 1)[-1].split(" ")[0]
    return any(kind == one or kind.startswith(f"{one}.") for one in side["kinds"]) and any(
        (kind, device) in map(tuple, event["at"]) for device in (side["device"], ""))


def trace_of(folder):
    lines = (folder / "trace.jsonl").read_text().splitlines()[1:]
    return [json.loads(line) for line in lines]


# What explain says

def sentences(tool, folder, pair, said, again):
    """Each sentence that can be played: true, false, or None where the traces do not tell."""
    failing, passing = folder / "failing", folder / "passing"
    told = {"the failing run fails": replayed(tool, failing / "replay.json", "--no-out") == "violated"}
    if (passing / "replay.json").exists():
        told["the passing sibling holds"] = replayed(tool, passing / "replay.json", "--no-out") == "held"
        if pair:
            told["the first is first where it fails"] = order(trace_of(failing), pair)
            is_kept = order(trace_of(passing), pair)
            told["the second is first where it holds"] = None if is_kept is None else not is_kept
    if "any order" in said:
        told["it fails in any order"] = not re.search(r"fails in (?!100 %)", said)
    told["the same is said again"] = None if again is None else said == again
    return told


def order(events, pair):
    """Whether the first of a pair comes before the second in a trace; None where one is not in it."""
    first, second = (place(events, pair[side]) for side in ("first", "second"))
    return None if first is None or second is None else first < second


def place(events, side):
    """Where an event stands in a trace, by its kind and its devices; None where it is not there, or far away.

    What explain says of a timer is `timer NAME (DEVICE): ` and what it did in the failing run.
    """
    if step := re.match(r'the step "(.*)"', side["words"]):
        return next((one["number"] for one in events if one["kind"] == "script.step"
                     and one["fields"]["step"] == step[1]), None)
    kind, rest = (side["words"].split("): ", 1)[-1].split(" ", 1) + [""])[:2]
    names = re.match(r"\((\S+)(?: [→↔] (\S+))?\)", rest)
    two = set(filter(None, names.groups())) if names else set()
    found = [one for one in events if one["kind"] == kind and abs(one["time"] - side["time"]) < NEAR
             and {one.get("device"), one.get("fields", {}).get("peer")} >= two]
    return min(found, key=lambda one: abs(one["time"] - side["time"]))["number"] if found else None


# Healthy strangers

def healthy(tool, bugs, options, results):
    """Strangers without a bug, in the topologies of the bugs and among random faults: who is accused."""
    total = {"runs": 0, "alarms": 0, "who": []}
    for name in HEALTHY:
        record = results.of("healthy", {"name": name}, 0, lambda: accused_among_faults(tool, name, options))
        count(total, name, record)
    for bug in bugs:
        record = results.of("mended", bug, 0, lambda: accused_when_mended(tool, bug))
        count(total, bug["name"], record)
    return total


def count(total, name, record):
    total["runs"] += record["runs"]
    total["alarms"] += record["alarms"]
    total["who"] += [name] if record["alarms"] else []


def accused_among_faults(tool, name, options):
    out = FOLDER / "healthy" / name
    shutil.rmtree(out, ignore_errors=True)
    report = json.loads(anechoic(
        tool, "explore", topology(name), "--faults", "random", "--runs", 96 if options.quick else RUNS,
        "--jobs", options.jobs, "--hosting", "process", "--format", "json", "--out", out, statuses=FOUND))
    return {"runs": report["runs"], "alarms": sum(arm["failing"] for arm in report["arms"])}


def accused_when_mended(tool, bug):
    file = FOLDER / "mended" / f"{bug['name']}.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    text = topology(bug["name"]).read_text()
    # A program's path counts from the folder of its topology.
    file.write_text(text.replace(f"defects: [{bug['name']}]", "defects: []").replace("run: ..", f"run: {STRANGERS}"))
    runs = json.loads(anechoic(
        tool, "run", file, "--scheduler", "portfolio", "--seeds", f"1..{SEEDS}", "--jobs", 1, "--no-out",
        "--format", "json", statuses=FOUND))
    return {"runs": len(runs), "alarms": sum(run["verdict"] != "held" for run in runs)}


# The report

def columns(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(text.ljust(width) if place == 0 else text.rjust(width) for place, (text, width)
                               in enumerate(zip(row, widths))).rstrip() for row in rows)


def bug_table(bugs, explorations, failures):
    rows = [["bug", "plain", "found", "runs: median", "replays", "devices", "steps", "afters", "pair", ""]]
    for bug in bugs:
        own = [one for one in explorations if one["bug"] == bug["name"]]
        for place, one in enumerate([one for one in failures if one["bug"] == bug["name"]] or [None]):
            head = [bug["name"], bug["plain"], f"{sum(e['found'] for e in own)} of {len(own)}",
                    f"{statistics.median(e['runs'] for e in own):.0f}" if own else "–"] if place == 0 else [""] * 4
            rows.append(head + (failure_cells(one) if one else [""] * 6))
    return columns(rows)


def failure_cells(one):
    after = one["after"]
    pair = {"pair": "declared", "effect": "its effect"}.get(one["declared"], "another" if one["pair"] else "none")
    untrue = [sentence for sentence, is_true in one["sentences"].items() if is_true is False]
    words = " against ".join(side["words"] for side in one["pair"] or [])
    return [f"{one['replayed']} of {one['of']}", str(after["devices"]), str(after["steps"]), str(after["afters"]),
            pair, words + "".join(f"; FALSE: {sentence}" for sentence in untrue)]


def share(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def judged(bugs, explorations, failures, alarms, options):
    """What was demanded, what came of it, and whether that is enough."""
    enough = 9 * options.explorations / 10
    of = {bug["name"]: [one["found"] for one in explorations if one["bug"] == bug["name"]] for bug in bugs}
    devices = {bug["name"]: bug["devices"] for bug in bugs}
    told = [is_true for one in failures for is_true in one["sentences"].values()]
    return [
        ("planted bugs", len(bugs), options.quick or bool(options.only) or len(bugs) >= 24),
        ("bugs whose plain run fails", sum(bug["plain"] != "held" for bug in bugs),
         all(bug["plain"] == "held" for bug in bugs)),
        (f"bugs found in fewer than 9 of 10 explorations of {RUNS} runs",
         sum(sum(found) < enough for found in of.values()),
         all(sum(found) >= enough for found in of.values())),
        ("failures that are not the same run by processes", sum(one["unconfirmed"] for one in explorations),
         not any(one["unconfirmed"] for one in explorations)),
        ("replays that are another run", sum(one["of"] - one["replayed"] for one in failures),
         bool(failures) and all(one["of"] == one["replayed"] for one in failures)),
        ("shrunk to the devices that it needs, 1 step and 1 after, share",
         share(is_small(one, devices) for one in failures), share(is_small(one, devices) for one in failures) == 1),
        ("shrunk with a certificate, share", share(one["certified"] for one in failures),
         bool(failures) and all(one["certified"] for one in failures)),
        ("the pair is the declared race, share", share(one["declared"] is not None for one in failures),
         share(one["declared"] is not None for one in failures) >= 0.85),
        (f"sentences that are false, of {len(told)} ({told.count(None)} not told by the traces)", told.count(False),
         bool(told) and False not in told),
        (f"healthy strangers accused, in {alarms['runs']:,} runs", alarms["alarms"], alarms["alarms"] == 0),
    ]


def is_small(one, devices):
    after = one["after"]
    return after["devices"] <= devices[one["bug"]] and after["steps"] <= 1 and after["afters"] <= 1


def progress(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def measured(options, bugs, results):
    """Explorations and followed failures of every bug, as far as the time goes, and what went wrong."""
    began, tool, explorations, failures, errors = time.monotonic(), options.tool, [], [], []
    for place, bug in enumerate(bugs, 1):
        bug["plain"] = results.of("plain", bug, 0, lambda: demand_race(tool, bug))["verdict"]
        own = []
        for number in range(options.explorations):
            if time.monotonic() - began < options.seconds:
                own.append(results.of("exploration", bug, number, lambda: explored(tool, bug, number, options.jobs)))
        explorations += own
        for one in [one for one in own if one["file"]][:options.follow]:
            if time.monotonic() - began < options.seconds:
                try:
                    failures.append(results.of(
                        "failure", bug, one["number"], lambda: followed(tool, one["file"], options.replays)))
                except (Failed, FileNotFoundError) as error:
                    errors.append(f"{bug['name']}: {error}")
        progress(f"{place} of {len(bugs)}, {bug['name']}: found {sum(one['found'] for one in own)} of {len(own)}, "
                 f"{', '.join(declared(bug, one) or 'not its pair' for one in failures if one['bug'] == bug['name'])}")
    return explorations, failures, errors


def main(arguments):
    options = parsed(arguments)
    if options.afresh:
        shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    if options.tool == harness.TOOL:
        harness.call_common("build_strangers")
    names = options.only or (QUICK if options.quick else [bug["name"] for bug in BUGS])
    bugs = [dict(bug) for bug in BUGS if bug["name"] in names]
    results = Results(options.tool)
    explorations, failures, errors = measured(options, bugs, results)
    alarms = healthy(options.tool, bugs, options, results)
    for one in failures:
        one["declared"] = declared(next(bug for bug in bugs if bug["name"] == one["bug"]), one)
    demands = judged(bugs, explorations, failures, alarms, options)
    print(bug_table(bugs, explorations, failures))
    if alarms["who"]:
        print(f"\nhealthy, and accused: {', '.join(alarms['who'])}")
    print("\n" + columns([["demand", "result", ""], *(
        [words, f"{value:.3g}", "ok" if enough else "SHORT"] for words, value, enough in demands)]))
    if options.json:
        Path(options.json).write_text(json.dumps({
            "machine": harness.machine(), "explorations": explorations, "failures": failures, "healthy": alarms,
            "demands": [{"demand": words, "result": value, "passed": enough}
                        for words, value, enough in demands]}, indent=1, allow_nan=False) + "\n")
    for error in errors:
        print(f"not measured: {error}")
    return 70 if errors else 0 if all(enough for _, _, enough in demands) else 1
