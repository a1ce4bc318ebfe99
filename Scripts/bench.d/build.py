"""What the two commands of README cost in a fresh clone: seconds on the wall, and of all processors.

The clone is of the last commit. It has what apt and pip have downloaded here, and nothing that was built. Nothing else
should run on the machine.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time

from harness import BUILD, ROOT, WORK, Failed, Figure, called, processor_seconds, show

CLONE = WORK / "clone"
# What Scripts/test would download with pip.
DOWNLOADED = ["venv", "junit-10.xsd"]
# What follows the first run has to find everything built.
AFTERWARDS = [
    ["--version"],
    ["soak", "Topologies/basics/one-to-one.yaml", "--runs", "16"],
    ["conform", "--seeds", "1", "--no-sweep", "--no-search", "--only", "R4-3.4.1-1", "-k", "mid-handshake"],
]


def clone():
    shutil.rmtree(CLONE, ignore_errors=True)
    WORK.mkdir(parents=True, exist_ok=True)
    called("git", "clone", "--quiet", ROOT, CLONE, cwd=WORK)
    (CLONE / ".build").mkdir()
    for name in DOWNLOADED:
        if (BUILD / name).exists():
            (CLONE / ".build" / name).symlink_to(BUILD / name)


def timed(*command):
    """The seconds of a command in the clone, by the clock and of all processors, and what it said; its output is kept."""
    kept = WORK / "clone.log"
    before, begin = processor_seconds(), time.monotonic()
    with kept.open("w") as out:
        status = subprocess.run(command, cwd=CLONE, stdin=subprocess.DEVNULL, stdout=out, stderr=out).returncode
    seconds, processors = time.monotonic() - begin, processor_seconds() - before
    said = kept.read_text(errors="replace")
    if status != 0:
        raise Failed(f"{' '.join(command)}: status {status}; its output is in {kept}\n{said[-600:]}")
    return seconds, processors, said


def run():
    clone()
    wall, processors, _ = timed("Scripts/anechoic", "run", "Topologies")
    yield Figure("build/first run", "s", wall, bound=200, at_most=True)
    yield Figure("build/first run, all processors", "s", processors)
    for arguments in AFTERWARDS:
        wall, _, said = timed("Scripts/anechoic", *arguments)
        if "anechoic: building" in said:
            raise Failed(f"Scripts/anechoic {' '.join(arguments)} has built something")
        bound = 1 if arguments == ["--version"] else None
        yield Figure(f"build/{arguments[0]} after it", "s", wall, bound=bound, at_most=True)


def test():
    clone()
    for name, bound in {"build/first test": 600, "build/test again": 240}.items():
        wall, processors, _ = timed("Scripts/test")
        yield Figure(name, "s", wall, bound=bound, at_most=True)
        yield Figure(f"{name}, all processors", "s", processors)


def main(arguments):
    parser = argparse.ArgumentParser(prog="Scripts/bench build", description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", choices=["run", "test"], help="measure only this command")
    only = parser.parse_args(arguments).only
    missed = [show(take()) for name, take in {"run": run, "test": test}.items() if only in (None, name)]
    print(f"of {os.cpu_count()} processors, with a load of {os.getloadavg()[0]:.1f} in the end", file=sys.stderr)
    return max(missed)
