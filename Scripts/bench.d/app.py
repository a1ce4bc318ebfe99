"""What an app of one's own costs: the package that `anechoic new app` makes, beside the reference app.

Both range with the same accessory, in turns, so that the machine's drift hits both. The own app is played as it is
made: by process, inline, and with a fresh process for each run; and once more with its session code behind tasks: each
callback hands on to the main actor.
"""

import argparse
import json
import shutil
import subprocess
import time

from harness import ROOT, TOOL, WORK, Failed, Figure, call_common, median, show

FOLDER = WORK / "app"
SEEDS = 200
TOPOLOGY = """length: 20s
devices:
  ben: {phone}
  lock: {{profile: qorvo}}
"""
# What every callback of Bluetooth does in the second variant.
PLAIN = "        if let message = characteristic.value { received(message) }\n"
TASK = """        guard let message = characteristic.value else { return }
        Task { @MainActor in
            await Task.yield()
            received(message)
        }
"""


def called(*command, cwd=FOLDER):
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))}: {done.returncode}: {(done.stderr or done.stdout)[-600:]}")
    return done.stdout


def build(name, changed=None):
    """The package by this name, built for release; returns its program."""
    if not (FOLDER / name).exists():
        called(TOOL, "new", "app", name, "--package", ROOT)
    source = next((FOLDER / name / "Sources").glob("*Kit/AccessoryFinder.swift"))
    if changed:
        text = source.read_text()
        if changed[0] not in text and changed[1] not in text:
            raise Failed(f"{source} is not what this measurement expects")
        source.write_text(text.replace(*changed))
    called("swift", "build", "-c", "release", "--static-swift-stdlib", cwd=FOLDER / name)
    return FOLDER / name / ".build" / "release" / name


def measured(name, phone, *how):
    """Seconds of so many runs, and how many steps they had."""
    file = FOLDER / f"{name}.yaml"
    file.write_text(TOPOLOGY.format(phone=phone))
    begin = time.monotonic()
    called(TOOL, "run", file, "--seeds", f"1..{SEEDS}", "--jobs", 1, "--out", f"out-{name}", "--quiet", *how)
    seconds = time.monotonic() - begin
    steps = sum(json.loads(one.read_text())["steps"] for one in (FOLDER / f"out-{name}").glob("*/*/verdict.json"))
    return seconds, steps


def figures(repeats=5):
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    own, tasks = build("bench-app"), build("bench-tasks", (PLAIN, TASK))
    own, tasks, reference = (f"{{{phone}model: iPhone 15}}" for phone in (f"run: {own}, ", f"run: {tasks}, ", ""))
    process, inline = ("--hosting", "process"), ("--hosting", "inline")
    ways = {"reference": (reference, *process), "own": (own, *process), "tasks": (tasks, *process),
            "fresh": (own, *process, "--fresh-processes"), "reference-inline": (reference, *inline),
            "own-inline": (own, *inline)}
    each = {name: [] for name in ways}
    for _ in range(repeats):
        for name, way in ways.items():
            seconds, steps = measured(name, *way)
            each[name].append(seconds / steps * 1e6)
    cost = {name: median(values) for name, values in each.items()}
    yield Figure("app/step, reference app by process", "µs", cost["reference"])
    yield Figure("app/step, own app by process", "µs", cost["own"], cost["reference"], judged="ratio",
                 bound=1.25, at_most=True)
    yield Figure("app/step, own app with tasks", "µs", cost["tasks"], cost["own"], judged="ratio",
                 bound=1.25, at_most=True)
    yield Figure("app/step, own app, fresh processes", "µs", cost["fresh"], cost["own"], judged="ratio",
                 bound=3, at_most=True)
    yield Figure("app/step, reference app inline", "µs", cost["reference-inline"])
    yield Figure("app/step, own app inline", "µs", cost["own-inline"], cost["own"], judged="ratio",
                 bound=1, at_most=True)


def main(arguments):
    """`Scripts/bench app`; returns the exit status."""
    parser = argparse.ArgumentParser(prog="Scripts/bench app", description=__doc__.split("\n\n")[0])
    parser.parse_args(arguments)
    call_common("build_tool")
    return show(figures())
