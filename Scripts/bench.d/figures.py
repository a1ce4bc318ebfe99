"""The figures: how each is measured, and what is demanded of it.

Our side is a program of its own, `anechoic-bench …`, that prints one JSON object. What it must hold
is what is read from it here. All processes of a measurement share one core.
"""

import re
import signal
import subprocess
import tempfile
import time

from harness import (
    MEASURER, TIMEOUT, TOOL, TOPOLOGIES, WORK, Failed, Figure, alternate, bumble_cycles, compiled_floor,
    counts_instructions, instructions, instructions_each, median, medians, paired,
    python_with_bumble, rate, run, tool)

REPEATS = 7
TURN_SECONDS = 0.6
# A turn is so short that what else the machine does shows in each sample.
TURN_REPEATS = 15
MIB = 1024 * 1024
# When a command is interrupted, in seconds after its start, and by what.
STOPS = [(signal.SIGINT, 0.1), (signal.SIGTERM, 0.5), (signal.SIGHUP, 2)]


def floor_rate(program, devices, shape, sizes, *trace):
    return rate(run(program, devices, shape, *sizes, TURN_SECONDS, *trace))


def floor_turn():
    """The floor of a turn of two processes, in µs: what scales an absolute demand."""
    return 1e6 / floor_rate(compiled_floor(), 2, "sequential", frame_sizes())


def turn_rate(*arguments):
    """Our turns a second, without the first run, which starts the processes."""
    return rate(tool(*arguments), "measured_turns")


def frame_sizes():
    """How long the frames of one turn are, so that the floor's are as long."""
    result = tool("turns", "--devices", 2, "--staggered", "--seconds", 0.1)
    return result["grant_bytes"], result["answer_bytes"]


def turns(devices, shape):
    """Turns a second of device processes that only set a timer again, against the floor.

    Staggered timers come one by one, simultaneous ones can be granted as a batch.
    """
    flag, floor_shape = {
        "staggered": ("--staggered", "sequential"),
        "simultaneous": ("--simultaneous", "batched")}[shape]
    program, sizes, trace = compiled_floor(), frame_sizes(), WORK / "trace"
    ours = ("turns", "--devices", devices, flag, "--seconds", TURN_SECONDS)
    samples = alternate(
        TURN_REPEATS,
        floor=lambda: floor_rate(program, devices, floor_shape, sizes),
        ours=lambda: turn_rate(*ours),
        floor_traced=lambda: floor_rate(program, devices, floor_shape, sizes, trace),
        ours_traced=lambda: turn_rate(*ours, "--trace", trace))
    trace.unlink(missing_ok=True)
    middle, name = medians(samples), f"turns/{devices}/{shape}"
    large = devices > 64
    yield Figure(name, "turns/s", middle["ours"], middle["floor"], "ratio",
                 0.45 if large else 0.60, pairs=paired(samples["ours"], samples["floor"]),
                 samples=samples)
    # Against the floor that writes no trace: the line on disk is part of our cost.
    yield Figure(f"{name}/traced", "turns/s", middle["ours_traced"], middle["floor"], "ratio",
                 0.40 if large else 0.50,
                 pairs=paired(samples["ours_traced"], samples["floor"]), samples=samples)


def cycles():
    """Whole exchanges a second: connect to disconnect, as in bumble_peer.py."""
    python, pdus = python_with_bumble(), {}

    def counted(name, result):
        pdus.setdefault(name, []).append(result["att_pdus_per_cycle"])
        return result["cycles_per_second"]

    def ours(hosting):
        return counted(hosting, tool("cycles", "--hosting", hosting, "--seconds", 1))

    samples = alternate(
        REPEATS,
        floor=floor_turn,
        bumble=lambda: counted("bumble", bumble_cycles(python, 1.5)),
        process=lambda: ours("process"),
        inline=lambda: ours("inline"))
    middle = medians(samples)
    yield Figure("cycles/process", "cycles/s", middle["process"], middle["floor"], "scaled", 1480,
                 samples=samples)
    yield Figure("cycles/process/bumble", "cycles/s", middle["process"], middle["bumble"], "ratio",
                 10, samples=samples)
    yield Figure("cycles/inline/process", "cycles/s", middle["inline"], middle["process"], "ratio",
                 2.5, samples=samples)
    for hosting in ("process", "inline"):
        yield Figure(f"cycles/{hosting}/att-pdus", "PDUs/cycle", median(pdus[hosting]),
                     median(pdus["bumble"]), "difference", 2, at_most=True, samples=pdus)


def inline_turns():
    """What a timer turn costs without a process."""
    for devices in (2, 64):
        ours = ("turns", "--hosting", "inline", "--devices", devices, "--staggered",
                "--seconds", TURN_SECONDS)
        samples = alternate(REPEATS, ours=lambda: 1e6 / turn_rate(*ours))
        yield Figure(f"inline-turn/{devices}", "µs/turn", median(samples["ours"]), bound=2,
                     at_most=True, samples=samples)


def pair():
    """Simulated time of one pair at a 30 ms interval, idle and ranging at 5 Hz."""
    def speed(*flags):
        result = tool("pair", *flags, "--simulated-seconds", 3000)
        return result["simulated_seconds"] / result["seconds"]

    samples = alternate(
        REPEATS,
        floor=floor_turn,
        idle=lambda: speed("--idle"),
        ranging=lambda: speed("--ranging"),
        unobserved=lambda: speed("--ranging", "--without-observers"))
    middle = medians(samples)
    yield Figure("pair/ranging", "× real time", middle["ranging"], middle["floor"], "scaled",
                 10 * 448, samples=samples)
    yield Figure("pair/idle", "× real time", middle["idle"], samples=samples)
    yield Figure("pair/ranging/observers", "× real time", middle["ranging"], middle["unobserved"],
                 "ratio", samples=samples)


def wakes():
    """Simulated time of 32 devices that wake every millisecond, granted as batches."""
    def speed():
        result = tool("wakes", "--devices", 32, "--every-ms", 1, "--seconds", 1)
        return result["simulated_seconds"] / result["seconds"]

    samples = alternate(REPEATS, floor=floor_turn, ours=speed)
    middle = medians(samples)
    yield Figure("wakes/32", "× real time", middle["ours"], middle["floor"], "scaled", 3.9,
                 samples=samples)


def handshake():
    """Runs a second, power on to third distance, processes reused, promises and digest on."""
    def runs(*flags):
        return rate(tool("handshake", "--seconds", 1, *flags), "runs")

    samples = alternate(REPEATS, ours=runs, unobserved=lambda: runs("--without-observers"))
    middle = medians(samples)
    yield Figure("handshake", "runs/s", middle["ours"], bound=300, samples=samples)
    yield Figure("handshake/observers", "runs/s", middle["ours"], middle["unobserved"], "ratio",
                 samples=samples)
    inline = [runs("--hosting", "inline") for _ in range(REPEATS)]
    yield Figure("handshake/inline", "runs/s", median(inline), samples={"ours": inline})
    # Runs a second are the processor's as much as ours; the instructions of a run are ours alone. A third of them
    # judges: 83 promises took 2.0 million in all, 136 take 2.4.
    yield Figure("handshake/instructions", "instructions/run",
                 instructions_each(MEASURER, ("handshake", "--hosting", "inline"), "runs"),
                 bound=2_200_000, at_most=True)


def exploration():
    """Explored runs of one-to-one a second of one worker, against plain inline runs of the same seeds."""
    count, topology, out = 800, TOPOLOGIES / "basics/one-to-one.yaml", WORK / "explored"
    seeds = ("--seeds", f"1..{count}", "--no-out", "--hosting", "inline")

    def runs(*arguments):
        began = time.monotonic()
        if subprocess.run([TOOL, *map(str, arguments), "--jobs", "1", "--format", "json"],
                          capture_output=True).returncode != 0:
            raise Failed(f"anechoic {arguments[0]}: a run did not hold")
        return count / (time.monotonic() - began)

    samples = alternate(
        5, plain=lambda: runs("run", topology, *seeds),
        explored=lambda: runs("explore", topology, "--runs", count, "--out", out))
    middle = medians(samples)
    yield Figure("explore", "runs/s", middle["explored"], middle["plain"], "ratio", 1 / 1.2,
                 pairs=paired(samples["explored"], samples["plain"]), samples=samples)


def monitors():
    """The whole catalogue loaded, in four-by-four runs by process, against the same without promises."""
    def runs():
        result = tool("four-by-four", "--seconds", 4)
        return tuple(result["runs"] / result[f"{way}_seconds"] for way in ("observed", "unobserved"))

    samples = alternate(REPEATS, both=runs)
    ours, unobserved = zip(*samples["both"])
    yield Figure("monitors/four-by-four", "runs/s", median(ours), median(unobserved), "ratio",
                 1 / 1.13, pairs=paired(ours, unobserved), samples=samples)


def sessions():
    """What the judge keeps of a session, and takes for an event, while 1,000 are open and while 100 are."""
    def judged(count):
        result = tool("sessions", "--open", count)
        return result["bytes_per_session"] / 1024, result["seconds"] * 1e6 / result["events"]

    samples = alternate(REPEATS, many=lambda: judged(1_000), few=lambda: judged(100))
    many, few = ([median(column) for column in zip(*samples[name])] for name in ("many", "few"))
    yield Figure("sessions/1000/memory", "KiB/session", many[0], few[0], "drift", 0.25,
                 at_most=True, samples=samples)
    yield Figure("sessions/1000/cost", "µs/event", many[1], few[1], "ratio", samples=samples)


def memory():
    """Proportional memory of an idle device process, 64 of them."""
    samples = alternate(
        REPEATS, ours=lambda: tool("idle-memory", "--devices", 64)["pss_bytes_per_device"] / MIB)
    yield Figure("memory/64", "MiB/device", median(samples["ours"]), bound=4, at_most=True,
                 samples=samples)


def start():
    """From starting a device process to its hello."""
    samples = alternate(REPEATS, ours=lambda: tool("start")["milliseconds_per_start"])
    yield Figure("start", "ms/device", median(samples["ours"]), bound=4, at_most=True,
                 samples=samples)


def stop():
    """From a signal to the end of every command that goes on for long.

    Each is interrupted at a few moments of its work, by each of the three signals; the figure is the
    longest time of all. A command that ends by itself, or otherwise than interrupted, is no sample.
    """
    pair = TOPOLOGIES / "dropout/mid-handshake.yaml"
    sick = ["--defect", "lock=reused-configuration"]
    replay = "failed/dropout/mid-handshake/42/replay.json"
    commands = {
        "run": ["run", pair, "--seeds", "1..100000"],
        "run inline": ["run", pair, "--seeds", "1..1000000", "--no-out", "--hosting", "inline"],
        "explore": ["explore", pair, "--runs", "10000000", *sick],
        "sweep": ["explore", pair, "--faults", "sweep", "--jobs", "1"],
        "shrink": ["shrink", replay, "--replays", "1000000"],
        "explain": ["explain", replay, "--runs", "1000000"],
        "conform": ["conform", "--no-search", "--seeds", "1000"],
        "defects": ["defects", "--jobs", "1", "--seeds", "1000"],
        "replay": ["replay", replay, "--clock", "wall"],
    }
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        def start(arguments):
            return subprocess.Popen(
                [TOOL, *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        if start(["run", pair, "--seed", "42", "--out", "failed", *sick]).wait() != 1:
            raise Failed("the run to repeat does not fail")
        samples = {name: [] for name in commands}
        for name, arguments in commands.items():
            for signal_number, wait in STOPS:
                command = start(arguments)
                time.sleep(wait)
                begin = time.monotonic()
                command.send_signal(signal_number)
                status = command.wait(TIMEOUT)
                if status == 130:
                    samples[name].append(time.monotonic() - begin)
                # A fast machine has shrunk a scenario before the second signal.
                elif (name, status) != ("shrink", 1):
                    raise Failed(f"{name}: status {status} after {signal_number.name}, not 130")
    missing = [name for name, times in samples.items() if not times]
    if missing:
        raise Failed(f"{', '.join(missing)}: ended before the signal each time")
    yield Figure("stop", "s", max(max(times) for times in samples.values()), bound=1, at_most=True,
                 samples=samples)


def growth():
    """Whether an hour costs sixty minutes: a pair ranging at 5 Hz with 1 % loss.

    What runs of no length take, starting and ending, is subtracted; the short ones are played sixty
    times, so that both samples are as long. Where `perf` cannot count instructions, processor time
    stands for them.
    """
    counted = counts_instructions()
    turns_taken, memory = {}, []

    def cost(minutes):
        arguments = ("growth", "--minutes", minutes, "--repeats", 1 if minutes == 60 else 60)
        if counted:
            result, spent = instructions(*arguments)
        else:
            result = tool(*arguments)
            spent = result["processor_seconds"] * 1e6
        turns_taken[minutes] = result["turns"]
        if minutes == 60:
            memory.append(result["peak_rss_late_bytes"] / result["peak_rss_early_bytes"])
        return spent

    samples = alternate(
        REPEATS, none=lambda: cost(0), minute=lambda: cost(1), hour=lambda: cost(60))
    middle = medians(samples)
    if not min(turns_taken[60], turns_taken[1]) > 2 * turns_taken[0]:
        raise Failed(f"growth: turns in 0, 1, 60 minutes: {turns_taken}")

    def per_turn(name, minutes):
        runs = 1 if minutes == 60 else 60
        spent = middle[name] - middle["none"] * runs / 60
        return spent / (turns_taken[minutes] - turns_taken[0] * runs / 60)

    unit = "instructions/turn" if counted else "µs of processor/turn"
    yield Figure("growth/cost", unit, per_turn("hour", 60), per_turn("minute", 1), "drift", 0.25,
                 at_most=True, samples=samples)
    yield Figure("growth/memory", "late/early", median(memory), bound=1.05, at_most=True,
                 samples={"late/early": memory})


def floors():
    """The floor and the peer alone, for frames of 32 bytes: tells a machine's own speed."""
    program, trace = compiled_floor(), WORK / "trace"
    for devices in (2, 64, 256):
        for shape in ("sequential", "batched"):
            for name, extra in ((shape, ()), (f"{shape}/traced", (trace,))):
                samples = alternate(
                    REPEATS, floor=lambda: floor_rate(program, devices, shape, (32, 32), *extra))
                yield Figure(f"floor/{devices}/{name}", "turns/s", median(samples["floor"]),
                             samples=samples)
    trace.unlink(missing_ok=True)
    python, pdus = python_with_bumble(), []

    def peer():
        result = bumble_cycles(python, 1.5)
        pdus.append(result["att_pdus_per_cycle"])
        return result["cycles_per_second"]

    samples = alternate(REPEATS, bumble=peer)
    yield Figure("bumble/cycles", "cycles/s", median(samples["bumble"]), samples=samples)
    yield Figure("bumble/att-pdus", "PDUs/cycle", median(pdus), samples={"bumble": pdus})


def turns_of(devices, shape):
    return lambda: turns(devices, shape)


def healthy():
    """Alarms that healthy devices raise in 10,000 runs of all that ships, one in twenty by process.

    No alarm in N runs of this generator: with 95 % confidence fewer than 3/N of them raise one.
    """
    folders = sorted(folder for folder in TOPOLOGIES.iterdir()
                     if folder.is_dir() and folder.name not in ("defects", "scale"))
    files = sum(1 for folder in folders for _ in folder.rglob("*.yaml"))
    seeds = -(-9_500 // files)
    runs = alarms = 0
    for hosting, last in (("inline", seeds), ("process", -(-500 // files))):
        done = subprocess.run(
            [TOOL, "run", *folders, "--no-out", "--hosting", hosting, "--seeds", f"1..{last}"],
            capture_output=True, text=True, check=False)
        summary = next((line for line in done.stdout.splitlines() if " runs: " in line), "")
        if not summary:
            raise Failed(f"anechoic run said nothing of its runs: {done.stderr.strip()[-200:]}")
        total, held = (int(word) for word in re.findall(r"\d+", summary)[:2])
        runs += total
        alarms += total - held
    yield Figure(f"healthy/{runs} runs", "alarms", alarms, bound=0, at_most=True)
    yield Figure("healthy/bound", "alarms a run", 3 / runs if alarms == 0 else alarms / runs)


# What is measured when nothing else is asked for.
STANDARD = {
    **{f"turns/{devices}/{shape}": turns_of(devices, shape)
       for devices in (2, 64, 256) for shape in ("staggered", "simultaneous")},
    "cycles": cycles,
    "inline-turn": inline_turns,
    "pair": pair,
    "wakes": wakes,
    "handshake": handshake,
    "explore": exploration,
    "monitors": monitors,
    "sessions": sessions,
    "memory": memory,
    "start": start,
    "stop": stop,
    "growth": growth,
}
ASKED = {"floors": floors, "healthy": healthy}
