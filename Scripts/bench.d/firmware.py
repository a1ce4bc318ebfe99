"""What firmware of one's own costs: the accessory that `anechoic new firmware` makes, beside the reference accessory.

A start is from the making of the process to its word that it is ready, as a restart after a kill has it. A run is
measured by `explore`, which writes nothing, with the same phone: in turns, so that the machine's drift hits both.
"""

import argparse
import os
import shutil
import struct
import subprocess
import sys
import time

from harness import ROOT, TOOL, WORK, Failed, Figure, against, alternate, call_common, called, median, searched, show

sys.path.insert(0, str(ROOT / "Sources/Devices/Foreign/Python"))

from anechoic import link

FOLDER = WORK / "firmware"
STARTS = 200
TOPOLOGY = """length: 20s
devices:
  ben: {{model: iPhone 15}}
  lock: {accessory}
"""


# A reset (DEVICE-LINK.md section 4): a name, no model, and nothing else that is set.
RESET = bytes([link.RESET]) + link.block(b"lock") + link.block(b"") + bytes(4 + 8 + 7) + bytes(2 + 2 + 2)
READY = struct.pack("<IB", 1, link.READY)


def start(program):
    """Milliseconds from the making of a process to its being ready."""
    ours, theirs = os.pipe(), os.pipe()
    begin = time.perf_counter()
    process = subprocess.Popen(
        [program], pass_fds=(ours[0], theirs[1]),
        env={"ANECHOIC_LINK": f"pipes:{ours[0]},{theirs[1]}"}, stderr=subprocess.PIPE)
    os.close(ours[0])
    os.close(theirs[1])
    os.write(ours[1], struct.pack("<I", len(RESET)) + RESET)
    said = b""
    while not said.endswith(READY):
        more = os.read(theirs[0], 4096)
        if not more:
            raise Failed(f"{program} is not ready: {process.communicate()[1].decode()}")
        said += more
    taken = time.perf_counter() - begin
    os.close(ours[1])
    os.close(theirs[0])
    process.communicate()
    return taken * 1e3


def topology(name, accessory):
    file = FOLDER / f"{name}.yaml"
    file.write_text(TOPOLOGY.format(accessory=accessory))
    return file


def build(name):
    """The firmware by this name, made and built; returns its program."""
    called(TOOL, "new", "firmware", name, "--in", "c", cwd=FOLDER)
    called("make", cwd=FOLDER / name)
    return FOLDER / name / name


def figures(repeats=5):
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    program = build("bench-c")
    yield Figure("firmware/start, in C", "ms", median([start(program) for _ in range(STARTS)]), bound=3, at_most=True)
    reference = topology("reference", "{profile: qorvo}")
    own = topology("own", f"{{run: {program}, model: qorvo}}")
    each = alternate(repeats, reference=lambda: searched(reference, "process"), own=lambda: searched(own, "process"))
    yield Figure("firmware/run, reference accessory", "ms", median(each["reference"]))
    yield against("firmware/run, in C", "ms", each["own"], each["reference"], 1.5)


def main(arguments):
    """`Scripts/bench firmware`; returns the exit status."""
    parser = argparse.ArgumentParser(prog="Scripts/bench firmware", description=__doc__.split("\n\n")[0])
    parser.parse_args(arguments)
    call_common("build_tool")
    return show(figures())
