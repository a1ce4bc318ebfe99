"""DeviceLink: what the orchestrator and a device say to each other (Sources/Wire/DeviceLink/DEVICE-LINK.md).

Lengths of time are nanoseconds, distances millimetres, angles hundredths of a degree.
"""

from __future__ import annotations

import ctypes
import io
import os
import random
import signal
import socket
import struct
import sys
from typing import Any, Callable, NoReturn, Union

RESET, GRANT, FAREWELL, HELLO, READY, REFUSED, ANSWERS = 0x01, 0x02, 0x03, 0x81, 0x82, 0x83, 0x84
BOOT, TIMER, QUEUE, COMMAND, CONNECTED, DISCONNECTED, ACL = 0x01, 0x02, 0x03, 0x04, 0x11, 0x12, 0x13
KEY_WANTED, ENCRYPTED, UWB_STARTED, UWB_ROUND = 0x15, 0x16, 0x30, 0x31

#: The value of an observation's field: none, a text, a number, a flag or bytes.
FieldValue = Union[None, str, int, bool, bytes]


def block(data: bytes) -> bytes:
    """Bytes behind their count, which is at most 65,535."""
    return struct.pack("<H", len(data)) + data


class Reader:
    """Takes values of DEVICE-LINK.md section 3 from bytes."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def take(self, shape: str) -> Any:
        """The next value, of a shape that the module struct knows."""
        values = struct.unpack_from("<" + shape, self.data, self.at)
        self.at += struct.calcsize("<" + shape)
        return values[0]

    def block(self) -> bytes:
        data: bytes = self.take(f"{self.take('H')}s")
        return data

    def text(self) -> str:
        return self.block().decode()

    def pairs(self) -> list[tuple[str, str]]:
        return [(self.text(), self.text()) for _ in range(self.take("H"))]


class Device:
    """A device from one reset to the next; what it is to do is a subclass's `handle`."""

    def __init__(self, reader: Reader) -> None:
        self.name, self.model, self.incarnation = reader.text(), reader.text(), int(reader.take("I"))
        self.key, self.own_address = int(reader.take("Q")), bytes(reader.take("7s"))
        #: As the topology has them: durations in nanoseconds, lengths in millimetres.
        self.parameters = dict(reader.pairs())
        self.defects = [reader.text() for _ in range(reader.take("H"))]
        #: What this and earlier incarnations have kept.
        self.stored = {reader.text(): reader.block() for _ in range(reader.take("H"))}
        #: Random numbers, the same in each repetition of a run.
        self.random = random.Random(self.key)
        #: The time of the turn since the run began.
        self.now = 0
        self._answers: list[bytes] = []

    def refusal(self) -> str | None:
        """Why it cannot be what the topology asks for, in a sentence; None where it can.

        Whoever knows a parameter or a defect says so in an override; here there are none.
        """
        unknown = [*self.parameters, *self.defects]
        return f"there is no parameter and no defect {', '.join(unknown)}" if unknown else None

    def handle(self, kind: int, event: Reader) -> None:
        """Takes an event of DEVICE-LINK.md section 6, once a turn."""

    def turn(self, frame: bytes) -> bytes:
        """The answers to a grant."""
        turn, self.now, kind, _ = struct.unpack_from("<IQBI", frame, 1)
        self._answers = []
        self.handle(kind, Reader(frame, 18))
        return struct.pack("<I", turn) + b"".join(self._answers)

    def log(self, text: str) -> None:
        """Writes a line into the log, behind the time."""
        print(f"[{self.now // 1000 / 1e6:.6f} s] {text}", file=sys.stderr)

    # Answers

    def answer(self, kind: int, payload: bytes = b"") -> None:
        """Any answer, as section 7 has it."""
        self._answers.append(struct.pack("<BI", kind, len(payload)) + payload)

    def set_timer(self, name: str, after: int, slack: int = 0) -> None:
        """TIMER comes once, between `after` and `after + slack` from now."""
        self.answer(0x01, block(name.encode()) + struct.pack("<QQ", after, slack))

    def cancel_timer(self, name: str) -> None:
        self.answer(0x02, block(name.encode()))

    def post(self, queue: str, item: int) -> None:
        """QUEUE comes with this item, in a turn of its own."""
        self.answer(0x03, block(queue.encode()) + struct.pack("<I", item))

    def store(self, key: str, value: bytes) -> None:
        """Keeps bytes beyond the death of this process, until the run ends."""
        self.stored[key] = value
        self.answer(0x04, block(key.encode()) + b"\x01" + block(value))

    def forget(self, key: str) -> None:
        self.stored.pop(key, None)
        self.answer(0x04, block(key.encode()) + b"\x00")

    def observe(self, kind: str, **fields: FieldValue) -> None:
        """Puts a word of the device's own into the trace."""
        encoded = b"".join(block(name.encode()) + _field(value) for name, value in fields.items())
        self.answer(0x05, block(kind.encode()) + struct.pack("<H", len(fields)) + encoded)

    def advertise(self, interval: int, data: bytes, response: bytes = b"") -> None:
        """Advertises, connectable, every so many units of 0.625 ms; each part is at most 31 bytes."""
        self.answer(0x10, struct.pack("<H", interval) + block(data) + block(response))

    def stop_advertising(self) -> None:
        self.answer(0x11)

    def send_frame(self, handle: int, channel: int, payload: bytes) -> None:
        """Sends an L2CAP frame on a connection."""
        self.answer(0x16, struct.pack("<H", handle) + block(struct.pack("<HH", len(payload), channel) + payload))


def _field(value: FieldValue) -> bytes:
    if value is None:
        return b"\x00"
    if isinstance(value, bool):
        return bytes([3, value])
    if isinstance(value, int):
        return struct.pack("<Bq", 2, value)
    return b"\x04" + block(value) if isinstance(value, bytes) else b"\x01" + block(value.encode())


def _link(program: str) -> tuple[int, int]:
    """The descriptors to read and to write (section 2)."""
    if "ANECHOIC_LINK" not in os.environ:
        print(f"{program}: a topology starts this program, with ANECHOIC_LINK in its environment", file=sys.stderr)
        raise SystemExit(64)
    transport, place = os.environ["ANECHOIC_LINK"].split(":", 1)
    if transport == "unix":
        dialled = socket.socket(socket.AF_UNIX)
        dialled.connect(place)
        descriptor = dialled.detach()
        return descriptor, os.dup(descriptor)
    ends = [int(number) for number in place.split(",")]
    return ends[0], os.dup(ends[-1])


def serve(program: str, make: Callable[[Reader], Device]) -> NoReturn:
    """Plays the devices that the orchestrator asks for, until it says farewell; `make` gives one for a reset."""
    ends = _link(program)
    # What it prints is in its log before it replies.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    source, sink = os.fdopen(ends[0], "rb"), os.fdopen(ends[1], "wb")
    kind, reply = HELLO, b"ANCH" + struct.pack("<HHB", 1, 0, 0) + block(program.encode())
    device: Device | None = None
    is_refused = False
    while True:
        sink.write(struct.pack("<IB", 1 + len(reply), kind) + reply)
        sink.flush()
        length = source.read(4)
        frame = source.read(*struct.unpack("<I", length)) if length else bytes([FAREWELL])
        if frame[0] == RESET:
            device = make(Reader(frame, 1))
            refusal = device.refusal()
            is_refused = refusal is not None
            kind, reply = (REFUSED, block(refusal.encode())) if refusal is not None else (READY, b"")
        elif frame[0] == GRANT and device:
            # What was granted before the refusal was read finds no device.
            kind, reply = ANSWERS, frame[1:5] if is_refused else device.turn(frame)
        elif frame[0] == FAREWELL:
            raise SystemExit(0)
        else:
            print(f"{program}: frame 0x{frame[0]:02X} is not expected here", file=sys.stderr)
            raise SystemExit(65)
