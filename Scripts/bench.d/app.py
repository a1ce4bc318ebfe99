"""What an app of one's own costs: the package that `anechoic new app` makes, beside the reference app.

Both range with the same accessory, in turns, so that the machine's drift hits both. A step, with all that is written
about it, is measured by `run`: of the app as it is made, and once more with its session code behind tasks, where each
callback hands on to the main actor, and with a fresh process for each run. A run is measured by `explore`, which writes
nothing: by process and inline.
"""

import argparse
import json
import shutil
import time

from harness import ROOT, TOOL, WORK, Failed, Figure, against, alternate, call_common, called, median, searched, show

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


def build(name, changed=None):
    """The package by this name, made and built for release; returns its program."""
    called(TOOL, "new", "app", name, "--package", ROOT, cwd=FOLDER)
    source = next((FOLDER / name / "Sources").glob("*Kit/AccessoryFinder.swift"))
    if changed:
        text = source.read_text()
        if changed[0] not in text:
            raise Failed(f"{source} is not what this measurement expects")
        source.write_text(text.replace(*changed))
    called("swift", "build", "-c", "release", cwd=FOLDER / name)
    return FOLDER / name / ".build" / "release" / name


def topology(name, phone):
    file = FOLDER / f"{name}.yaml"
    file.write_text(TOPOLOGY.format(phone=phone))
    return file


def step(name, file, *how):
    """Microseconds of a step by process, of so many runs that are written down."""
    begin = time.monotonic()
    called(TOOL, "run", file, "--hosting", "process", "--seeds", f"1..{SEEDS}", "--jobs", 1, "--out", f"run-{name}",
           "--quiet", *how, cwd=FOLDER)
    seconds = time.monotonic() - begin
    verdicts = (FOLDER / f"run-{name}").glob("*/*/verdict.json")
    return seconds * 1e6 / sum(json.loads(one.read_text())["steps"] for one in verdicts)


def figures(repeats=5):
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    own, tasks = build("bench-app"), build("bench-tasks", (PLAIN, TASK))
    reference = topology("reference", "{model: iPhone 15}")
    own, tasks = (topology(run.name, f"{{run: {run}, model: iPhone 15}}") for run in (own, tasks))
    each = alternate(
        repeats, reference=lambda: step("reference", reference), own=lambda: step("own", own),
        tasks=lambda: step("tasks", tasks), fresh=lambda: step("fresh", own, "--fresh-processes"))
    yield Figure("app/step, reference app", "µs", median(each["reference"]))
    yield against("app/step, own app", "µs", each["own"], each["reference"], 1.25)
    yield against("app/step, own app with tasks", "µs", each["tasks"], each["own"], 1.25)
    yield against("app/step, own app, fresh processes", "µs", each["fresh"], each["own"], 3)
    each = alternate(
        repeats, reference=lambda: searched(reference, "process"),
        own=lambda: searched(own, "process"),
        reference_inline=lambda: searched(reference, "inline"),
        own_inline=lambda: searched(own, "inline"))
    yield Figure("app/run, reference app", "ms", median(each["reference"]))
    yield against("app/run, own app", "ms", each["own"], each["reference"], 1.5)
    yield Figure("app/run, reference app inline", "ms", median(each["reference_inline"]))
    yield against("app/run, own app inline", "ms", each["own_inline"], each["own"], 0.8)


def main(arguments):
    """`Scripts/bench app`; returns the exit status."""
    parser = argparse.ArgumentParser(prog="Scripts/bench app", description=__doc__.split("\n\n")[0])
    parser.parse_args(arguments)
    call_common("build_tool")
    return show(figures())
