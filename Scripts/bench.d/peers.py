"""What Apple devices among themselves cost: two phones that range by their tokens, beside a phone and an accessory, and
a hall of 32 phones in four Multipeer sessions of eight.

Counted are simulated seconds a second of what a run costs between its first seconds and its last: a run of many
seconds less one of few, inline, which writes nothing.
"""

import argparse
import shutil
import time

from harness import TOOL, TOPOLOGIES, WORK, Figure, alternate, call_common, called, median, paired, show

FOLDER = WORK / "peers"
SHORT, LONG = 20, 1220
# Ranging rounds in a second.
ROUNDS = 1 / 0.198
PHONE = "ben: {model: iPhone 15, at: [0m, 0m], permission: allowed"
PAIRS = {
    "phones": (PHONE + ", ranges-with: phones}",
               "amy: {model: iPhone 15, at: [0m, 3m], permission: allowed, ranges-with: phones}"),
    "accessory": (PHONE + "}", "lock: {profile: qorvo, update-rate: user-interactive, at: [0m, 3m]}"),
}


def topology(name, length):
    file = FOLDER / f"{name}-{length}.yaml"
    file.write_text("\n".join([f"length: {length}s", "devices:", *(f"  {device}" for device in PAIRS[name])]) + "\n")
    return file


def taken(file, seeds=8):
    begin = time.perf_counter()
    called(TOOL, "run", file, "--no-out", "--quiet", "--hosting", "inline", "--seeds", f"1..{seeds}", cwd=FOLDER)
    return (time.perf_counter() - begin) / seeds


def speed(name):
    return (LONG - SHORT) / (taken(topology(name, LONG)) - taken(topology(name, SHORT)))


def figures(repeats=5):
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    each = alternate(repeats, phones=lambda: speed("phones"), accessory=lambda: speed("accessory"))
    yield Figure("peers/speed, a phone and an accessory", "× real time", median(each["accessory"]))
    yield Figure("peers/speed, two phones", "× real time", median(each["phones"]), median(each["accessory"]),
                 judged="ratio", bound=0.5, pairs=paired(each["phones"], each["accessory"]))
    # Both phones have an app that hears of each round.
    told = {"phones": 2 * ROUNDS, "accessory": ROUNDS}
    updates = {name: [told[name] * taken for taken in each[name]] for name in each}
    yield Figure("peers/updates, two phones", "didUpdate/s", median(updates["phones"]), median(updates["accessory"]),
                 judged="ratio", bound=1, pairs=paired(updates["phones"], updates["accessory"]))
    hall = TOPOLOGIES / "scale" / "phones.yaml"
    yield Figure("peers/speed, a hall of 32 phones", "× real time",
                 20 / median([taken(hall, seeds=2) for _ in range(repeats)]))


def main(arguments):
    """`Scripts/bench peers`; returns the exit status."""
    parser = argparse.ArgumentParser(prog="Scripts/bench peers", description=__doc__.split("\n\n")[0])
    parser.parse_args(arguments)
    call_common("build_tool")
    return show(figures())
