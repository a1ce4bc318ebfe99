"""What an app of one's own costs: the package that `anechoic new app` makes, beside the reference app.

Both range with the same accessory by process, in turns, so that the machine's drift hits both. The own app is played
as it is made, and once more with its session code behind tasks: each callback hands on to the main actor.
"""

import argparse
import json
import shutil
import subprocess
import time

from harness import ROOT, TOOL, WORK, Failed, Figure, call_common, median

FOLDER = WORK / "app"
NAME = "bench-app"
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


def measured(name, phone):
    """Seconds of so many runs by process, and how many turns they had."""
    file = FOLDER / f"{name}.yaml"
    file.write_text(TOPOLOGY.format(phone=phone))
    begin = time.monotonic()
    called(TOOL, "run", file, "--seeds", f"1..{SEEDS}", "--hosting", "process", "--out", f"out-{name}", "--quiet")
    seconds = time.monotonic() - begin
    steps = sum(json.loads(one.read_text())["steps"] for one in (FOLDER / f"out-{name}").glob("*/*/verdict.json"))
    return seconds, steps


def figures(repeats=5):
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    own, tasks = build("bench-app"), build("bench-tasks", (PLAIN, TASK))
    phones = {"reference": "{model: iPhone 15}",
              "own": f"{{run: {own}, model: iPhone 15}}", "tasks": f"{{run: {tasks}, model: iPhone 15}}"}
    each = {name: [] for name in phones}
    for _ in range(repeats):
        for name, phone in phones.items():
            seconds, steps = measured(name, phone)
            each[name].append(seconds / steps * 1e6)
    cost = {name: median(values) for name, values in each.items()}
    yield Figure("app/step, reference app by process", "µs", cost["reference"])
    yield Figure("app/step, own app by process", "µs", cost["own"], cost["reference"], judged="ratio",
                 bound=1.25, at_most=True)
    yield Figure("app/step, own app with tasks", "µs", cost["tasks"], cost["own"], judged="ratio",
                 bound=1.25, at_most=True)


def main(arguments):
    """`Scripts/bench app`; returns the exit status."""
    parser = argparse.ArgumentParser(prog="Scripts/bench app", description=__doc__.split("\n\n")[0])
    parser.parse_args(arguments)
    call_common("build_tool")
    missed = 0
    for figure in figures():
        demand = "" if figure.bound is None else f"{figure.value:.2f} times that of the other, at most {figure.bound:g}"
        missed += not figure.passed
        print(f"{figure.name:38}{figure.ours:10.2f} {figure.unit:5}{demand}{'' if figure.passed else '  MISSED'}",
              flush=True)
    return 1 if missed else 0
