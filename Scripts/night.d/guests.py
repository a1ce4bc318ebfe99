"""Plays guests for long: random faults have to raise no alarm, and each run has to repeat.

Two topologies are made in FOLDER, a phone with a lock on Bumble and a phone beside a host in C. Each is explored with
random faults; then runs of it are written, and their replays played.

Exit status 0: all held; 1: something did not.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

GUESTS = Path(__file__).resolve().parents[2] / "Tests/Guests"


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("tool", type=Path, help="the program anechoic")
    parser.add_argument("folder", type=Path, help="where to work; what is there goes first")
    parser.add_argument("python", help="a Python that has Bumble")
    parser.add_argument("--runs", type=int, default=1000, metavar="N", help="with random faults, of each (1000)")
    parser.add_argument("--replays", type=int, default=100, metavar="N", help="of all together (100)")
    return parser.parse_args()


def topologies(options):
    """The names of the topologies, which are written."""
    host = options.folder / "host"
    subprocess.run(["gcc", "-O1", GUESTS / "keeps.c", "-o", host], check=True)
    lock = {
        "bumble": f'hci: {options.python}, arguments: ["{GUESTS}/bumble_lock.py", "unix:{{}}", "{{uci}}"], uci: true',
        "c": 'hci: ./host, arguments: ["{storage}", "{}"]',
    }
    for name, words in lock.items():
        (options.folder / f"{name}.yaml").write_text(
            f"length: 10s\ndevices:\n  ben: {{model: iPhone 14 Pro, at: [0m, 0m]}}\n"
            f"  lock: {{{words}, at: [1m, 0m]}}\n")
    return list(lock)


def holds(options, *words):
    """Whether a command ends with 0; what it says otherwise is printed."""
    command = [options.tool, *map(str, words)]
    outcome = subprocess.run(command, cwd=options.folder, capture_output=True, text=True, check=False)
    if outcome.returncode != 0:
        print(f"{' '.join(map(str, command))} ended with {outcome.returncode}:\n"
              f"{outcome.stdout[-2000:]}{outcome.stderr[-2000:]}")
    return outcome.returncode == 0


def main():
    options = parsed()
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    options.folder = options.folder.resolve()
    options.tool = options.tool.resolve()
    names = topologies(options)
    failures = 0
    for name in names:
        if not holds(options, "explore", f"{name}.yaml", "--faults", "random", "--runs", options.runs, "--out", "faults"):
            failures += 1
        each = options.replays // len(names)
        if not holds(options, "run", f"{name}.yaml", "--seeds", f"1..{each}", "--quiet", "--out", "out"):
            failures += 1
        for seed in range(1, each + 1):
            if not holds(options, "replay", f"out/{name}/{seed}/replay.json", "--trust", "--out", "again"):
                failures += 1
    print(f"{options.runs} runs of each of {', '.join(names)} with random faults, {options.replays} replays; "
          f"{failures or 'nothing'} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
