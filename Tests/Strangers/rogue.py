#!/usr/bin/env python3
"""A device that breaks the contract of DEVICE-LINK.md in one way, its first argument; else it is idle.

It does not ask to die with its parent: that is the orchestrator's business.
"""
import os, socket, struct, subprocess, sys, time

vice = sys.argv[1] if len(sys.argv) > 1 else "idle"
kind, where = os.environ["ANECHOIC_LINK"].split(":", 1)
if kind == "unix":
    line = socket.socket(socket.AF_UNIX)
    line.connect(where)
    source = sink = line.fileno()
else:
    source, sink = int(where.split(",")[0]), int(where.split(",")[-1])


def read(count):
    data = b""
    while len(data) < count:
        more = os.read(source, count - len(data))
        if not more:
            sys.exit(0)
        data += more
    return data


def say(kind, payload=b""):
    os.write(sink, struct.pack("<IB", 1 + len(payload), kind) + payload)


def text(words):
    return struct.pack("<H", len(words)) + words


def answer(kind, payload):
    return struct.pack("<BI", kind, len(payload)) + payload


address = b"\x01\x02\x01\x00\xee\xff\xc0"
# Frames are well formed here; the values are not those of the contract.
absurd = {
    "fenced": lambda: answer(0x05, text(b"msg.stop.sent") + struct.pack("<H", 0)),
    "ends-the-run": lambda: answer(0x05, text(b"run.ended") + struct.pack("<H", 0)),
    "interval-0": lambda: answer(0x14, address + struct.pack("<HHH", 0, 0, 72)),
    "update-0": lambda: answer(0x1A, struct.pack("<HHHH", 64, 0, 0, 72)),
    "short-timeout": lambda: answer(0x14, address + struct.pack("<HHH", 3200, 0, 10)),
    "advertises-never": lambda: answer(0x10, struct.pack("<HHH", 0, 0, 0)),
    "lying-length": lambda: answer(0x16, struct.pack("<HHHH", 64, 5, 7, 4) + b"x"),
    "wrong-reason": lambda: answer(0x17, struct.pack("<HB", 64, 0x08)),
    "far-handle": lambda: answer(0x17, struct.pack("<HB", 0xFFFF, 0x13)),
    "channel-7": lambda: answer(0x30, struct.pack("<IIHHBB6sHHHB", 1, 1, 1, 2, 7, 10, b"stsivs", 6, 2400, 200, 1)),
    "no-slots": lambda: answer(0x30, struct.pack("<IIHHBB6sHHHB", 1, 1, 1, 2, 9, 10, b"stsivs", 0, 2400, 200, 1)),
    "nameless": lambda: answer(0x02, text(b"")),
    "escape": lambda: answer(0x03, text(b"\x1b[2J") + struct.pack("<I", 0)),
    "many-answers": lambda: answer(0x13, b"") * 5000,
    "many-posts": lambda: b"".join(answer(0x03, text(b"q%d" % n) + struct.pack("<I", n)) for n in range(4000)),
    "hoards": lambda: b"".join(answer(0x04, text(b"k%d" % n) + b"\x01" + struct.pack("<H", 60000) + bytes(60000)) for n in range(9)),
}


def misbehave(turn):
    """What is done instead of answering the first turn; true where it is answered as well."""
    if vice == "hang":
        time.sleep(3600)
    elif vice == "over-long":
        os.write(sink, struct.pack("<I", 0xFFFFFFFF))
    elif vice == "truncated":
        os.write(sink, struct.pack("<IB", 20, 0x84))
        sys.exit(0)
    elif vice == "closes":
        os.close(sink)
        time.sleep(3600)
    elif vice == "unknown-frame":
        say(0x99)
    elif vice == "unknown-answer":
        say(0x84, struct.pack("<IBI", turn, 0x77, 0))
    elif vice == "wrong-turn":
        say(0x84, struct.pack("<I", turn + 7))
    elif vice == "exit":
        print("the battery is empty", file=sys.stderr)
        sys.exit(9)
    elif vice == "twice":
        answers = struct.pack("<IBI", 5, 0x84, turn)
        os.write(sink, answers + answers)
    elif vice == "apart":
        say(0x84, struct.pack("<I", turn))
        sum(range(50_000))
        say(0x84, struct.pack("<I", turn))
    elif vice == "half":
        say(0x84, struct.pack("<I", turn))
        os.write(sink, struct.pack("<IB", 20, 0x84))
    elif vice == "for-ever":
        while True:
            say(0x84, struct.pack("<I", turn))
    elif vice == "talks":
        print("[0.1 s] it begins", "app.swift:220: Fatal error: found nil", *(f"{n} 0x00f{n} frame" for n in range(200)),
              sep="\n", file=sys.stderr, flush=True)
        os.abort()
    elif vice == "descriptors":
        # One of them is the folder itself, which is closed again by now.
        open_ones = [number for number in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + number)]
        print("descriptors", *sorted(open_ones, key=int), file=sys.stderr)
        return True
    elif vice == "signals":
        print(*[line for line in open("/proc/self/status") if line.startswith(("SigIgn", "SigBlk"))], file=sys.stderr)
        return True
    elif vice == "parent":
        # A helper with a session of its own, whose own parent is gone at once, and one that still has it.
        for script in ("sleep 1234 & echo $! >> pids", "echo $$ >> pids; sleep 1234; :"):
            subprocess.Popen(["setsid", "sh", "-c", script], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists("pids") or open("pids").read().count("\n") < 2:
            time.sleep(0.01)
        return True
    elif vice == "flood":
        for _ in range(40):
            os.write(2, b"0123456789abcdef" * (1 << 16))
        return True
    elif vice == "memory":
        try:
            bytes(1 << 30)
        except MemoryError:
            print("no memory", file=sys.stderr)
        return True
    elif vice == "bidi":
        words = "evil\u202e\u009b31m\nall held"
        data = words.encode()
        text = struct.pack("<H", 4) + b"said" + struct.pack("<BH", 1, len(data)) + data
        observation = struct.pack("<H", 9) + b"mine.said" + struct.pack("<H", 1) + text
        say(0x84, struct.pack("<IBI", turn, 0x05, len(observation)) + observation)
    elif vice == "refuses":
        pass
    elif vice in ("global", "local"):
        print("process", os.getpid(), file=sys.stderr)
        return True
    elif vice == "remembers":
        # The second run of the same process, and only that, has an event of its own.
        if resets == 2:
            observation = struct.pack("<H", 9) + b"mine.seen" + struct.pack("<H", 0)
            say(0x84, struct.pack("<IBI", turn, 0x05, len(observation)) + observation)
            return False
        return True
    elif vice in absurd:
        say(0x84, struct.pack("<I", turn) + absurd[vice]())
    elif vice == "clock":
        time_read = struct.pack("<H", 4) + b"time" + struct.pack("<Bq", 2, time.time_ns())
        observation = struct.pack("<H", 9) + b"mine.time" + struct.pack("<H", 1) + time_read
        say(0x84, struct.pack("<IBI", turn, 0x05, len(observation)) + observation)
    else:
        return True
    return False


resets = 0
if vice == "mute":
    time.sleep(3600)
say(0x81, b"ANCH" + struct.pack("<HHB", 9 if vice == "version" else 1, 0, vice == "global") + struct.pack("<H", 5) + b"rogue")
while True:
    frame = read(struct.unpack("<I", read(4))[0])
    if frame[0] == 0x03:
        sys.exit(0)
    if frame[0] == 0x01:
        resets += 1
        if vice == "buffered":
            sys.stdout.flush()
            print("reset", resets)
        name, = struct.unpack_from("<H", frame, 1)
        model, = struct.unpack_from("<H", frame, 3 + name)
        incarnation, = struct.unpack_from("<I", frame, 5 + name + model)
        if vice == "refuses" or vice == "never-returns" and incarnation > 0:
            reason = "no\u202e\u009b1m\n1 run: 1 held".encode()
            say(0x83, struct.pack("<H", len(reason)) + reason)
        else:
            say(0x83, text(b"no" * 3000)) if vice == "refuses-at-length" else say(0x82)
    else:
        turn = struct.unpack_from("<I", frame, 1)[0]
        if vice == "restless":
            at_once = struct.pack("<H", 4) + b"mine" + struct.pack("<QQ", 0, 0)
            say(0x84, struct.pack("<IBI", turn, 0x01, len(at_once)) + at_once)
        elif vice == "many-posts":
            say(0x84, struct.pack("<I", turn) + absurd[vice]())
        elif frame[13] != 0x01 or misbehave(turn):
            say(0x84, struct.pack("<I", turn))
