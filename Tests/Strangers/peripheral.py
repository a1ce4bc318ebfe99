"""What any accessory needs: DeviceLink's frames, an ATT server for several links, and its two services.

Written from Sources/DeviceLink/DEVICE-LINK.md, the Core Specification and Apple's accessory protocol R4 alone.
"""
import ctypes
import os
import socket
import struct
import sys
from types import SimpleNamespace

RESET, GRANT, FAREWELL, HELLO, READY, REFUSED, ANSWERS = 0x01, 0x02, 0x03, 0x81, 0x82, 0x83, 0x84
BOOT, TIMER, QUEUE, COMMAND, CONNECTED, DISCONNECTED, ACL = 0x01, 0x02, 0x03, 0x04, 0x11, 0x12, 0x13
KEY_WANTED, ENCRYPTED, UWB_STARTED, UWB_ROUND = 0x15, 0x16, 0x30, 0x31
PRIMARY, CHARACTERISTIC, DESCRIPTION, CCCD = b"\x00\x28", b"\x03\x28", b"\x01\x29", b"\x02\x29"
READ, WRITE_COMMAND, WRITE, NOTIFY, SECURE = 0x02, 0x04, 0x08, 0x10, 0x100
INVALID_HANDLE, NOT_READABLE, NOT_WRITABLE, INVALID_PDU, NOT_SUPPORTED = 0x01, 0x02, 0x03, 0x04, 0x06
INVALID_OFFSET, NOT_FOUND, WRONG_LENGTH, NOT_ENCRYPTED, NO_GROUP = 0x07, 0x0A, 0x0D, 0x0F, 0x10
QNIS, SECURED, RECEIVE, SEND = (
    bytes.fromhex(f"2E93{part}6A6111EDA1EB0242AC120002")[::-1] for part in ("8FD0", "941C", "998A", "9AF2"))
NEARBY_INTERACTION = bytes.fromhex("48FE3E4008174BB286333073689C2DBA")[::-1]
CONFIGURATION = bytes.fromhex("95E8D9D5D8EF47219A4E807375F53328")[::-1]


def block(data):
    return struct.pack("<H", len(data)) + data


class Reader:
    """Takes values of DEVICE-LINK.md section 3 from bytes."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, shape):
        values = struct.unpack_from("<" + shape, self.data, self.at)
        self.at += struct.calcsize("<" + shape)
        return values[0]

    def block(self):
        return self.take(f"{self.take('H')}s")

    def text(self):
        return self.block().decode()

    def pairs(self):
        return [(self.text(), self.text()) for _ in range(self.take("H"))]


class Link:
    """One connection, and what its phone has done on it."""

    def __init__(self, handle, peer):
        self.handle, self.peer, self.slot = handle, peer, None
        self.mtu, self.is_encrypted, self.is_subscribed = 23, False, False

    @classmethod
    def of(cls, event):
        """The link that a connection complete tells of; None where there is none."""
        status, handle, _, _, octets = (event.take(shape) for shape in ("B", "H", "B", "B", "6s"))
        return cls(handle, ":".join(f"{octet:02X}" for octet in octets[::-1])) if status == 0 else None


class Peripheral:
    """A host that answers ATT requests; the accessory itself is a subclass."""
    largest_mtu = 247

    def __init__(self, reader):
        self.name, self.model, self.incarnation = reader.text(), reader.text(), reader.take("I")
        self.key, self.own_address = reader.take("Q"), reader.take("7s")
        self.parameters = dict(reader.pairs())
        self.defects = [reader.text() for _ in range(reader.take("H"))]
        self.stored = {reader.text(): reader.block() for _ in range(reader.take("H"))}
        self.now, self.answers, self.links, self.attributes = 0, [], {}, []

    def refusal(self):
        """Why it cannot be what it shall be; None where it can."""

    # Answers
    def answer(self, kind, payload=b""):
        self.answers.append(struct.pack("<BI", kind, len(payload)) + payload)

    def set_timer(self, name, after, slack=0):
        self.answer(0x01, block(name.encode()) + struct.pack("<QQ", after, slack))

    def cancel_timer(self, name):
        self.answer(0x02, block(name.encode()))

    def post(self, queue, item):
        self.answer(0x03, block(queue.encode()) + struct.pack("<I", item))

    def store(self, key, value):
        self.stored[key] = value
        self.answer(0x04, block(key.encode()) + b"\x01" + block(value))

    def advertise(self, interval, data, response):
        self.answer(0x10, struct.pack("<H", interval) + block(data) + block(response))

    def advertise_service(self, interval):
        """Qorvo's service, and the name to whom asks."""
        name = self.name.encode()[:29]
        self.advertise(interval, b"\x02\x01\x06\x11\x07" + QNIS, bytes([len(name) + 1, 0x09]) + name)

    def stop_advertising(self):
        self.answer(0x11)

    def disconnect(self, link, reason=0x13):
        self.answer(0x17, struct.pack("<HB", link.handle, reason))

    def send(self, link, pdu):
        self.answer(0x16, struct.pack("<H", link.handle) + block(struct.pack("<HH", len(pdu), 4) + pdu))

    # Events
    def turn(self, frame):
        """The answers to a grant."""
        turn, self.now, kind, _ = struct.unpack_from("<IQBI", frame, 1)
        self.answers = []
        self.handle(kind, Reader(frame, 18))
        return struct.pack("<I", turn) + b"".join(self.answers)

    def handle(self, kind, event):
        if kind == ACL:
            link = self.links.get(event.take("H"))
            if link:
                self.received(link, event.block())
        elif kind == KEY_WANTED:
            link = self.links.get(event.take("H"))
            key = self.stored.get("bond/" + link.peer, b"")[:16] if link else b""
            if link:
                self.answer(0x19, struct.pack("<H?", link.handle, key != b"") + key)
        elif kind == ENCRYPTED:
            status, link, is_on = event.take("B"), self.links.get(event.take("H")), event.take("B")
            if link:
                link.is_encrypted = status == 0 and is_on == 1

    # The attribute server
    def add(self, kind, value, permissions=READ):
        handle = len(self.attributes) + 1
        self.attributes.append(SimpleNamespace(
            handle=handle, end=handle, kind=kind, value=value, permissions=permissions))
        return handle

    def add_service(self, kind, *characteristics):
        """Characteristics are (uuid, permissions, value, description or None); a value may be a function of the link."""
        first = len(self.attributes)
        self.add(PRIMARY, kind)
        for kind, permissions, value, description in characteristics:
            self.add(CHARACTERISTIC, struct.pack("<BH", permissions & 0xFF, len(self.attributes) + 2) + kind)
            handle = self.add(kind, value, permissions)
            if permissions & NOTIFY:
                self.notified = handle
                self.add(CCCD, lambda link: struct.pack("<H", link.is_subscribed), READ | WRITE)
            if description:
                self.add(DESCRIPTION, description, READ | permissions & SECURE)
        self.attributes[first].end = len(self.attributes)

    def add_services(self, secured, *configurations):
        """GAP, GATT, Qorvo's service and Apple's, whose characteristics are those of sessions."""
        self.add_service(b"\x00\x18", (b"\x00\x2A", READ, self.name.encode(), None), (b"\x01\x2A", READ, b"\0\0", None))
        self.add_service(b"\x01\x18")
        self.add_service(
            QNIS, (SECURED, READ | SECURE, secured, None), (RECEIVE, WRITE | WRITE_COMMAND, b"", None),
            (SEND, NOTIFY, b"", None))
        self.add_service(NEARBY_INTERACTION, *(
            (CONFIGURATION, READ | SECURE, value, description) for value, description in configurations))

    def attribute(self, handle):
        return self.attributes[handle - 1] if 0 < handle <= len(self.attributes) else None

    def received(self, link, frame):
        pdu = frame[4:]
        if frame[2:4] != b"\x04\x00" or not pdu:
            return
        requests = {
            0x02: self.exchange_mtu, 0x04: self.discover, 0x06: self.discover, 0x08: self.discover, 0x0A: self.read,
            0x0C: self.read, 0x10: self.discover, 0x12: self.write, 0x52: self.write}
        try:
            reply, handle = requests[pdu[0]](link, pdu) if pdu[0] in requests else (NOT_SUPPORTED, 0)
        except struct.error:
            reply, handle = INVALID_PDU, 0
        # Commands, responses and confirmations are never answered, not even by an error.
        if pdu[0] & 0x41 == 0 and pdu[0] != 0x1E:
            self.send(link, struct.pack("<BBHB", 0x01, pdu[0], handle, reply) if isinstance(reply, int) else reply)
        if reply == b"\x13":
            self.written(link, self.attribute(handle).kind, pdu[3:])

    def exchange_mtu(self, link, pdu):
        link.mtu = max(23, min(self.largest_mtu, struct.unpack("<BH", pdu)[1]))
        return struct.pack("<BH", 0x03, self.largest_mtu), 0

    def discover(self, link, pdu):
        """Find Information, Find By Type Value, Read By Type and Read By Group Type."""
        opcode, first, last = struct.unpack_from("<BHH", pdu)
        kind, wanted = (pdu[5:7], pdu[7:]) if opcode == 0x06 else (pdu[5:], None)
        if not 0 < first <= last or opcode == 0x10 and kind != PRIMARY:
            return NO_GROUP if 0 < first <= last else INVALID_HANDLE, first
        entries = []
        for attribute in self.attributes[first - 1:last]:
            if opcode != 0x04 and kind != attribute.kind or wanted not in (None, attribute.value):
                continue
            value = attribute.kind if opcode == 0x04 else b"" if opcode == 0x06 else self.value(link, attribute)
            if isinstance(value, int) and not entries:
                return value, attribute.handle
            ends = struct.pack("<HH", attribute.handle, attribute.end)[:4 if opcode in (0x06, 0x10) else 2]
            if isinstance(value, int) or entries and len(ends + value) != len(entries[0]):
                break
            entries.append(ends + value[:link.mtu - 2 - len(ends)])
        if not entries:
            return NOT_FOUND, first
        size = len(entries[0])
        head = {0x04: bytes([0x05, 1 if size == 4 else 2]), 0x06: b"\x07"}.get(opcode, bytes([opcode + 1, size]))
        return head + b"".join(entries[:(link.mtu - len(head)) // size]), 0

    def value(self, link, attribute):
        """The value, or the number of the error that keeps it from being read."""
        if attribute.permissions & SECURE and not link.is_encrypted:
            return NOT_ENCRYPTED
        value = attribute.value(link) if callable(attribute.value) else attribute.value
        return value if attribute.permissions & READ else NOT_READABLE

    def read(self, link, pdu):
        handle, offset = struct.unpack("<HH", pdu[1:] + (b"\x00\x00" if pdu[0] == 0x0A else b""))
        attribute = self.attribute(handle)
        value = self.value(link, attribute) if attribute else INVALID_HANDLE
        if isinstance(value, int) or offset > len(value):
            return value if isinstance(value, int) else INVALID_OFFSET, handle
        return bytes([pdu[0] + 1]) + value[offset:][:link.mtu - 1], handle

    def write(self, link, pdu):
        handle = struct.unpack_from("<BH", pdu)[1]
        attribute = self.attribute(handle)
        if not attribute or not attribute.permissions & (WRITE if pdu[0] == 0x12 else WRITE_COMMAND):
            return NOT_WRITABLE if attribute else INVALID_HANDLE, handle
        if attribute.kind == CCCD and len(pdu) != 5:
            return WRONG_LENGTH, handle
        if attribute.kind == CCCD:
            link.is_subscribed = pdu[3] & 1 == 1
        return b"\x13", handle

    def written(self, link, kind, value):
        """A characteristic or descriptor was written."""

    def notify(self, link, message):
        if link.is_subscribed:
            self.send(link, (struct.pack("<BH", 0x1B, self.notified) + message)[:link.mtu])


def serve(program, make):
    """Plays the devices that the orchestrator asks for; `make` gives one."""
    if "ANECHOIC_LINK" not in os.environ:
        print(f"{program}: anechoic starts this program, with ANECHOIC_LINK in its environment.", file=sys.stderr)
        raise SystemExit(64)
    ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
    transport, place = os.environ["ANECHOIC_LINK"].split(":", 1)
    dialled = socket.socket(socket.AF_UNIX)
    if transport == "unix":
        dialled.connect(place)
    ends = [dialled.detach()] if transport == "unix" else [int(number) for number in place.split(",")]
    source, sink = os.fdopen(ends[0], "rb"), os.fdopen(os.dup(ends[-1]), "wb")
    kind, reply, device = HELLO, b"ANCH" + struct.pack("<HHB", 1, 0, 0) + block(program.encode()), None
    while True:
        sink.write(struct.pack("<IB", 1 + len(reply), kind) + reply)
        sink.flush()
        length = source.read(4)
        frame = source.read(*struct.unpack("<I", length)) if length else bytes([FAREWELL])
        if frame[0] == RESET:
            device = make(Reader(frame, 1))
            refusal = device.refusal()
            kind, reply = (REFUSED, block(refusal.encode())) if refusal else (READY, b"")
        elif frame[0] == GRANT and device:
            kind, reply = ANSWERS, device.turn(frame)
        elif frame[0] == FAREWELL:
            raise SystemExit(0)
        else:
            print(f"{program}: frame 0x{frame[0]:02X} is not expected here", file=sys.stderr)
            raise SystemExit(65)
