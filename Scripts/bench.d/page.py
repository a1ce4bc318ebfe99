"""How long a page of a run takes to make, how large it is, and how fast it is in a browser.

The run has as many events as is said; the browser is the tests' (Scripts/test sets it up). The first
demand is that of 10,000 events; 100,000 have none.
"""

import argparse
import json
import subprocess
import time

from harness import BUILD, ROOT, TOOL, WORK, Failed, Figure, call_common, median, show

PYTHON = BUILD / "venv" / "bin" / "python3"
VISIT = ROOT / "Tests/Tool/anechoic/Browser/visit.py"
REPEATS = 5
MIB = 1024 * 1024
# Two phones that range with two accessories: about 31 events a second.
TOPOLOGY = """
about: Two phones range with two accessories.
length: {length}s
devices:
  ben: {{model: iPhone 15, at: [0m, 0m]}}
  amy: {{model: iPhone 15, at: [1m, 0m]}}
  lock: {{profile: qorvo, at: [2m, 0m]}}
  tag: {{profile: qorvo, at: [3m, 1m]}}
"""
EVENTS_A_SECOND = 30.7


def called(*command):
    done = subprocess.run(
        [str(word) for word in command], cwd=WORK, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))}: {done.stderr.strip()[-300:]}")
    return done.stdout


def recorded(events):
    """The folder of a run with about so many events."""
    name = f"page-{events}"
    (WORK / f"{name}.yaml").write_text(TOPOLOGY.format(length=round(events / EVENTS_A_SECOND)))
    called(TOOL, "run", f"{name}.yaml", "--seed", 1, "--out", "pages")
    return WORK / "pages" / name / "1"


def figures(events, demands):
    """`demands` are the most seconds, MiB and milliseconds; nothing where nothing is demanded."""
    folder, page = recorded(events), WORK / f"page-{events}.html"
    taken = []
    for _ in range(REPEATS):
        begin = time.monotonic()
        called(TOOL, "report", folder, "--out", page)
        taken.append(time.monotonic() - begin)
    seen = [json.loads(called(PYTHON, VISIT, page, "figures")) for _ in range(REPEATS)]
    of = lambda name: demands.get(name)
    yield Figure(f"page/{events}/made", "s", median(taken), bound=of("made"), at_most=True)
    yield Figure(f"page/{events}/size", "MiB", page.stat().st_size / MIB, bound=of("size"),
                 at_most=True)
    yield Figure(f"page/{events}/first paint", "ms", median([one["first paint"] for one in seen]),
                 bound=of("paint"), at_most=True)
    yield Figure(f"page/{events}/zoom step", "ms",
                 median([step for one in seen for step in one["zoom steps"]]), bound=of("zoom"),
                 at_most=True)


def main(arguments):
    """`Scripts/bench page`; returns the exit status."""
    parser = argparse.ArgumentParser(prog="Scripts/bench page", description=__doc__.split("\n\n")[0])
    parser.parse_args(arguments)
    call_common("build_tool")
    WORK.mkdir(parents=True, exist_ok=True)
    if not PYTHON.exists():
        raise SystemExit("Scripts/bench page: there is no browser's driver; Scripts/test sets it up")
    return show([*figures(10_000, {"made": 1, "size": 3, "paint": 1_000, "zoom": 50}), *figures(100_000, {})])
