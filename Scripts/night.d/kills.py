"""Kills a soak at random moments, lets it go on, and compares it with one that was never killed.

The victim of each kill is drawn: the soak itself, or one of its workers. In the end both campaigns have to have
finished the same lots, with the same seeds, virtual times and failures, and the history has to be whole.

Exit status 0: they are the same; 1: they differ; 70: something could not be done.
"""

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("tool", type=Path, help="the program anechoic")
    parser.add_argument("topologies", nargs="+")
    parser.add_argument("--kills", type=int, default=20, metavar="N")
    parser.add_argument("--runs", type=int, default=3000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--defect", default=None, metavar="DEVICE=NAME")
    return parser.parse_args()


def children(pid):
    """The processes that a process has started, with the names of their programs."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            stat = Path(f"/proc/{entry}/stat").read_text()
            name, rest = stat[stat.index("(") + 1:].rsplit(")", 1)
            if int(rest.split()[1]) == pid:
                found.append((int(entry), name))
        except (OSError, ValueError, IndexError):
            continue
    return found


def victim(chance, soak):
    """Whom to kill, and whether the soak goes on by itself."""
    kind = chance.choice(["soak", "soak", "soak", "worker"])
    pids = [pid for pid, name in children(soak.pid) if name == "anechoic"] if kind == "worker" else []
    return (chance.choice(pids), kind) if pids else (soak.pid, "soak")


def begin(options, out):
    command = [options.tool, "soak", *options.topologies, "--seed", "1", "--out", out]
    return command + (["--defect", options.defect] if options.defect else [])


def start(options, command):
    return subprocess.Popen([*map(str, command), "--runs", str(options.runs), "--jobs", "2", "--quiet"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def is_begun(out):
    """Whether there is a campaign to go on with."""
    try:
        with sqlite3.connect(f"file:{out}/history.sqlite?mode=ro", uri=True) as history:
            return history.execute("SELECT COUNT(*) FROM campaign").fetchone()[0] > 0
    except sqlite3.Error:
        return False


def killed(options, out, chance, seconds):
    """A campaign that is killed so many times, spread over half the seconds that it takes, and goes on to its end."""
    kills, counts = 0, {}
    while True:
        goes_on = [options.tool, "soak", "--resume", out]
        soak = start(options, goes_on if is_begun(out) else begin(options, out))
        while kills < options.kills:
            time.sleep(chance.uniform(0, seconds / options.kills))
            if soak.poll() is not None:
                break
            pid, kind = victim(chance, soak)
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
            kills += 1
            counts[kind] = counts.get(kind, 0) + 1
            if kind == "soak":
                break
        _, words = soak.communicate()
        if soak.returncode == -signal.SIGKILL:
            continue
        if soak.returncode not in (0, 1):
            sys.exit(f"the soak ended with {soak.returncode}: {words[-600:]}")
        return kills, counts


def finished(out):
    """The lots of a campaign with their failures; and what SQLite says of the file."""
    with sqlite3.connect(f"{out}/history.sqlite") as history:
        check = history.execute("PRAGMA integrity_check").fetchone()[0]
        lots = history.execute("SELECT number, arm, topology, seed, runs, failing, simulated FROM lot "
                               "WHERE runs > 0 ORDER BY number").fetchall()
        failures = history.execute("SELECT lot, run, seed, fingerprint FROM failure ORDER BY lot, run").fetchall()
        promises = history.execute("SELECT name, occasions, runs, broken FROM promise ORDER BY name").fetchall()
        covered = history.execute("SELECT kind, hash FROM coverage ORDER BY kind, hash").fetchall()
    return {"lots": lots, "failures": failures, "occasions": promises, "coverage": covered}, check


def main():
    options = parsed()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        whole, broken = f"{folder}/whole", f"{folder}/killed"
        begun = time.monotonic()
        soak = start(options, begin(options, whole))
        _, words = soak.communicate()
        seconds = time.monotonic() - begun
        if soak.returncode not in (0, 1):
            print(f"the soak ended with {soak.returncode}: {words[-600:]}", file=sys.stderr)
            return 70
        kills, counts = killed(options, broken, chance, seconds)
        expected, _ = finished(whole)
        seen, check = finished(broken)
    told = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
    print(f"killed {kills} times ({told}); {len(seen['lots'])} lots, {len(seen['failures'])} failures")
    status = 0
    if check != "ok":
        print(f"the history is broken: {check}")
        status = 1
    for name, values in expected.items():
        if seen[name] != values:
            lost, more = set(values) - set(seen[name]), set(seen[name]) - set(values)
            print(f"{name} differ: {len(lost)} are missing, {len(more)} are too many: "
                  f"{sorted(lost)[:3]} {sorted(more)[:3]}")
            status = 1
    if kills < options.kills:
        print(f"the campaign was over after {kills} kills of {options.kills}; give it more --runs")
        status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
