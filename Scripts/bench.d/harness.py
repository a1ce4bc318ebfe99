"""What every measurement needs: programs to run, and figures that know what is demanded of them."""

import hashlib
import json
import os
import resource
import select
import shutil
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / ".build"
WORK = BUILD / "bench"
TOOL = BUILD / "release" / "anechoic"
MEASURER = BUILD / "release" / "anechoic-bench"
TOPOLOGIES = ROOT / "Topologies"
BUMBLE = "bumble==0.0.236"
TIMEOUT = 120
# The floor of a turn, two processes, on the machine that the absolute demands come from, in µs. A
# machine that takes longer to switch between processes is asked for as much less.
REFERENCE_FLOOR = 5.5


class Failed(Exception):
    """A program that did not do what it was started for."""


@dataclass
class Figure:
    """One measured figure, what it is measured against, and what is demanded.

    `judged` says what is compared with `bound`: "ours"; "ratio" (ours / peer, or `pairs`, the median
    of what samples taken one after the other give, which the machine's drift does not reach); "drift" (how far that
    ratio is from 1); "difference" (between ours and peer); "scaled" (ours, where the peer, the floor
    of a turn in µs, is REFERENCE_FLOOR). Without a bound it is only printed.
    """

    name: str
    unit: str
    ours: float
    peer: float | None = None
    judged: str = "ours"
    bound: float | None = None
    at_most: bool = False
    pairs: float | None = None
    samples: dict = field(default_factory=dict)

    @property
    def value(self):
        return {
            "ours": lambda: self.ours,
            "ratio": lambda: self.pairs or self.ours / self.peer,
            "drift": lambda: abs(self.ours / self.peer - 1),
            "difference": lambda: abs(self.ours - self.peer),
            "scaled": lambda: self.ours * self.peer / REFERENCE_FLOOR,
        }[self.judged]()

    @property
    def passed(self):
        if self.bound is None:
            return True
        return self.value <= self.bound if self.at_most else self.value >= self.bound

    @property
    def shortfall(self):
        """By how much of the demand it misses it; 0 where it does not."""
        return 0 if self.passed else abs(self.value - self.bound) / self.bound

    def as_json(self):
        keys = ("name", "unit", "ours", "peer", "judged", "value", "bound", "at_most", "passed",
                "shortfall", "samples")
        return {key: getattr(self, key) for key in keys}


class Kept:
    """What was measured before, one JSON object a line, so that pieces add up; a later line replaces one of the same key."""

    def __init__(self, file):
        self.file = file
        self.known = {}
        if file.exists():
            self.known = {record["key"]: record for record in map(json.loads, file.read_text().splitlines())}

    def of(self, key, measure):
        """The record of a key, measured where it is not known."""
        if key not in self.known:
            record = {"key": key, **measure()}
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("a") as lines:
                lines.write(json.dumps(record) + "\n")
            self.known[key] = record
        return self.known[key]


def digest(files):
    whole = hashlib.sha256()
    for file in files:
        whole.update(file.read_bytes())
    return whole.hexdigest()[:12]


def median(samples):
    return statistics.median(samples)


def alternate(repeats, **sources):
    """Takes one sample of each source in turn, `repeats` times: drift of the machine hits all."""
    samples = {name: [] for name in sources}
    for _ in range(repeats):
        for name, take in sources.items():
            samples[name].append(take())
    return samples


def paired(ours, peer):
    """The median ratio of samples that were taken in the same turn."""
    return median([one / other for one, other in zip(ours, peer)])


def against(name, unit, ours, peer, bound):
    """A figure of samples beside those of a peer, taken in turns, and how many times those it is at most."""
    return Figure(name, unit, median(ours), median(peer), judged="ratio", bound=bound, at_most=True,
                  pairs=paired(ours, peer))


def medians(samples):
    return {name: median(values) for name, values in samples.items()}


def processor_seconds():
    """The processor time of all child processes that have ended, and of theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(*command):
    """Runs a program that prints one JSON object; adds the processor time of all its processes."""
    command = [str(part) for part in command]
    before = processor_seconds()
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT, cwd=WORK,
            stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise Failed(f"{' '.join(command)}: no end within {TIMEOUT} s") from None
    taken = processor_seconds() - before
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()[-8:]
        raise Failed("\n    ".join([f"{' '.join(command)}: status {done.returncode}", *said]))
    try:
        result = json.loads(done.stdout)
    except ValueError:
        raise Failed(f"{' '.join(command)}: not JSON: {done.stdout[:200]!r}") from None
    result["processor_seconds"] = taken
    return result


def called(*command, cwd):
    """Runs a program to its end; returns what it has written."""
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))}: {done.returncode}: {(done.stderr or done.stdout)[-600:]}")
    return done.stdout


def searched(file, hosting, runs=400):
    """Milliseconds of a run of a search, which writes nothing."""
    folder = file.parent / f"explore-{file.stem}-{hosting}"
    called(TOOL, "explore", file, "--runs", runs, "--jobs", 1, "--out", folder, "--hosting", hosting, cwd=file.parent)
    told = json.loads((folder / "findings.json").read_text())
    return told["seconds"] * 1e3 / told["runs"]


def tool(*arguments):
    """Our side."""
    return run(MEASURER, *arguments)


def rate(result, what="turns"):
    return result[what] / result["seconds"]


def call_common(function, *arguments, scripts=ROOT / "Scripts"):
    """Calls a function of a tree's Scripts/common.bash."""
    script = 'source "$1/common.bash"; shift; "$@"'
    command = ["bash", "-c", script, "bench", str(scripts), function, *map(str, arguments)]
    if (status := subprocess.run(command).returncode) != 0:
        raise SystemExit(status)


def compiled_floor():
    """The C program that plays raw ping-pong."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        raise Failed("the floor needs a C compiler: neither 'cc' nor 'clang' is in PATH")
    program = WORK / "floor"
    subprocess.run([compiler, "-O2", "-o", program, HERE / "floor.c"], check=True)
    return program


def python_with_bumble():
    folder = BUILD / "bench-venv"
    call_common("make_venv", folder, BUMBLE, "bumble")
    return folder / "bin" / "python3"


def bumble_cycles(python, seconds):
    """Cycles on Bumble: controllers, accessory and phone, a process each, over unix sockets.

    Fresh processes each time, for an idle accessory still advertises, and would disturb ours.
    """
    started = []

    def start(*arguments):
        command = [python, "-B", HERE / "bumble_peer.py", *arguments]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            stdin=subprocess.DEVNULL)
        started.append(process)
        if next_line(process, 30) != "ready":
            process.kill()
            raise Failed(f"bumble_peer.py {arguments[0]}: {process.stderr.read()[-800:].strip()}")
        return process

    with tempfile.TemporaryDirectory() as folder:
        to_phone, to_accessory = f"{folder}/phone", f"{folder}/accessory"
        try:
            start("controllers", to_phone, to_accessory)
            start("accessory", to_accessory)
            phone = start("phone", to_phone, str(seconds))
            return json.loads(next_line(phone, seconds + 30))
        except ValueError:
            raise Failed("bumble_peer.py phone: no result") from None
        finally:
            for process in reversed(started):
                process.kill()
                process.communicate()


def next_line(process, seconds):
    """The next line a process prints, or what it printed instead within the time."""
    readable, _, _ = select.select([process.stdout], [], [], seconds)
    return process.stdout.readline().strip() if readable else "(nothing)"


def instructions(*arguments):
    """Runs our side under `perf stat`; returns its result and the user-mode instructions."""
    with tempfile.NamedTemporaryFile(mode="r") as counts:
        result = run("perf", "stat", "-x", ",", "-e", "instructions:u", "-o", counts.name, "--",
                     MEASURER, *arguments)
        lines = [line for line in counts.read().splitlines() if "instructions" in line]
        return result, float(lines[0].split(",")[0])


def instructions_each(program, arguments, what):
    """The instructions of one run, turn or cycle in the orchestrator's process, by callgrind.

    Starting is subtracted: the shortest measurement from a long one. The same program gives the same
    number to within a part in a hundred, whatever else the machine does.
    """
    if shutil.which("valgrind") is None or shutil.which("strip") is None:
        call_common("require_packages", "valgrind", "binutils")
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        # Debian's valgrind does not read the debug information of this compiler.
        bare = Path(folder) / Path(program).name
        subprocess.run(["strip", "--strip-debug", "-o", bare, program], check=True)
        for other in {"anechoic", "apple-device", "accessory", "bench-device"} - {bare.name}:
            (Path(folder) / other).symlink_to(Path(program).parent / other)
        few, least = callgrind(bare, folder, *arguments, "--seconds", 0.01, what=what)
        for seconds in (10, 30, 90):
            many, most = callgrind(bare, folder, *arguments, "--seconds", seconds, what=what)
            if many > few:
                return (most - least) / (many - few)
    raise Failed(f"{' '.join(map(str, arguments))}: too slow under valgrind on this machine")


def measuring(program):
    """How a program measures: commits before it was one of its own have a hidden subcommand."""
    return [program] if Path(program).name == MEASURER.name else [program, "bench"]


def callgrind(program, folder, *arguments, what):
    """Runs a benchmark under callgrind; returns how much it did, and with how many instructions."""
    out = Path(folder) / "callgrind.out"
    result = run("valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}",
                 *measuring(program), *arguments)
    totals = [line for line in out.read_text().splitlines() if line.startswith("totals:")]
    return result[what], int(totals[0].split()[1])


def counts_instructions():
    """Whether this machine lets `perf` count instructions (many virtual ones do not)."""
    if shutil.which("perf") is None:
        return False
    command = ["perf", "stat", "-x", ",", "-e", "instructions:u", "true"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode == 0 and done.stderr.split(",")[0].isdigit()


def machine():
    """What a reader must know to compare figures."""
    with open("/proc/cpuinfo") as info:
        models = [line.split(":")[1].strip() for line in info if line.startswith("model name")]
    system = os.uname()
    return {
        "processor": models[0] if models else system.machine,
        "processors": os.cpu_count(),
        "kernel": system.release,
        "load": os.getloadavg()[0],
        "peer": BUMBLE,
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def show(figures):
    """Prints each figure as soon as it is there; returns 1 where one misses what is demanded, and else 0."""
    missed = 0
    for figure in figures:
        demand = "" if figure.bound is None else f"at {'most' if figure.at_most else 'least'} {figure.bound:,g}"
        if demand and figure.judged == "ratio":
            demand = f"{figure.value:.2f} times {figure.peer:,.2f}, {demand}"
        missed += not figure.passed
        print(f"{figure.name:38}{figure.ours:14,.2f} {figure.unit:5}{demand}{'' if figure.passed else '  MISSED'}",
              flush=True)
    return 1 if missed else 0
