"""What a soak costs and reaches: memory, its history, its workers, simulated hours, and a million runs.

With a program of somebody else's it plays an hour. Everything is measured with the history on. What is compared is measured in turns, so that the machine's
drift hits both.
"""

import argparse
import json
import shutil
import sqlite3
import subprocess
import time

from harness import ROOT, TOOL, TOPOLOGIES, WORK, Failed, Figure, call_common, median, show

FOLDER = WORK / "soak"
PAIR = TOPOLOGIES / "basics" / "one-to-one.yaml"
CANARY = ROOT / "Sources/Answers/Soaks/Plan/canary.yaml"
MIB = 1024 * 1024
NIGHT = 8 * 3600


def called(*command, held=(0,)):
    """Runs the tool to its end in the folder; returns how long it took, and what it said."""
    begin = time.monotonic()
    done = subprocess.run([str(TOOL), *map(str, command)], cwd=FOLDER, capture_output=True, text=True)
    if done.returncode not in held:
        raise Failed(f"{' '.join(map(str, command))}: {done.returncode}: {done.stderr.strip()[-300:]}")
    return time.monotonic() - begin, done.stdout


def soak(name, *arguments):
    """A soak into a folder of its own; returns its summary."""
    shutil.rmtree(FOLDER / name, ignore_errors=True)
    # One that is over too soon for its canary is none the worse for this.
    called("soak", PAIR, "--seed", 1, "--out", name, "--quiet", *arguments)
    return json.loads((FOLDER / name / "soak.json").read_text())


def growth(runs=100_000):
    summary = soak("growth", "--runs", runs)
    samples = summary["samples"]
    memory = lambda low, high: median(
        [one["values"]["orchestrator-memory"] for one in samples
         if low <= one["runs"] / runs <= high])
    grown = (memory(0.8, 1) - memory(0.1, 0.3)) / 0.7
    yield Figure("soak/growth over 100,000 runs", "MiB", grown / MIB, bound=1, at_most=True)
    last = samples[-1]["values"]
    yield Figure("soak/processes left", "", last["processes"] - 2, bound=0, at_most=True)
    late = [one["values"]["orchestrator-descriptors"] for one in samples]
    yield Figure("soak/descriptors left", "", max(0, late[-1] - late[0]), bound=0, at_most=True)
    yield Figure("soak/history's share of the time", "%", 100 * last["history-seconds"] / summary["seconds"],
                 bound=2, at_most=True)


def workers(seconds=20, repeats=3):
    rates = []
    for _ in range(repeats):
        ours = soak("two", "--for", f"{seconds}s", "--jobs", 2)["samples"][-1]
        for number in (1, 2):
            shutil.rmtree(FOLDER / f"alone{number}", ignore_errors=True)
        both = [subprocess.Popen(
            [str(TOOL), "soak", str(PAIR), "--seed", "1", "--for", f"{seconds}s", "--jobs", "1", "--out",
             f"alone{number}", "--quiet"], cwd=FOLDER, stdout=subprocess.DEVNULL)
            for number in (1, 2)]
        if [one.wait() for one in both] != [0, 0]:
            raise Failed("one of two campaigns side by side failed")
        alone = [json.loads((FOLDER / f"alone{number}" / "soak.json").read_text())["samples"][-1]
                 for number in (1, 2)]
        rate = lambda one: one["runs"] / one["seconds"]
        rates.append(rate(ours) / sum(map(rate, alone)))
    yield Figure("soak/two workers of two campaigns", "%", 100 * median(rates), bound=95)


def overhead(runs=8_000, repeats=3):
    """An exploration of each arm's runs, with one worker as the soak."""
    ratios = []
    for _ in range(repeats):
        summary = soak("whole", "--runs", runs, "--jobs", 1)
        of = {arm["arm"]: arm["runs"] for arm in summary["arms"]}
        whole = summary["samples"][-1]["seconds"]
        parts = 0
        for name, words in {
                "plain": [PAIR, "--strategy", "random"], "portfolio": [PAIR],
                "faults": [PAIR, "--faults", "random"], "sweep": [PAIR, "--faults", "sweep", "--schedules", 9],
                "canary": [CANARY]}.items():
            shutil.rmtree(FOLDER / "part", ignore_errors=True)
            _, said = called("explore", *words, "--runs", of[name], "--seed", 1, "--jobs", 1, "--out", "part",
                             "--quiet", held=(0, 1))
            parts += json.loads((FOLDER / "part" / "findings.json").read_text())["seconds"]
        ratios.append(whole / parts)
    yield Figure("soak/overhead over explorations", "%", 100 * (median(ratios) - 1), bound=5, at_most=True)


def hours(seconds=60):
    (FOLDER / "pair.yaml").write_text(
        PAIR.read_text().split("expect:")[0].replace("length: 20s", "length: 10min"))
    shutil.rmtree(FOLDER / "hours", ignore_errors=True)
    called("soak", "pair.yaml", "--seed", 1, "--for", f"{seconds}s", "--out", "hours", "--quiet", held=(0, 1))
    summary = json.loads((FOLDER / "hours" / "soak.json").read_text())
    last = summary["samples"][-1]
    yield Figure("soak/simulated hours in 8 h", "h",
                 summary["simulated"] / 3.6e12 / last["seconds"] * NIGHT, bound=100_000)


def multiplied(name, runs, shard=None):
    """A history of so many runs: a real one, whose lots are there again under other numbers."""
    campaign = ["--campaign", "million"] + ([] if shard is None else ["--shard", f"{shard}/8"])
    soak(name, "--runs", 4096, *campaign)
    file = FOLDER / name / "history.sqlite"
    with sqlite3.connect(file) as db:
        have, most = db.execute("SELECT SUM(runs), MAX(number) FROM lot").fetchone()
        # The strand of a block is its number modulo 64: another 64 blocks are of the same strands.
        period = (most // 2048 + 1) * 2048
        for turn in range(1, -(-runs // have)):
            db.execute("INSERT INTO lot SELECT campaign, number + ?, arm, topology, seed, runs, failing, "
                       "undecided, simulated FROM lot WHERE number < ?", (turn * period, period))
            db.execute("INSERT INTO failure SELECT campaign, lot + ?, run, arm, strand, seed, fingerprint, "
                       "NULL FROM failure WHERE lot < ?", (turn * period, period))
        count, = db.execute("SELECT SUM(runs) FROM lot").fetchone()
    db.close()
    return file, count


def million(repeats=5):
    file, count = multiplied("million", 1_000_000)
    yield Figure("soak/runs in the history", "", count)
    yield Figure("soak/size of a million runs", "MiB", file.stat().st_size / MIB / count * 1e6)
    taken = []
    for _ in range(repeats):
        # All that it has to play is played: it reads, says what it has, and ends.
        seconds, _ = called("soak", "--resume", "million", "--runs", 1, "--quiet", held=(0, 1))
        taken.append(seconds)
    yield Figure("soak/resume of a million runs", "s", median(taken), bound=2, at_most=True)
    parts = [multiplied(f"part{number}", 125_000, shard=number) for number in range(1, 9)]
    shutil.rmtree(FOLDER / "all", ignore_errors=True)
    seconds, _ = called("merge", *(f"part{number}" for number in range(1, 9)), "--out", "all")
    total = sum(count for _, count in parts)
    yield Figure("soak/merge of a million runs", "s", seconds / total * 1e6)
    yield Figure("soak/size of what was merged", "MiB",
                 (FOLDER / "all" / "history.sqlite").stat().st_size / MIB / total * 1e6)


def firmware():
    """The firmware that `anechoic new firmware` makes, built."""
    shutil.rmtree(FOLDER / "door", ignore_errors=True)
    called("new", "firmware", "door")
    subprocess.run(["make"], cwd=FOLDER / "door", check=True, capture_output=True)
    return FOLDER / "door" / "door"


def stranger(seconds=3600):
    """An hour with somebody else's program: what fails in it is ours, and nothing may grow."""
    summary = soak("stranger", "--accessory", firmware(), "--for", f"{seconds}s", "--jobs", 2)
    yield Figure(f"soak/runs with a C accessory in {seconds} s", "", summary["runs"])
    ours = [group for group in summary["groups"] if group["fingerprint"].startswith("harness error")]
    yield Figure("soak/harness failures with a C accessory", "", len(ours) + len(summary["troubles"]), bound=0, at_most=True)
    yield Figure("soak/accusations of a healthy C accessory", "", len(summary["groups"]) - len(ours), bound=0, at_most=True)
    yield Figure("soak/what grows with a C accessory", "", len(summary["growths"]), bound=0, at_most=True)
    late = [sample["values"] for sample in summary["samples"] if sample["seconds"] > 0.1 * seconds]
    for name in "workers-memory", "devices-memory", "workers-descriptors", "devices-descriptors":
        values = [one[name] for one in late if name in one]
        third = max(1, len(values) // 3)
        ratio = median(values[-third:]) / max(1, median(values[:third]))
        yield Figure(f"soak/{name}, the last third by the first", "", ratio, bound=1.05, at_most=True)


PARTS = {"growth": growth, "workers": workers, "overhead": overhead, "hours": hours, "million": million,
         "stranger": stranger}


def main(arguments):
    """`Scripts/bench soak`; returns the exit status."""
    parser = argparse.ArgumentParser(prog="Scripts/bench soak", description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", action="append", choices=PARTS, metavar="NAME", default=[],
                        help="measure only this (repeatable): " + ", ".join(PARTS))
    options = parser.parse_args(arguments)
    call_common("build_tool")
    FOLDER.mkdir(parents=True, exist_ok=True)
    return show(figure for name in options.only or PARTS for figure in PARTS[name]())
