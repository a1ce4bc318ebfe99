#!/usr/bin/env python3
"""A device that breaks the contract of DEVICE-LINK.md in one way, its first argument; else it is idle.

It does not ask to die with its parent: that is the orchestrator's business.
"""
import os, socket, struct, sys, time

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
    elif vice == "descriptors":
        # One of them is the folder itself, which is closed again by now.
        open_ones = [number for number in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + number)]
        print("descriptors", *sorted(open_ones, key=int), file=sys.stderr)
        return True
    elif vice in ("global", "local"):
        print("process", os.getpid(), file=sys.stderr)
        return True
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
        if vice == "buffered":
            sys.stdout.flush()
            resets += 1
            print("reset", resets)
        # Refused with a sentence, as a device does that cannot be what it is asked to be.
        say(*((0x83, struct.pack("<H", 18) + b"the flash is empty") if vice == "refuses" else (0x82,)))
    else:
        turn = struct.unpack_from("<I", frame, 1)[0]
        if vice == "restless":
            at_once = struct.pack("<H", 4) + b"mine" + struct.pack("<QQ", 0, 0)
            say(0x84, struct.pack("<IBI", turn, 0x01, len(at_once)) + at_once)
        elif frame[13] != 0x01 or misbehave(turn):
            say(0x84, struct.pack("<I", turn))
