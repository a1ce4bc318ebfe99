"""Measures what explore, shrink and explain make of bugs in devices that are not ours.

The bugs are in Tests/Strangers: an accessory in Python, an app in Swift, and the topology in which each
bug is a race, with its two sides in bugs.json. Each is explored from ten seeds on, 400 runs at most;
what was found is replayed a hundred times by process, shrunk and explained, and what explain says is
held against the declared race and played. Results stay in .build/bench/strangers, so that pieces add
up; what another program, topology or Anechoic has measured is measured anew, and --afresh forgets everything.
"""

import argparse
import json
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import harness
from harness import ROOT, WORK, Failed, digest

STRANGERS = ROOT / "Tests" / "Strangers"
FOLDER = WORK / "strangers"
PROGRAMS = ["anechoic", "accessory", "apple-device", "stranger-app"]
BUGS = json.loads((STRANGERS / "bugs.json").read_text())
HEALTHY = ["clean", "clean-both", "clean-wayfinder"]
QUICK = ["keeps-prepare-timer", "warms-up-after-stop", "answers-last-asked", "runs-for-lost-link"]
# How an exploration ends: nothing failed, a violation, a device failed, a failure did not repeat.
FOUND = (0, 1, 3, 70)
# How far from its time in the failing run an event is looked for in another: two connection events, in ns.
NEAR = 60_000_000
RUNS, EXPLORATIONS, FOLLOWED, REPLAYS, SEEDS, ODDS = 400, 10, 2, 100, 40, 60


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
    options.healthy = 96 if options.quick else RUNS
    return options


class Results:
    """What was measured of the strangers' bugs, by the programs as they are now."""

    def __init__(self, options):
        self.kept, self.options = harness.Kept(FOLDER / "results.jsonl"), options
        # All devices of ours are measured with, and the app of the strangers, beside the tool.
        self.tools = digest(sorted(path for path in options.tool.parent.iterdir() if path.name in PROGRAMS))

    def of(self, what, bug, number, measure):
        """What was measured of a bug, anew where a program is another by now."""
        scripts = [topology(bug["name"]), *sorted(STRANGERS.glob("*.py"))]
        amount = {"failure": "replays", "healthy": "healthy"}.get(what)
        amount = getattr(self.options, amount) if amount else ""
        key = f"{what} {bug['name']} {number} {amount} {self.tools} {digest(scripts)}"
        return self.kept.of(key, lambda: {"what": what, "bug": bug["name"], "number": number, **measure()})


def topology(name):
    races = STRANGERS / "topologies" / f"{name}.yaml"
    return races if races.exists() else FOLDER / "certain" / f"{name}.yaml"


def write_certain(bug):
    """The topology of a bug that needs no race."""
    file = FOLDER / "certain" / f"{bug['name']}.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("length: 20s\ndevices:\n  ben: {model: iPhone 15, permission: allowed}\n"
                    f"  lock: {{run: {STRANGERS / 'blunt.py'}, arguments: [{bug['name']}]}}\n"
                    f"steps: [{', '.join(bug['steps'])}]\n")


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


def replayed(tool, file):
    """The verdict of a replay by process, in a word, and its fingerprint; where it is another run, what that said."""
    done = subprocess.run(
        [str(tool), "replay", str(file), "--trust", "--hosting", "process", "--format", "json", "--no-out"],
        capture_output=True, text=True, cwd=ROOT)
    if done.returncode not in FOUND or done.returncode == 70:
        return f"status {done.returncode}: {(done.stderr or done.stdout).strip()[-300:]}", None
    report = json.loads(done.stdout)[0]
    return report["verdict"], fingerprint(report)


def fingerprint(report):
    """What was broken first; None where it is no promise."""
    broken = [one for promise in report["promises"] if not promise["isMeantToBreak"] for one in promise["violations"]]
    return min(broken, key=lambda one: one["time"])["fingerprint"] if broken else None


def fails_so(found, explanation):
    """What is broken otherwise than by a promise has a fingerprint that no report tells."""
    return found == explanation["fingerprint"] or found is None and ": " in explanation["fingerprint"][:16]


def followed(tool, bug, file, replays):
    """What becomes of one failure: replayed, shrunk, explained, and what was said is played."""
    verdicts = [replayed(tool, file)[0] for _ in range(replays)]
    anechoic(tool, "shrink", file, "--trust")
    shrunk = Path(file).parent / "shrunk"
    reduction = json.loads((shrunk / "reduction.json").read_text())
    status = explained(tool, shrunk)
    folder = shrunk / "explained"
    explanation = json.loads((folder / "explanation.json").read_text())
    return {
        "file": file, "replayed": verdicts.count("violated"), "of": replays,
        "others": sorted({*verdicts} - {"violated"}), "mended": mended(tool, bug, Path(file)),
        "after": reduction["after"], "seconds": reduction["seconds"],
        "certified": reduction.get("certified") is not None and not reduction["superfluous"],
        "pair": two_of(explanation.get("race")), "effect": two_of(explanation.get("effect")),
        "sentences": {"its runs repeat": status != 70, **sentences(tool, shrunk, folder, explanation)},
    }


def explained(tool, shrunk):
    return subprocess.run([str(tool), "explain", str(shrunk / "replay.json"), "--trust"],
                          capture_output=True, cwd=ROOT).returncode


def mended(tool, bug, file):
    """The verdict of the same run where the device has no bug."""
    return replayed(tool, edited(file, file.parent / "mended.json", topology=lambda text: text.replace(
        f"defects: [{bug['name']}]", "defects: []")))[0]


def edited(file, other, **changes):
    """A replay file with changes, which no longer says what the run has to be."""
    replay = json.loads(file.read_text())
    for key, change in changes.items():
        replay[key] = change(replay[key])
    replay["digest"] = ""
    replay.pop("checkpoints", None)
    other.write_text(json.dumps(replay))
    return other


# The declared race

def two_of(pair):
    return pair and [pair["first"], pair["second"]]


def declared(bug, one):
    """Whether explain's pair, or what it turned round, is the declared race: which of the two, or None."""
    for what in ("pair", "effect"):
        if one["pair"] and one[what] and any(is_between(race, *one[what]) for race in races_of(bug)):
            return what
    return None


def races_of(bug):
    """Most bugs are one race; some break another promise by another one."""
    return [bug["race"], *bug.get("others", [])]


def is_between(race, first, second):
    return any(is_side(race[one], first) and is_side(race[1 - one], second) for one in (0, 1))


def is_side(side, moment):
    """An event is a declared side by its channel, with an ordinal or without, or by what happens in it at the device."""
    event = moment["event"]
    if any(event == channel if "#" in channel else event.startswith(channel) for channel in side.get("events", [])):
        return True
    return any(is_kind(kind, one) and (side["device"] in one["devices"] or not one["devices"])
               for kind in side["kinds"] for one in moment["happens"] + moment["about"])


def is_kind(kind, happening):
    """`msg.stop` is `msg.stop.sent` too; `att.received write-request` is one PDU."""
    kind, _, pdu = kind.partition(" ")
    return (happening["kind"] == kind or happening["kind"].startswith(f"{kind}.")) and (
        not pdu or happening.get("pdu") == pdu)


# What explain says

def sentences(tool, shrunk, folder, explanation):
    """Each sentence that can be played: true, false, or None where the traces do not tell."""
    failing, passing = folder / "failing", folder / "passing"
    told = {"the failing run fails so": fails_so(replayed(tool, failing / "replay.json")[1], explanation),
            "so often under random delivery": as_often(tool, shrunk, explanation)}
    if not (passing / "replay.json").exists():
        return told
    told["the passing run holds"] = replayed(tool, passing / "replay.json")[0] == "held"
    told["both are one until they part"] = part_together(failing, passing, explanation["parting"])
    race, effect = explanation.get("race"), explanation.get("effect")
    for what, pair in (("the pair", race), ("what it turns round", effect)):
        if pair:
            told[f"{what} is so where it fails"] = numbered(trace_of(failing), pair)
            is_kept = order(trace_of(passing), pair, pair.get("isKept", True))
            told[f"{what} is the other way round where it holds"] = None if is_kept is None else not is_kept
    if race:
        told["nothing else is changed"] = differs_in_one(failing, passing, race)
        for neighbour in race["proof"]["neighbours"]:
            told[f"no difference beside {neighbour['words']}"] = makes_no_difference(
                tool, failing, passing, race, neighbour)
    return told


def makes_no_difference(tool, failing, passing, race, neighbour):
    """The event that was moved, put right behind a neighbour, breaks or holds as beside it."""
    moved, other = (race[one] for one in (("first", "second") if race["proof"]["movesFirst"] else ("second", "first")))
    is_further = neighbour["time"] is not None and other["time"] is not None and neighbour["time"] > other["time"]
    breaks = is_further != race["proof"]["movesFirst"]
    after = {"after": neighbour["event"], "event": moved["event"]}
    verdict = replayed(tool, edited(failing / "replay.json", failing / "beside.json", afters=lambda afters: [
        one for one in afters if one["event"] != moved["event"]] + [after]))[0]
    return (verdict == "violated") == breaks


def differs_in_one(failing, passing, race):
    """The two runs have one script and one schedule but for one time, or for when the two events come."""
    one, two = (json.loads((folder / "replay.json").read_text()) for folder in (failing, passing))
    if moved := race["proof"].get("moved"):
        # Either an entry of the script is at another time, or one decision is another number.
        scripts = [re.sub(r"(at|start|length): [0-9.]+ ?(s|ms|us|ns)", r"\1", run["topology"]) for run in (one, two)]
        decided = [{(decision["identity"], decision["value"]) for decision in run["decisions"]} for run in (one, two)]
        others = {identity for identity, _ in decided[0] ^ decided[1]}
        return (scripts[0] == scripts[1] and one["afters"] == two["afters"]
                and len(others) == (one["topology"] == two["topology"]) and abs(moved["breaks"] - moved["holds"]) == 1)
    own = {race["first"]["event"], race["second"]["event"]}
    return one["topology"] == two["topology"] and all(
        of_others(one[key], own) == of_others(two[key], own) for key in ("afters", "decisions"))


def of_others(schedule, events):
    return [one for one in schedule if one.get("event") not in events
            and not any(one.get("identity", "").startswith(f"{event} ") for event in events)]


def part_together(failing, passing, parting):
    """Before the step with which they part, the two have the same trace."""
    before = [[(one["kind"], one.get("device"), one.get("fields")) for one in trace_of(folder)
               if 0 < one["step"] < parting["step"]] for folder in (failing, passing)]
    return before[0] == before[1]


def as_often(tool, shrunk, explanation):
    """Other runs of the scenario fail as often as explain says, but for chance: 1 in 1,000."""
    said = explanation.get("underRandomDelivery")
    if not said:
        return None
    runs = json.loads(anechoic(
        tool, "run", shrunk / "topology.yaml", "--scheduler", "portfolio", "--seeds", f"1001..{1000 + ODDS}",
        "--jobs", 1, "--no-out", "--format", "json", statuses=FOUND))
    hits = sum(run["verdict"] != "held" and fails_so(fingerprint(run), explanation) for run in runs)
    share = (hits + said["hits"]) / (ODDS + said["runs"])
    spread = 3.29 * (share * (1 - share) * (1 / ODDS + 1 / said["runs"])) ** 0.5
    return abs(hits / ODDS - said["hits"] / said["runs"]) <= spread + 1 / ODDS


def order(events, pair, is_kept=True):
    """Whether the first of a pair comes before the second in a trace; None where one is not in it, and should be."""
    first, second = (place(events, pair[side]) for side in ("first", "second"))
    if first is None and not is_kept:
        return False
    return None if first is None or second is None else first < second


def numbered(events, pair):
    """The same for the trace that explain has numbered; None where it does not have one of them."""
    shown = [pair[side]["happens"] for side in ("first", "second")]
    if not all(shown):
        return None
    first, second = (one[0] for one in shown)
    return first["number"] < second["number"] and all(is_like(events[one["number"]], one) for one in (first, second))


def place(events, moment):
    """Where an event stands in a trace: the one like it that is nearest in time; None where there is none, or several.

    Two runs that have parted may differ in how many of a kind came before.
    """
    if not moment["happens"] or moment["time"] is None:
        return None
    found = sorted((abs(one["time"] - moment["time"]), one["number"]) for one in events
                   if is_like(one, moment["happens"][0]) and abs(one["time"] - moment["time"]) < NEAR)
    return None if not found or len(found) > 1 and found[0][0] == found[1][0] else found[0][1]


def is_like(event, happening):
    return (event["kind"] == happening["kind"] and event["fields"].get("pdu") == happening.get("pdu")
            and devices_of(event) == set(happening["devices"]))


def devices_of(event):
    fields = event["fields"]
    return {name for name in (event.get("device"), *(fields.get(key) for key in ("peer", "between", "and"))) if name}


def trace_of(folder):
    lines = (folder / "trace.jsonl").read_text().splitlines()[1:]
    return [{"fields": {}, **json.loads(line)} for line in lines]


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
        tool, "explore", topology(name), "--faults", "random", "--runs", options.healthy,
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


def judged(bugs, explorations, failures, errors, alarms, options):
    """What was demanded, what came of it, and whether that is enough."""
    wanted = len(bugs) * options.explorations
    enough = 9 * options.explorations / 10
    of = {bug["name"]: [one["found"] for one in explorations if one["bug"] == bug["name"]] for bug in bugs}
    devices = {bug["name"]: bug["devices"] for bug in bugs}
    told = [is_true for one in failures for is_true in one["sentences"].values()]
    return [
        ("planted bugs", len(bugs), options.quick or bool(options.only) or len(bugs) >= 24),
        ("bugs whose plain run fails", sum(bug["plain"] != "held" for bug in bugs),
         all(bug["plain"] == "held" for bug in bugs)),
        (f"explorations that were not begun, of {wanted}", wanted - len(explorations), len(explorations) == wanted),
        (f"bugs found in fewer than {enough:g} of {options.explorations} explorations of {RUNS} runs",
         sum(sum(found) < enough for found in of.values()),
         all(sum(found) >= enough for found in of.values())),
        ("failures that are not the same run by processes", sum(one["unconfirmed"] for one in explorations),
         not any(one["unconfirmed"] for one in explorations)),
        ("failures that could not be followed", len(errors), not errors),
        ("failures that come without the bug as well", sum(one["mended"] != "held" for one in failures),
         all(one["mended"] == "held" for one in failures)),
        (f"replays that are another run, {options.replays} of each failure",
         sum(one["of"] - one["replayed"] for one in failures),
         bool(failures) and all(one["of"] == one["replayed"] for one in failures)),
        ("shrunk to the devices that it needs, 1 step and 1 after, share",
         share(is_small(one, devices) for one in failures), share(is_small(one, devices) for one in failures) == 1),
        ("shrunk with a certificate, share", share(one["certified"] for one in failures),
         bool(failures) and all(one["certified"] for one in failures)),
        ("a pair is proven, share", share(one["pair"] is not None for one in failures), True),
        ("the pair, or what it turns round, is the declared race, share",
         share(one["declared"] is not None for one in failures),
         share(one["declared"] is not None for one in failures) >= 0.85),
        (f"sentences that are false, of {len(told)} ({told.count(None)} not decided by the traces)", told.count(False),
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
                        "failure", bug, one["number"], lambda: followed(tool, bug, one["file"], options.replays)))
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
        harness.call_common("build_bench")
    names = options.only or (QUICK if options.quick else [bug["name"] for bug in BUGS])
    bugs = [dict(bug) for bug in BUGS if bug["name"] in names]
    results = Results(options)
    explorations, failures, errors = measured(options, bugs, results)
    alarms = healthy(options.tool, bugs, options, results)
    for one in failures:
        one["declared"] = declared(next(bug for bug in bugs if bug["name"] == one["bug"]), one)
    demands = judged(bugs, explorations, failures, errors, alarms, options)
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
