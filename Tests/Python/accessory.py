#!/usr/bin/env python3
"""A UWB accessory of the kind of Qorvo's firmware, for one phone at a time.

Written from Sources/DeviceLink/DEVICE-LINK.md and Apple's accessory protocol R4 alone, to prove them enough.
"""
import ctypes, hashlib, os, socket, struct, sys
from types import SimpleNamespace

RESET, GRANT, FAREWELL, HELLO, READY, REFUSED, ANSWERS = 0x01, 0x02, 0x03, 0x81, 0x82, 0x83, 0x84
MTU = 100
PRIMARY, CHARACTERISTIC, CCCD = b"\x00\x28", b"\x03\x28", b"\x02\x29"
READ, WRITE_COMMAND, WRITE, NOTIFY, SECURE = 0x02, 0x04, 0x08, 0x10, 0x100
INVALID_HANDLE, NOT_READABLE, NOT_WRITABLE, INVALID_PDU, NOT_SUPPORTED = 0x01, 0x02, 0x03, 0x04, 0x06
INVALID_OFFSET, NOT_FOUND, WRONG_LENGTH, NOT_ENCRYPTED, NO_GROUP = 0x07, 0x0A, 0x0D, 0x0F, 0x10
QNIS, SECURED, RECEIVE, SEND = (
    bytes.fromhex(f"2E93{part}6A6111EDA1EB0242AC120002")[::-1] for part in ("8FD0", "941C", "998A", "9AF2"))
NEARBY_INTERACTION = bytes.fromhex("48FE3E4008174BB286333073689C2DBA")[::-1]
CONFIGURATION = bytes.fromhex("95E8D9D5D8EF47219A4E807375F53328")[::-1]


def block(data):
    return struct.pack("<H", len(data)) + data


def unpack_reset(frame):
    """Name, model, key, names of parameters and defects, stored pairs."""
    at = 1

    def take(shape):
        nonlocal at
        at += struct.calcsize("<" + shape)
        return struct.unpack_from("<" + shape, frame, at - struct.calcsize("<" + shape))[-1]

    blocks = lambda width: [[take(f"{take('H')}s") for _ in range(width)] for _ in range(take("H"))]
    name, model, key, _ = take(f"{take('H')}s"), take(f"{take('H')}s"), take("IQ"), take("7s")
    return name, model, key, [pair[0] for pair in blocks(2) + blocks(1)], dict(blocks(2))


class Accessory:
    def __init__(self, frame):
        self.name, model, self.key, unknown, self.stored = unpack_reset(frame)
        self.refusal = None
        if model not in (b"", b"qorvo") or unknown:
            self.refusal = b'this is a "qorvo" without parameters and defects, not ' + b", ".join([model] + unknown)
        self.answers, self.sessions, self.is_ranging = b"", 0, False
        self.address, self.configuration, self.attributes = b"", b"", []
        self.add_service(b"\x00\x18", (b"\x00\x2A", READ, self.name), (b"\x01\x2A", READ, b"\x00\x00"))
        self.add_service(b"\x01\x18")
        self.add_service(
            QNIS, (SECURED, READ | SECURE, b"Qorvo"), (RECEIVE, WRITE | WRITE_COMMAND, b""), (SEND, NOTIFY, b""))
        self.add_service(NEARBY_INTERACTION, (CONFIGURATION, READ | SECURE, lambda: self.configuration))
        self.forget_link()

    def forget_link(self):
        self.handle, self.peer, self.mtu, self.is_encrypted, self.is_subscribed = None, "", 23, False, False

    def answer(self, kind, payload=b""):
        self.answers += struct.pack("<BI", kind, len(payload)) + payload

    def turn(self, frame):
        turn, _, kind, _ = struct.unpack_from("<IQBI", frame, 1)
        events = {
            0x01: self.advertise, 0x11: self.connected, 0x12: self.disconnected, 0x13: self.received,
            0x15: self.key_wanted, 0x16: self.encrypted, 0x30: self.started}
        self.answers = b""
        if kind in events and not self.refusal:
            events[kind](frame[18:])
        return struct.pack("<I", turn) + self.answers

    # Bluetooth
    def advertise(self, _=None):
        data, name = b"\x02\x01\x06\x11\x07" + QNIS, self.name[:29]
        self.answer(0x10, struct.pack("<H", 32) + block(data) + block(bytes([len(name) + 1, 0x09]) + name))

    def connected(self, event):
        status, handle, _, _, octets, _ = struct.unpack("<BHBB6s6s", event)
        if status == 0:
            self.handle, self.peer = handle, ":".join(f"{octet:02X}" for octet in octets[::-1])

    def disconnected(self, event):
        if struct.unpack("<HB", event)[0] == self.handle:
            self.stop_ranging()
            self.forget_link()
            self.advertise()

    def key_wanted(self, event):
        key = self.stored.get(b"bond/" + self.peer.encode(), b"")[:16]
        self.answer(0x19, event + bytes([key != b""]) + key)

    def encrypted(self, event):
        status, _, is_encrypted = struct.unpack("<BHB", event)
        self.is_encrypted = status == 0 and is_encrypted == 1

    def send(self, pdu):
        # At most one reply and one notification a request: eight buffers are never needed.
        self.answer(0x16, struct.pack("<H", self.handle) + block(struct.pack("<HH", len(pdu), 4) + pdu))

    # The attribute server
    def add(self, kind, value, permissions=READ):
        handle = len(self.attributes) + 1
        self.attributes.append(SimpleNamespace(
            handle=handle, end=handle, kind=kind, value=value, permissions=permissions))

    def add_service(self, kind, *characteristics):
        first = len(self.attributes)
        self.add(PRIMARY, kind)
        for kind, permissions, value in characteristics:
            self.add(CHARACTERISTIC, struct.pack("<BH", permissions & 0xFF, len(self.attributes) + 2) + kind)
            self.add(kind, value, permissions)
            if permissions & NOTIFY:
                self.notified = len(self.attributes)
                self.add(CCCD, lambda: struct.pack("<H", self.is_subscribed), READ | WRITE)
        self.attributes[first].end = len(self.attributes)

    def received(self, event):
        pdu = event[8:]
        if struct.unpack_from("<H", event)[0] != self.handle or event[6:8] != b"\x04\x00" or not pdu:
            return
        requests = {
            0x02: self.exchange_mtu, 0x04: self.discover, 0x06: self.discover, 0x08: self.discover, 0x0A: self.read,
            0x0C: self.read, 0x10: self.discover, 0x12: self.write, 0x52: self.write}
        try:
            reply, handle = requests[pdu[0]](pdu) if pdu[0] in requests else (NOT_SUPPORTED, 0)
        except struct.error:
            reply, handle = INVALID_PDU, 0
        # Commands, responses and confirmations are never answered, not even by an error.
        if pdu[0] & 0x41 == 0 and pdu[0] != 0x1E:
            self.send(struct.pack("<BBHB", 0x01, pdu[0], handle, reply) if isinstance(reply, int) else reply)
        if reply == b"\x13" and self.attributes[handle - 1].kind == RECEIVE:
            self.message(pdu[3:])

    def exchange_mtu(self, pdu):
        self.mtu = max(23, min(MTU, struct.unpack("<BH", pdu)[1]))
        return struct.pack("<BH", 0x03, MTU), 0

    def discover(self, pdu):
        """Find Information, Find By Type Value, Read By Type and Read By Group Type."""
        opcode, first, last = struct.unpack_from("<BHH", pdu)
        kind, wanted = (pdu[5:7], pdu[7:]) if opcode == 0x06 else (pdu[5:], None)
        if not 0 < first <= last or opcode == 0x10 and kind != PRIMARY:
            return NO_GROUP if 0 < first <= last else INVALID_HANDLE, first
        entries = []
        for attribute in self.attributes[first - 1:last]:
            if opcode != 0x04 and kind != attribute.kind or wanted not in (None, attribute.value):
                continue
            value = attribute.kind if opcode == 0x04 else b"" if opcode == 0x06 else self.value(attribute)
            if isinstance(value, int) and not entries:
                return value, attribute.handle
            ends = struct.pack("<HH", attribute.handle, attribute.end)[:4 if opcode in (0x06, 0x10) else 2]
            if isinstance(value, int) or entries and len(ends + value) != len(entries[0]):
                break
            entries.append(ends + value[:self.mtu - 2 - len(ends)])
        if not entries:
            return NOT_FOUND, first
        size = len(entries[0])
        head = {0x04: bytes([0x05, 1 if size == 4 else 2]), 0x06: b"\x07"}.get(opcode, bytes([opcode + 1, size]))
        return head + b"".join(entries[:(self.mtu - len(head)) // size]), 0

    def value(self, attribute):
        """The value, or the number of the error that keeps it from being read."""
        if attribute.permissions & SECURE and not self.is_encrypted:
            return NOT_ENCRYPTED
        value = attribute.value() if callable(attribute.value) else attribute.value
        return value if attribute.permissions & READ else NOT_READABLE

    def read(self, pdu):
        handle, offset = struct.unpack("<HH", pdu[1:] + (b"\x00\x00" if pdu[0] == 0x0A else b""))
        known = 0 < handle <= len(self.attributes)
        value = self.value(self.attributes[handle - 1]) if known else INVALID_HANDLE
        if isinstance(value, int) or offset > len(value):
            return value if isinstance(value, int) else INVALID_OFFSET, handle
        return bytes([pdu[0] + 1]) + value[offset:][:self.mtu - 1], handle

    def write(self, pdu):
        handle = struct.unpack_from("<BH", pdu)[1]
        attribute = self.attributes[handle - 1] if 0 < handle <= len(self.attributes) else None
        if not attribute or not attribute.permissions & (WRITE if pdu[0] == 0x12 else WRITE_COMMAND):
            return NOT_WRITABLE if attribute else INVALID_HANDLE, handle
        if attribute.kind == CCCD and len(pdu) != 5:
            return WRONG_LENGTH, handle
        if attribute.kind == CCCD:
            self.is_subscribed = pdu[3] & 1 == 1
        return b"\x13", handle

    def notify(self, message):
        if self.is_subscribed:
            self.send((struct.pack("<BH", 0x1B, self.notified) + message)[:self.mtu])

    # The accessory protocol and its ranging
    def message(self, data):
        if data[:1] in (b"\x0A", b"\x0B", b"\x0C"):
            self.stop_ranging()
        if data[:1] == b"\x0A":
            # New configuration data, with an address of its own, for every session (R4 3.4.1).
            self.sessions += 1
            self.address = hashlib.sha256(struct.pack("<QI", self.key, self.sessions)).digest()[:2]
            uwb = struct.pack("<HHIIIB2sH", 1, 1, 0x0003F53F, 0x0BB8, 0x01010000, 1, self.address, 25)
            self.configuration = struct.pack("<HHB10xB", 1, 0, 20, len(uwb)) + uwb
            self.notify(b"\x01" + self.configuration)
        elif data[:1] == b"\x0C" or data[:1] == b"\x0B" and not self.start_ranging(data[1:]):
            self.notify(b"\x03")

    def start_ranging(self, shareable):
        """The phone's shareable data, version 1.1, makes the radio's parameters (R4 3.5)."""
        if len(shareable) == 30 and shareable[:5] == b"\x01\x00\x01\x00\x19" and self.configuration:
            session, preamble, channel, timing, _, vector, phone = struct.unpack_from("<4sBB6sB6s2s", shareable, 7)
            head = struct.pack("<I4s2s2sBB", self.sessions, session, self.address, phone, channel, preamble)
            self.answer(0x30, head + vector + timing + b"\x01")
            self.is_ranging = True
        return self.is_ranging

    def started(self, event):
        session, status = struct.unpack("<IB", event)
        if self.is_ranging and session == self.sessions:
            self.is_ranging = status == 0
            self.notify(b"\x02" if self.is_ranging else b"\x03")

    def stop_ranging(self):
        if self.is_ranging:
            self.answer(0x31, struct.pack("<I", self.sessions))
        self.is_ranging = False


def main():
    if "ANECHOIC_LINK" not in os.environ:
        sys.exit("accessory.py: anechoic starts this program, with ANECHOIC_LINK in its environment.")
    ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
    transport, place = os.environ["ANECHOIC_LINK"].split(":", 1)
    dialled = socket.socket(socket.AF_UNIX)
    if transport == "unix":
        dialled.connect(place)
    ends = [dialled.detach()] if transport == "unix" else [int(number) for number in place.split(",")]
    source, sink = os.fdopen(ends[0], "rb"), os.fdopen(os.dup(ends[-1]), "wb")
    kind, reply, accessory = HELLO, b"ANCH" + struct.pack("<HHB", 1, 0, 0) + block(b"accessory.py"), None
    while True:
        sink.write(struct.pack("<IB", 1 + len(reply), kind) + reply)
        sink.flush()
        length = source.read(4)
        frame = source.read(*struct.unpack("<I", length)) if length else bytes([FAREWELL])
        if frame[0] == RESET:
            accessory = Accessory(frame)
            kind, reply = (REFUSED, block(accessory.refusal)) if accessory.refusal else (READY, b"")
        elif frame[0] == GRANT and accessory:
            kind, reply = ANSWERS, accessory.turn(frame)
        else:
            sys.exit(0 if frame[0] == FAREWELL else f"accessory.py: frame 0x{frame[0]:02X} is not expected here")


if __name__ == "__main__":
    main()
