"""Strangers and commands: each program that nobody of the house wrote plays with each command, to the end of its job.

A row is a stranger, with a healthy variant and a sick one; a column is a command. A cell is green where the healthy
one ends as it should and nobody is accused, the sick one is found and called by the right name, and no process and no
file is left. What cannot be done with a stranger is a sentence that the command says.

Exit status 0: all cells are green; 1: one is not; 70: something could not be done.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEALTHY, SICK = "healthy", "sick"
# Every command has its limit, which is no measure of anything: what stands still is a defect.
LIMIT = 900
TOPOLOGY = """devices:
  ben: {{{phone}, at: [0m, 0m]}}
  lock: {{{lock}, at: [1m, 0m]}}
{script}"""
SCRIPT = """length: 30s
steps:
  - {at: 8s, partition: [ben, lock], for: 6s}
  - {at: 16s, background: ben}
  - {at: 17s, foreground: ben}
"""
# Two sessions, for those whose seconds pass on the wall.
SHORT_SCRIPT = """length: 10s
steps:
  - {at: 4s, background: ben}
  - {at: 5s, foreground: ben}
"""


class Wrong(Exception):
    """Why a cell is not green."""


class Stranger:
    """A program with a healthy variant and a sick one.

    `words` gives the topology's words for a variant, `options` what conform, soak and compare are told; `finding` is what
    the sick one is called, and `status` how a command ends that finds it; `filtered` says what of the suite conform plays.
    `refusals` has the sentence of each command that cannot play it.
    """

    def __init__(self, words, options, finding, status=1, is_app=False, filtered=()):
        self.words, self.options, self.finding, self.status = words, options, finding, status
        self.is_app, self.filtered, self.refusals, self.script = is_app, filtered, {}, SCRIPT

    def topology(self, variant):
        phone, lock = "model: iPhone 15", "profile: qorvo"
        if self.is_app:
            phone = f'{self.words(variant)}, model: "iPhone17,1"'
        else:
            lock = self.words(variant)
        return TOPOLOGY.format(phone=phone, lock=lock, script=self.script)


def excerpt(said):
    """What a command said, without the logs that it quotes."""
    return "\n".join(line for line in said.splitlines() if not line.startswith("    "))[-4000:]


def changed(text, before, after, place):
    """A text with something changed, which has to be there."""
    if before not in text:
        raise Wrong(f"{place} has another text than this script knows")
    return text.replace(before, after, 1)


# Strangers


def in_c(world):
    """The firmware that `anechoic new firmware` makes; the sick one's radio goes on when its link has ended."""
    subprocess.run([world.tool, "new", "firmware", "door"], cwd=world.folder, check=True, capture_output=True)
    source = (world.folder / "door/door.c").read_text()
    sick = changed(source, "    niq_stop_uwb();\n    niq_reinit();\n    single", "    single", "door.c")
    library = re.search(r"ANECHOIC_C \?= (.*)", (world.folder / "door/Makefile").read_text())[1]
    for variant, text in (HEALTHY, source), (SICK, sick):
        (world.folder / f"{variant}.c").write_text(text)
        subprocess.run(["gcc", "-std=c11", "-O1", f"-I{library}/include", "-o", variant, f"{variant}.c",
                        *Path(library).glob("*.c")], cwd=world.folder, check=True)
    return Stranger(lambda variant: f"run: ./{variant}", lambda variant: ["--accessory", f"./{variant}"],
                    "quiet")


def in_python(world):
    """The example of the manual; the sick one dies as soon as it shall range."""
    example, hasty = ROOT / "Tests/Strangers/accessory.py", ROOT / "Tests/Strangers/hasty.py"
    for variant, words in (HEALTHY, f"{example}"), (SICK, f"{hasty} dies"):
        script = world.folder / variant
        script.write_text(f"#!/bin/sh\nexec python3 -B {words}\n")
        script.chmod(0o755)
    return Stranger(lambda variant: f"run: ./{variant}", lambda variant: ["--accessory", f"./{variant}"],
                    "crash of lock", status=3)


def on_bumble(world):
    """A lock on Bumble as a guest; the sick one tells the same configuration data in every session."""
    if not world.python:
        return None
    scripts = ROOT / "Tests/Guests"
    shutil.copy(scripts / "bumble_pairing.py", world.folder)
    source = (scripts / "bumble_lock.py").read_text()
    sick = changed(source, "(self.session + 1) % 65536", "self.session", "bumble_lock.py")
    for variant, text in (HEALTHY, source), (SICK, sick):
        (world.folder / f"{variant}.py").write_text(text)
    arguments = lambda variant: ["-B", str(world.folder / f"{variant}.py"), "unix:{}", "{uci}"]
    options = lambda variant: ["--accessory", world.python, "--accessory-hci", "unix"] + [
        word for one in arguments(variant) for word in ("--accessory-argument", one)]
    words = lambda variant: f"hci: {world.python}, arguments: {json.dumps(arguments(variant))}, uci: true"
    # A simple script: it has no service to pair for, and no patience with a phone that is gone.
    return Stranger(words, options, "fresh-configuration", filtered=["-k", "dropout or basics"])


def by_the_wall_clock(world):
    """A lock on Bumble that nobody puts into virtual time."""
    stranger = on_bumble(world)
    if stranger is None:
        return None
    once = "goes by the wall clock"
    guest, stranger.script = stranger.words, SHORT_SCRIPT
    stranger.words = lambda variant: guest(variant) + ", clock: wall"
    stranger.refusals = dict.fromkeys(["explore", "shrink", "explain"], once)
    for command in "conform", "soak", "killed":
        stranger.refusals[command] = None
    return stranger


def in_swift(world):
    """An app whose manager is a `static let shared`; the sick one crashes in the background."""
    for variant in HEALTHY, SICK:
        script = world.folder / variant
        script.write_text(f"#!/bin/sh\nexec {ROOT}/Tests/Strangers/singleton\n")
        script.chmod(0o755)
    defect = "crashes-in-background"
    words = lambda variant: f"run: ./{variant}, parameters: {{permission: allowed}}" + (
        f", defects: [{defect}]" if variant == SICK else "")
    options = lambda variant: ["--app", f"./{variant}"] + (["--defect", f"ben={defect}"] if variant == SICK else [])
    return Stranger(words, options, "crash of ben", status=3, is_app=True)


STRANGERS = {"c": in_c, "python": in_python, "swift": in_swift, "bumble": on_bumble, "wall": by_the_wall_clock}


# Commands


class World:
    """A folder in which one stranger plays."""

    def __init__(self, options, name):
        self.tool, self.python = str(options.tool), options.python
        self.runs, self.kills, self.quick = options.runs, options.kills, options.quick
        self.folder = options.folder / name
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "tmp").mkdir(parents=True)
        self.environment = {**os.environ, "TMPDIR": str(self.folder / "tmp"), "NO_COLOR": "1"}
        self.stranger = STRANGERS[name](self)
        for variant in HEALTHY, SICK:
            if self.stranger:
                (self.folder / f"{variant}.yaml").write_text(self.stranger.topology(variant))

    def start(self, *words, where=None):
        return subprocess.Popen([self.tool, *map(str, words)], cwd=where or self.folder, env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def call(self, *words, where=None):
        """How a command ended, and all that it said."""
        process = self.start(*words, where=where)
        try:
            said = "".join(process.communicate(timeout=LIMIT))
        except subprocess.TimeoutExpired:
            process.kill()
            raise Wrong(f"{words[0]} stood still: {' '.join(map(str, words))}") from None
        return process.returncode, said

    def expect(self, variant, *words, where=None, status=None, says=None):
        """Calls a command, and sees that it ends as it should of a variant; returns what it said."""
        ended, said = self.call(*words, where=where)
        self.judge(variant, ended, said, words, status, says)
        return said

    def judge(self, variant, ended, said, words, status=None, says=None):
        sick = variant == SICK
        if status is None:
            status = self.stranger.status if sick else 0
        if ended != status:
            raise Wrong(f"{variant}: {' '.join(map(str, words))} ended with {ended}, expected {status}: {excerpt(said)}")
        says = says or (self.stranger.finding if sick else None)
        if says and says not in said:
            raise Wrong(f"{variant}: {' '.join(map(str, words))} does not say '{says}': {excerpt(said)}")
        if "harness error" in said or "error of anechoic" in said:
            raise Wrong(f"{variant}: {' '.join(map(str, words))} tells of an error of ours: {excerpt(said)}")

    def processes(self):
        """Those that are still there after a while."""
        for _ in range(50):
            left = [pid for pid in os.listdir("/proc") if pid.isdigit() and self.is_ours(pid)]
            if not left:
                break
            time.sleep(0.1)
        return [f"process {pid}" for pid in left]

    def leftovers(self):
        """Processes that are still there, and files where none should be."""
        return self.processes() + [f"tmp/{name}" for name in os.listdir(self.folder / "tmp")]

    def is_ours(self, pid):
        try:
            return Path(os.readlink(f"/proc/{pid}/cwd")).is_relative_to(self.folder)
        except OSError:
            return False

    def failing(self, variant):
        """The replay file of a run with this variant."""
        if not (self.folder / f"out/{variant}/1/replay.json").exists():
            self.call("run", f"{variant}.yaml")
        return f"out/{variant}/1/replay.json"


def run(world, variant):
    world.expect(variant, "run", f"{variant}.yaml", "--seeds", "1" if world.quick else "1..4")


def twice(world, variant):
    world.expect(variant, "run", f"{variant}.yaml", "--seeds", "1..3", "--twice", "--out", "twice")


def explore(world, variant):
    world.expect(variant, "explore", f"{variant}.yaml", "--runs", min(160, world.runs), "--out", f"explore-{variant}")


def shrink(world, variant):
    replay = world.failing(variant)
    if variant == HEALTHY:
        return world.expect(variant, "shrink", replay, "--trust", status=64, says="held")
    said = world.expect(variant, "shrink", replay, "--trust")
    text = (world.folder / "out/sick/1/shrunk/topology.yaml").read_text()
    if str(world.folder) in text and str(world.folder) not in (world.folder / "sick.yaml").read_text():
        raise Wrong(f"the smaller topology has a path of this machine: {text}")
    return said


def explain(world, variant):
    replay = world.failing(variant)
    if variant == HEALTHY:
        return world.expect(variant, "explain", replay, "--trust", status=64, says="held")
    # What fails in every order has no run that passes, and so no race.
    ended, said = world.call("explain", replay, "--trust", "--runs", 20, *(["--replays", 40] if world.quick else []))
    status = 2 if "no passing run was found" in said else 0
    world.judge(variant, ended, said, ["explain", replay], status=status)
    return said


def conform(world, variant):
    filtered = ["-k", "dropout or faults"] if world.quick else world.stranger.filtered
    words = ["conform", *world.stranger.options(variant), "--seeds", 1, "--no-sweep", "--no-search", "--gate",
             "violations", "--out", f"conform-{variant}", *filtered]
    world.expect(variant, *words)


def soak_words(world, variant, out):
    return ["soak", ROOT / "Topologies/basics/one-to-one.yaml", *world.stranger.options(variant), "--runs", world.runs,
            "--jobs", 2, "--seed", 1, "--out", out]


def soak(world, variant):
    world.expect(variant, *soak_words(world, variant, f"soak-{variant}"))
    summary = json.loads((world.folder / f"soak-{variant}/soak.json").read_text())
    if variant == HEALTHY and summary["groups"]:
        raise Wrong(f"a healthy program is accused: {[group['fingerprint'] for group in summary['groups']]}")


def family(pid):
    """All that descend from a process."""
    parents = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            stat = Path(f"/proc/{entry}/stat").read_text()
            parents[int(entry)] = int(stat.rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError, IndexError):
            continue
    found, fresh = [], [pid]
    while fresh:
        fresh = [child for child, parent in parents.items() if parent in fresh]
        found += fresh
    return found


def killed(world, variant):
    """A campaign of which whoever plays in it is killed at random moments, and which goes on."""
    chance, out, words = random.Random(1), f"killed-{variant}", soak_words(world, variant, f"killed-{variant}")
    done = 0
    while True:
        begun = (world.folder / out / "history.sqlite").exists() and world.call("report", out, "--out", "page.html")[0] == 0
        process = world.start(*(["soak", "--resume", out] if begun else words))
        while done < world.kills and process.poll() is None:
            time.sleep(chance.uniform(0.1, 1.5))
            victims = family(process.pid) + [process.pid]
            victim = chance.choice(victims)
            try:
                os.kill(victim, signal.SIGKILL)
                done += 1
            except ProcessLookupError:
                continue
            if victim == process.pid:
                break
        try:
            # An interpreter that dies in each run plays ten in a second.
            said = "".join(process.communicate(timeout=LIMIT + world.runs / 5))
        except subprocess.TimeoutExpired:
            process.kill()
            raise Wrong(f"{variant}: a soak that was killed stood still") from None
        if process.returncode != -signal.SIGKILL:
            break
        left = world.processes()
        if left:
            raise Wrong(f"{variant}: left behind by a soak that was killed: {', '.join(left)}")
        # What was killed cannot put its folder of sockets away; the next run that needs one does.
        shutil.rmtree(world.folder / "tmp")
        (world.folder / "tmp").mkdir()
    world.judge(variant, process.returncode, said, ["soak --resume", out])
    summary = json.loads((world.folder / out / "soak.json").read_text())
    if variant == HEALTHY and summary["groups"]:
        raise Wrong(f"a healthy program is accused: {[group['fingerprint'] for group in summary['groups']]}")


def compare(world, variant):
    for one in HEALTHY, variant:
        shutil.rmtree(world.folder / f"compare-{one}", ignore_errors=True)
        shutil.copy(world.folder / f"{one}.yaml", world.folder / "pair.yaml")
        world.call("run", "pair.yaml", "--seeds", "1..4", "--out", f"compare-{one}")
    status = 1 if variant == SICK else 0
    world.expect(variant, "compare", f"compare-{HEALTHY}", f"compare-{variant}", status=status)


def report(world, variant):
    folder = str(Path(world.failing(variant)).parent)
    world.expect(variant, "report", folder, "--out", f"{variant}.html", status=0, says="page: ")
    if world.stranger.finding not in (world.folder / f"{variant}.html").read_text() and variant == SICK:
        raise Wrong("the page does not say what was found")


def bundle(world, variant):
    """A run goes into a file, and is played again in another folder, where the program lies elsewhere."""
    folder = str(Path(world.failing(variant)).parent)
    away = world.folder / f"away-{variant}"
    shutil.rmtree(away, ignore_errors=True)
    away.mkdir()
    world.expect(variant, "bundle", folder, "--output", away / "run.zip", status=0, says=".zip")
    words = []
    if (world.folder / variant).exists():
        shutil.copy(world.folder / variant, away / "mine")
        words = ["--program", f"{'ben' if world.stranger.is_app else 'lock'}=./mine"]
        (world.folder / variant).rename(world.folder / "hidden")
    try:
        world.expect(variant, "replay", "run.zip", "--trust", *words, where=away)
    finally:
        if words:
            (world.folder / "hidden").rename(world.folder / variant)


COMMANDS = {"run": run, "--twice": twice, "explore": explore, "shrink": shrink, "explain": explain, "conform": conform,
            "soak": soak, "killed": killed, "compare": compare, "report": report, "bundle": bundle}


def played(world, command):
    """What stands in a cell, and why it is not green."""
    if world.stranger is None:
        return "-", None
    refusals = world.stranger.refusals
    if command in refusals and refusals[command] is None:
        return "n/a", None
    try:
        for variant in HEALTHY, SICK:
            if command in refusals:
                world.failing(variant)
                words = {"shrink": ["shrink", world.failing(variant), "--trust"],
                         "explain": ["explain", world.failing(variant), "--trust"]}
                world.expect(variant, *words.get(command, [command, f"{variant}.yaml"]), status=64, says=refusals[command])
            else:
                COMMANDS[command](world, variant)
            left = world.leftovers()
            if left:
                raise Wrong(f"{variant}: left behind: {', '.join(left)}")
    except Wrong as wrong:
        return "FAILS", str(wrong)
    return ("refused" if command in refusals else "ok"), None


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("tool", type=Path, help="the program anechoic")
    parser.add_argument("folder", type=Path, help="where to work; what is there of strangers goes first")
    parser.add_argument("--python", help="a Python that has Bumble")
    parser.add_argument("--runs", type=int, default=480, help="of each campaign (480)")
    parser.add_argument("--kills", type=int, default=6, help="of each campaign that is killed (6)")
    parser.add_argument("--quick", action="store_true", help="fewer seeds, and of the suite two folders")
    parser.add_argument("cells", nargs="*", help="STRANGER/COMMAND; all where none is named")
    return parser.parse_intermixed_args()


def main():
    options = parsed()
    options.tool = options.tool.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    options.folder = options.folder.resolve()
    # Not resolved: a virtual environment knows itself by the link.
    options.python = options.python and os.path.abspath(options.python)
    wanted = [tuple(cell.split("/", 1)) for cell in options.cells] or [
        (name, command) for name in STRANGERS for command in COMMANDS]
    for name, command in wanted:
        if name not in STRANGERS or command not in COMMANDS:
            sys.exit(f"{name}/{command} is no cell: strangers are {', '.join(STRANGERS)}; commands {', '.join(COMMANDS)}")
    table, failures = {}, []
    for name in dict.fromkeys(name for name, _ in wanted):
        world = World(options, name)
        for command in [command for stranger, command in wanted if stranger == name]:
            table[name, command], reason = played(world, command)
            if reason:
                failures.append(f"{name}/{command}: {reason}")
    commands = [command for command in COMMANDS if any(command == cell[1] for cell in table)]
    print(" ".join(["stranger".ljust(8)] + [command.rjust(8) for command in commands]))
    for name in dict.fromkeys(name for name, _ in table):
        print(" ".join([name.ljust(8)] + [table.get((name, command), "").rjust(8) for command in commands]))
    print("\n".join(failures), end="\n" if failures else "")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
