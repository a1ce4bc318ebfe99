"""Plays inputs that libFuzzer makes against the doors for foreign bytes.

Targets take turns in pieces of at most five minutes; what was played adds up in .build/fuzz/tally.json.
An input that traps is kept below Tests/Fuzzing/crashes and so becomes a test. Exit status 0: nothing
was found; 1: something was; 64: wrong arguments; 69: another one is at work; 130: interrupted.
"""

import argparse
import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / ".build/fuzz"
TALLY = WORK / "tally.json"
KEPT = ROOT / "Tests/Fuzzing"
TABLES = [KEPT / "FuzzBytes/FuzzTarget.swift", KEPT / "FuzzRuns/AllTargets.swift"]

GOALS = {"bytes": 10**8, "conversation": 10**6, "text": 10**7, "run": 10**5}
# Kinds whose targets stand in the first table; their inputs have no words.
OF_BYTES = ("bytes", "conversation")
LONGEST_PIECE = 300
# What is kept in the repository: so many bytes and files a target, and no file above 4 KiB.
KEPT_BYTES, KEPT_FILES, KEPT_LENGTH = 36_000, 200, 4_096
# Files that are there anyway and worth beginning with.
SEEDS = {"topology": "Topologies", "promises": "Sources/Language/PromiseLibrary/Library"}
# Nothing may take longer than this many seconds, or more than this many MiB.
TIMEOUT, MEMORY = 20, 2_048


class WrongUse(Exception):
    """A sentence for the user."""


class Target:
    def __init__(self, name, kind, longest, about):
        self.name, self.kind, self.longest, self.about = name, kind, int(longest), about
        self.goal = GOALS[kind]
        self.program = WORK / "release" / ("fuzz-bytes" if kind in OF_BYTES else "fuzz-runs")
        self.corpus = WORK / "corpus" / name
        self.found = WORK / "found" / name
        self.log = WORK / "log" / f"{name}.log"

    def command(self, *options):
        """The fuzzer on this target, in an environment in which equal inputs take equal ways."""
        self.corpus.mkdir(parents=True, exist_ok=True)
        self.found.mkdir(parents=True, exist_ok=True)
        self.log.parent.mkdir(parents=True, exist_ok=True)
        return [str(self.program), f"-max_len={self.longest}", f"-timeout={TIMEOUT}",
                f"-rss_limit_mb={MEMORY}", "-detect_leaks=0", "-print_final_stats=1",
                "-len_control=0", f"-artifact_prefix={self.found}/", *options]

    @property
    def environment(self):
        memory = "/dev/shm"
        return {**os.environ, "ANECHOIC_FUZZ_TARGET": self.name,
                "SWIFT_BACKTRACE": "enable=no", "SWIFT_DETERMINISTIC_HASHING": "1",
                # Where memory was taken is told by playing the input again; noting it costs a tenth.
                "ASAN_OPTIONS": "detect_leaks=0:malloc_context_size=1:quarantine_size_mb=16",
                "TMPDIR": memory if os.access(memory, os.W_OK) else str(WORK)}

    @property
    def folders(self):
        """What to begin with; new inputs go into the first."""
        others = [KEPT / "corpus" / self.name, KEPT / "crashes" / self.name]
        if self.name in SEEDS:
            others.append(ROOT / SEEDS[self.name])
        return [self.corpus] + [folder for folder in others if folder.is_dir()]

    def dictionary(self):
        """The words of the files to begin with: whoever makes texts should know them; None for bytes."""
        words = set()
        if self.kind in OF_BYTES or self.name == "device-turns":
            return None
        for folder in self.folders[1:]:
            for file in folder.rglob("*"):
                if file.is_file():
                    words |= set(re.findall(rb"[A-Za-z][A-Za-z0-9.-]{2,30}", file.read_bytes()))
        file = WORK / f"{self.name}.dict"
        file.write_text("".join(f'"{word.decode()}"\n' for word in sorted(words)))
        return file if words else None


def targets():
    rows = re.findall(r'FuzzTarget\(\s*"([a-z0-9-]+)",\s*\.(\w+),\s*longest:\s*(\d+),\s*"([^"]+)"',
                      "".join(table.read_text() for table in TABLES))
    if not rows:
        raise SystemExit(f"fuzz: no target is named in {TABLES}")
    return [Target(*row) for row in rows]


def seconds(text):
    match = re.fullmatch(r"(\d+)(s|m|h)", text)
    if not match or int(match[1]) == 0:
        raise WrongUse(f"--for {text}: expected a length as 30s, 10m or 2h.")
    return int(match[1]) * {"s": 1, "m": 60, "h": 3600}[match[2]]


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise WrongUse(f"{message}.\n{self.format_usage().rstrip()}")


def parsed(arguments):
    parser = Parser(prog="Scripts/fuzz", description=__doc__,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="play these only")
    parser.add_argument("--for", dest="length", default="10m", metavar="LENGTH",
                        help="how long in all: 30s, 10m, 2h (10m)")
    parser.add_argument("--jobs", default="1", metavar="N", help="so many targets at once (1)")
    parser.add_argument("--list", action="store_true", help="print the targets")
    parser.add_argument("--tally", action="store_true", help="print what was played so far")
    parser.add_argument("--keep", action="store_true",
                        help="take the smallest inputs that cover as much into the repository")
    parser.add_argument("--play", metavar="FILE", help="play this one input against TARGET")
    options = parser.parse_args(arguments)
    known = {target.name: target for target in targets()}
    for name in options.targets:
        if name not in known:
            raise WrongUse(f"there is no target '{name}'; there is: {', '.join(known)}.")
    options.chosen = [known[name] for name in dict.fromkeys(options.targets)] or [*known.values()]
    options.seconds = seconds(options.length)
    if not re.fullmatch(r"[1-9]\d?", options.jobs):
        raise WrongUse(f"--jobs {options.jobs}: expected 1 to 99.")
    options.jobs = int(options.jobs)
    if options.play and len(options.targets) != 1:
        raise WrongUse("--play needs the one target that the input is for.")
    if options.play and not Path(options.play).is_file():
        raise WrongUse(f"--play {options.play}: there is no such file.")
    return options


# The tally


def tally():
    try:
        return json.loads(TALLY.read_text())
    except FileNotFoundError:
        return {}


def add(target, piece):
    """Adds a piece to the tally, whole or not at all."""
    total = tally()
    mine = total.setdefault(target.name, {"inputs": 0, "seconds": 0, "found": 0})
    mine["inputs"] += piece.inputs
    mine["seconds"] = round(mine["seconds"] + piece.seconds, 1)
    mine["found"] += len(piece.found)
    mine.update(piece.coverage)
    new = TALLY.with_suffix(".new")
    new.write_text(json.dumps(total, indent=1, sort_keys=True) + "\n")
    new.replace(TALLY)


def show_tally(chosen):
    total = tally()
    lines = [("target", "inputs", "of", "goal", "inputs/s", "edges", "features", "found")]
    for target in chosen:
        mine = total.get(target.name, {})
        inputs, took = mine.get("inputs", 0), mine.get("seconds", 0)
        lines.append((target.name, f"{inputs:,}", f"{inputs / target.goal:.1%}",
                      f"{target.goal:,}", f"{inputs / took:,.0f}" if took else "",
                      f"{mine.get('cov', '')}", f"{mine.get('ft', '')}",
                      f"{mine.get('found', 0)}"))
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]
        print("  ".join(cells).rstrip())


# Pieces


class Piece:
    """A target that plays for a while."""

    def __init__(self, target, length):
        self.target, self.start = target, time.monotonic()
        self.before = set(target.found.iterdir()) if target.found.is_dir() else set()
        options = [f"-max_total_time={length}", "-reload=0"]
        if target.kind == "run":
            # It weighs features, of which a run has tens of thousands.
            options.append("-entropic=0")
        if dictionary := target.dictionary():
            options.append(f"-dict={dictionary}")
        command = target.command(*options, *map(str, target.folders))
        with open(target.log, "wb") as log:
            # In a session of its own: an interrupt comes from us, once.
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=WORK,
                                            env=target.environment, start_new_session=True)

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(0.6)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def finish(self):
        """Reads what became of it."""
        self.seconds = time.monotonic() - self.start
        text = self.target.log.read_text(errors="replace")
        steps = re.findall(r"^#(\d+)\s+(\w+)\s+cov: (\d+) ft: (\d+)", text, re.MULTILINE)
        # What was there before is played again at the beginning and counts only once.
        loaded = next((int(count) for count, word, _, _ in steps if word == "INITED"), 0)
        stat = re.search(r"^stat::number_of_executed_units:\s*(\d+)", text, re.MULTILINE)
        played = int(stat[1]) if stat else int(steps[-1][0]) if steps else 0
        self.inputs = max(0, played - loaded)
        self.coverage = dict(zip(("cov", "ft"), map(int, steps[-1][2:]))) if steps else {}
        after = set(self.target.found.iterdir())
        self.found = sorted(file for file in after - self.before
                            if not file.name.startswith("slow-unit"))
        status = self.process.returncode
        self.problem = None
        if status != 0 and not self.found and "run interrupted" not in text and status != -9:
            self.problem = f"{self.target.name}: the fuzzer ended with {status}; see {self.target.log}"

    def say(self):
        rate = self.inputs / self.seconds if self.seconds else 0
        cover = " ".join(f"{key} {value:,}" for key, value in self.coverage.items())
        print(f"{self.target.name:20} {self.seconds:5.0f} s {self.inputs:13,} inputs "
              f"{rate:9,.0f}/s  {cover}", flush=True)


def keep_crash(target, file):
    """Takes an input that must not trap into the repository, as small as half a minute makes it."""
    smaller = target.found.parent / f"{target.name}.smaller"
    smaller.unlink(missing_ok=True)
    subprocess.run(target.command("-minimize_crash=1", "-max_total_time=30",
                                  f"-exact_artifact_path={smaller}", str(file)),
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=WORK,
                   env=target.environment, check=False)
    best = smaller if smaller.is_file() and smaller.stat().st_size <= file.stat().st_size else file
    content = best.read_bytes()
    folder = KEPT / "crashes" / target.name
    folder.mkdir(parents=True, exist_ok=True)
    kind = file.name.split("-")[0]
    kept = folder / f"{kind}-{hashlib.sha1(content).hexdigest()[:12]}"
    kept.write_bytes(content)
    return kept


def reason(target):
    """What the fuzzer's log says about the input that it stopped at."""
    text = target.log.read_text(errors="replace")
    found = re.findall(r"^(?:.*Fatal error: .*|.*ERROR: (?:libFuzzer|AddressSanitizer): .*)$", text,
                       re.MULTILINE)
    return found[0].strip() if found else "see " + str(target.log)


def fuzz(options, stop):
    goals = tally()
    spent = {target: 0.0 for target in options.chosen}
    running, kept, problems = [], [], []
    end = time.monotonic() + options.seconds
    share = options.seconds * options.jobs / len(options.chosen)
    while not stop and (running or time.monotonic() < end):
        free = [target for target in spent if all(piece.target != target for piece in running)]
        # In turn; those that have reached their goal come last.
        free.sort(key=lambda target: (
            goals.get(target.name, {}).get("inputs", 0) >= target.goal, spent[target]))
        rest = end - time.monotonic()
        if free and len(running) < options.jobs and rest > 1:
            length = max(1, round(min(share, LONGEST_PIECE, rest)))
            running.append(Piece(free[0], length))
            continue
        time.sleep(0.1)
        for piece in [piece for piece in running if piece.process.poll() is not None]:
            running.remove(piece)
            ended(piece, kept, problems)
            spent[piece.target] += piece.seconds
            goals = tally()
            if piece.found or piece.problem:
                del spent[piece.target]
        if not spent and not running:
            break
    for piece in running:
        piece.interrupt()
        ended(piece, kept, problems, minimises=False)
    return kept, problems


def ended(piece, kept, problems, minimises=True):
    piece.finish()
    add(piece.target, piece)
    piece.say()
    if piece.problem:
        problems.append(piece.problem)
    for file in piece.found:
        why = reason(piece.target)
        if minimises:
            kept.append((piece.target, keep_crash(piece.target, file), why))
        else:
            kept.append((piece.target, file, why))


# The corpus


def keep(target):
    """Replaces what the repository keeps of a target by a small set that reaches as much."""
    merged = WORK / "merged" / target.name
    shutil.rmtree(merged, ignore_errors=True)
    merged.mkdir(parents=True)
    # Edges alone: how often each was passed would keep thousands.
    subprocess.run(target.command("-set_cover_merge=1", "-use_counters=0", str(merged),
                                  *map(str, target.folders)),
                   stdout=subprocess.DEVNULL, stderr=open(target.log, "wb"), cwd=WORK,
                   env=target.environment, check=False)
    files = sorted((file for file in merged.iterdir() if file.stat().st_size <= KEPT_LENGTH),
                   key=lambda file: (file.stat().st_size, file.name))
    folder = KEPT / "corpus" / target.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    size = 0
    for file in files[:KEPT_FILES]:
        size += file.stat().st_size
        if size > KEPT_BYTES:
            break
        shutil.copyfile(file, folder / file.name[:12])
    print(f"{target.name}: {len(list(folder.iterdir()))} of {len(files)} inputs kept", flush=True)


def alone():
    """Holds the folder of the fuzzer for as long as this process lives."""
    WORK.mkdir(parents=True, exist_ok=True)
    lock = open(WORK / "fuzz.lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        print("fuzz: another Scripts/fuzz is at work here; wait for it, or end it.",
              file=sys.stderr)
        raise SystemExit(69) from None
    return lock


def tell(kept, problems):
    for target, file, why in kept:
        print(f"\n{target.name}: {why}\n  kept as {os.path.relpath(file)}; play it again by\n"
              f"  Scripts/fuzz {target.name} --play {os.path.relpath(file)}", flush=True)
    for problem in problems:
        print(f"fuzz: {problem}", file=sys.stderr)


def main(arguments):
    checks = arguments[:1] == ["--check"]
    try:
        options = parsed(arguments[1:] if checks else arguments)
    except WrongUse as wrong:
        print(f"fuzz: {wrong}", file=sys.stderr)
        return 64
    builds = not options.list and not options.tally
    if checks:
        print("build" if builds else "")
        return 0
    if options.list:
        for target in options.chosen:
            print(f"{target.name:20} {target.about} Goal: {target.goal:,} inputs.")
        return 0
    if options.tally:
        show_tally(options.chosen)
        return 0
    if options.play:
        target = options.chosen[0]
        os.execve(target.program, target.command(str(Path(options.play).resolve())), target.environment)
    lock = alone()
    if options.keep:
        for target in options.chosen:
            keep(target)
        return 0
    stop = []
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.append(True))
    kept, problems = fuzz(options, stop)
    tell(kept, problems)
    lock.close()
    return 130 if stop else 1 if kept else 70 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
