#!/usr/bin/env python3
"""A UWB accessory of the kind of Qorvo's firmware, for one phone at a time.

Written from Sources/DeviceLink/DEVICE-LINK.md and Apple's accessory protocol R4 alone, to prove them enough.
"""
import hashlib
import struct

from peripheral import BOOT, CONNECTED, DISCONNECTED, RECEIVE, UWB_ROUND, UWB_STARTED, Link, Peripheral, serve

CHANNELS, PREAMBLES = (5, 6, 8, 9, 10, 12, 13, 14), range(9, 13)
# How long all rounds may be misses, in ns.
TIMEOUT = 60_000_000_000


class Accessory(Peripheral):
    largest_mtu = 100

    def __init__(self, reader):
        super().__init__(reader)
        self.link, self.is_ranging, self.missing_since = None, False, None
        self.sessions = int.from_bytes(self.stored.get("sessions", b""), "little")
        self.address, self.configuration = b"", b""
        self.add_services(b"Qorvo", (lambda _: self.configuration, None))

    def refusal(self):
        unknown = [*self.parameters, *self.defects]
        if self.model in ("", "qorvo") and not unknown:
            return None
        return 'this is a "qorvo" without parameters and defects, not ' + ", ".join([self.model] + unknown)

    def handle(self, kind, event):
        super().handle(kind, event)
        if kind == BOOT:
            self.advertise_service(32)
        elif kind == CONNECTED:
            self.link = Link.of(event)
            if self.link:
                self.links[self.link.handle] = self.link
        elif kind == DISCONNECTED:
            if self.links.pop(event.take("H"), None):
                self.stop_ranging()
                self.link = None
                self.advertise_service(32)
        elif kind == UWB_STARTED:
            self.started(event.take("I"), event.take("B"))
        elif kind == UWB_ROUND:
            self.round(event.take("I"), event.take("B"))

    # The accessory protocol and its ranging
    def written(self, link, kind, value):
        if kind == RECEIVE:
            self.message(value)

    def message(self, data):
        if data[:1] in (b"\x0A", b"\x0B", b"\x0C"):
            self.stop_ranging()
        if data[:1] == b"\x0A":
            # New configuration data, with an address of its own, for every session (R4 3.4.1).
            self.sessions += 1
            self.store("sessions", struct.pack("<I", self.sessions))
            # Drawn anew, it would come twice in one of some thousand runs; odd steps meet each address once.
            first = int.from_bytes(hashlib.sha256(self.own_address).digest()[:2], "little")
            self.address = struct.pack("<H", (first + 40503 * self.sessions) % 65536)
            uwb = struct.pack("<HHIIIB2sH", 1, 1, 0x0003F53F, 0x0BB8, 0x01010000, 1, self.address, 25)
            self.configuration = struct.pack("<HHB10xB", 1, 0, 20, len(uwb)) + uwb
            self.notify(self.link, b"\x01" + self.configuration)
        elif data[:1] == b"\x0C" or data[:1] == b"\x0B" and not self.start_ranging(data[1:]):
            self.notify(self.link, b"\x03")

    def start_ranging(self, shareable):
        """The phone's shareable data, version 1.1, makes the radio's parameters (R4 3.5)."""
        if len(shareable) == 30 and shareable[:5] == b"\x01\x00\x01\x00\x19" and self.configuration:
            session, preamble, channel, timing, _, vector, phone = struct.unpack_from("<4sBB6sB6s2s", shareable, 7)
            # What the air has spoilt may ask for what no radio can do.
            if channel not in CHANNELS or preamble not in PREAMBLES or not all(struct.unpack("<HHH", timing)):
                return False
            head = struct.pack("<I4s2s2sBB", self.sessions, session, self.address, phone, channel, preamble)
            self.answer(0x30, head + vector + timing + b"\x01")
            self.is_ranging = True
        return self.is_ranging

    def started(self, session, status):
        if self.is_ranging and session == self.sessions:
            self.is_ranging, self.missing_since = status == 0, None
            self.notify(self.link, b"\x02" if self.is_ranging else b"\x03")

    def round(self, session, is_measured):
        if not self.is_ranging or session != self.sessions:
            return
        self.missing_since = None if is_measured else self.missing_since or self.now
        if self.missing_since and self.now - self.missing_since >= TIMEOUT:
            self.stop_ranging()
            self.notify(self.link, b"\x03")

    def stop_ranging(self):
        if self.is_ranging:
            self.answer(0x31, struct.pack("<I", self.sessions))
        self.is_ranging = False


def main(kind=Accessory):
    serve("accessory.py", kind)


if __name__ == "__main__":
    main()
