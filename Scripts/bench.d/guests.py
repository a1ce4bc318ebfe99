"""What a guest costs: somebody else's host, unchanged, in virtual time behind its door.

A turn is that of a program in C that waits for a millisecond and looks at its controller; the floor is two programs
in C that hand a frame to and fro, which know no door. A run of a search writes nothing.
"""

import argparse
import shutil
import subprocess
import time

from harness import (ROOT, TOOL, WORK, Figure, alternate, call_common, called, compiled_floor, median, paired,
                     python_with_bumble, rate, run, searched, show)

FOLDER = WORK / "guests"
GUESTS = ROOT / "Tests" / "Guests"
SHORT, LONG = 2, 22


def topology(name, length, *devices):
    file = FOLDER / f"{name}.yaml"
    file.write_text("\n".join([f"length: {length}s", "devices:", *(f"  {device}" for device in devices)]) + "\n")
    return file


def polling(program, microseconds):
    return f'lock: {{hci: {program}, arguments: ["{{}}", "{microseconds}"], at: [0m, 0m]}}'


def bumble(python):
    return (f'lock: {{hci: {python}, arguments: [{GUESTS}/bumble_lock.py, "unix:{{}}", "{{uci}}"], uci: true, '
            "at: [1m, 0m]}")


def bumbles(python, clock):
    """A phone and a lock on Bumble, which pair."""
    words = {"phone": '"unix:{}", secure-connections', "lock": '"unix:{}", "{uci}", secure-connections'}
    hosts = {name: f"hci: {python}, arguments: [{GUESTS}/bumble_{name}.py, {given}], clock: {clock}"
             for name, given in words.items()}
    return (f"ben: {{{hosts['phone']}, model: iPhone 15, at: [0m, 0m]}}",
            f"lock: {{{hosts['lock']}, uci: true, at: [1m, 0m]}}")


def seconds(file, *more):
    begin = time.perf_counter()
    called(TOOL, "run", file, "--no-out", "--quiet", *more, cwd=FOLDER)
    return time.perf_counter() - begin


def turn_rate(short, long):
    """Turns a second, without the starts: a longer run less a shorter one."""
    return (LONG - SHORT) * 1000 / (seconds(long) - seconds(short))


def memory(file):
    """The proportional set size of a door and what it has started, in MiB, while runs go on."""
    search = subprocess.Popen([str(TOOL), "explore", str(file), "--runs", "4000", "--jobs", "1", "--out", "memory"],
                              cwd=FOLDER, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    taken = []
    while len(taken) < 20 and search.poll() is None:
        time.sleep(0.1)
        sizes = []
        for process in below(search.pid):
            try:
                name = open(f"/proc/{process}/comm").read().strip()
                if name not in ("anechoic", "apple-device"):
                    lines = open(f"/proc/{process}/smaps_rollup").read().splitlines()
                    sizes += [int(line.split()[1]) for line in lines if line.startswith("Pss:")]
            except OSError:
                continue
        taken.append(sum(sizes) / 1024)
    search.terminate()
    search.wait()
    return median(taken)


def below(process):
    try:
        children = open(f"/proc/{process}/task/{process}/children").read().split()
    except OSError:
        return []
    return children + [other for child in children for other in below(child)]


def figures(repeats=5):
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    program, floor, python = FOLDER / "polls", compiled_floor(), python_with_bumble()
    called("cc", "-O2", "-o", program, GUESTS / "polls.c", cwd=FOLDER)
    short, long = (topology(f"turns-{length}", length, polling(program, 1000)) for length in (SHORT, LONG))
    each = alternate(repeats, ours=lambda: turn_rate(short, long),
                     floor=lambda: rate(run(floor, 1, "sequential", 32, 32, 0.6)))
    yield Figure("guests/turns, in C", "turns/s", median(each["ours"]), median(each["floor"]), judged="ratio",
                 bound=0.4, pairs=paired(each["ours"], each["floor"]))
    alone = topology("alone", 20, polling(program, 1_000_000))
    phone = "ben: {model: iPhone 15, at: [0m, 0m]}"
    beside = topology("beside", 20, phone, polling(program, 1_000_000))
    yield Figure("guests/runs, in C", "runs/s", 1e3 / median([searched(alone, "process") for _ in range(repeats)]),
                 bound=150)
    yield Figure("guests/runs, in C beside a phone", "runs/s",
                 1e3 / median([searched(beside, "process") for _ in range(repeats)]))
    pair = topology("pair", 20, phone, bumble(python))
    taken = median([searched(pair, "process", runs=100) for _ in range(repeats)])
    yield Figure("guests/runs, a lock on Bumble that ranges", "runs/s", 1e3 / taken)
    yield Figure("guests/speed, a lock on Bumble that ranges", "× real time", 20e3 / taken)
    virtual, wall = (topology(f"bumbles-{clock}", 20, *bumbles(python, clock)) for clock in ("virtual", "wall"))
    each = alternate(2, ours=lambda: 20 / seconds(virtual), floor=lambda: 20 / seconds(wall))
    yield Figure("guests/speed, two Bumbles, against the same by the wall clock", "× real time",
                 median(each["ours"]), median(each["floor"]), judged="ratio", bound=1,
                 pairs=paired(each["ours"], each["floor"]))
    yield Figure("guests/memory, in C", "MiB", memory(alone))
    yield Figure("guests/memory, Bumble", "MiB", memory(pair))


def main(arguments):
    """`Scripts/bench guests`; returns the exit status."""
    parser = argparse.ArgumentParser(prog="Scripts/bench guests", description=__doc__.split("\n\n")[0])
    parser.parse_args(arguments)
    call_common("build_tool")
    return show(figures())
