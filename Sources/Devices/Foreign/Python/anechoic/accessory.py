"""An accessory of Nearby Interaction: its services, its messages (Apple's accessory protocol R4) and its UWB session."""

from __future__ import annotations

import hashlib
import struct
from typing import Optional

from .gatt import NOTIFY, READ, SECURE, WRITE, WRITE_COMMAND, Link, Peripheral, Value
from .link import BOOT, CONNECTED, DISCONNECTED, UWB_ROUND, UWB_STARTED, Reader


def _qorvo(part: str) -> bytes:
    return bytes.fromhex(f"2E93{part}6A6111EDA1EB0242AC120002")[::-1]


#: Qorvo's service, what needs an encrypted link in it, and where a phone writes and is notified.
QNIS, SECURED, RECEIVE, SEND = _qorvo("8FD0"), _qorvo("941C"), _qorvo("998A"), _qorvo("9AF2")
#: Apple's service, whose value the phone compares with the configuration data that its app has.
NEARBY_INTERACTION = bytes.fromhex("48FE3E4008174BB286333073689C2DBA")[::-1]
CONFIGURATION = bytes.fromhex("95E8D9D5D8EF47219A4E807375F53328")[::-1]

#: Messages, by their first byte (R4 table 3-1).
CONFIGURED, DID_START, DID_STOP = b"\x01", b"\x02", b"\x03"
INITIALIZE, CONFIGURE_AND_START, STOP = b"\x0A", b"\x0B", b"\x0C"

#: What a UWB radio can do.
CHANNELS, PREAMBLES = (5, 6, 8, 9, 10, 12, 13, 14), range(9, 13)
#: How long all rounds may be misses.
PATIENCE = 60_000_000_000


def configuration_data(address: bytes) -> bytes:
    """Accessory configuration data (R4 3.4.1) for a session with this short address of two bytes."""
    uwb = struct.pack("<HHIIIB2sH", 1, 1, 0x0003F53F, 0x0BB8, 0x01010000, 1, address, 25)
    return struct.pack("<HHB10xB", 1, 0, 20, len(uwb)) + uwb


def radio_parameters(shareable: bytes, session: int, address: bytes) -> bytes | None:
    """What uwbStart carries, of a phone's shareable data (R4 3.5); None where it is none, or no radio can do it."""
    if len(shareable) != 30 or shareable[:5] != b"\x01\x00\x01\x00\x19":
        return None
    fira, preamble, channel, timing, _, vector, phone = struct.unpack_from("<4sBB6sB6s2s", shareable, 7)
    if channel not in CHANNELS or preamble not in PREAMBLES or not all(struct.unpack("<HHH", timing)):
        return None
    head = struct.pack("<I4s2s2sBB", session, fira, address, phone, channel, preamble)
    return head + bytes(vector) + bytes(timing) + b"\x01"


class AccessoryPeripheral(Peripheral):
    """A peripheral with an accessory's services."""

    #: The service of the messages, where a phone writes them, and where it is notified; a maker may have others.
    service, receive, transmit = QNIS, RECEIVE, SEND

    def add_services(self, secured: bytes, *configurations: tuple[Value, Optional[bytes]]) -> None:
        """GAP, GATT, the service of the messages and Apple's; of that, a value and a description for each session."""
        self.add_generic_services()
        self.add_service(
            self.service, (SECURED, READ | SECURE, secured, None), (self.receive, WRITE | WRITE_COMMAND, b"", None),
            (self.transmit, NOTIFY, b"", None))
        self.add_service(NEARBY_INTERACTION, *(
            (CONFIGURATION, READ | SECURE, value, description) for value, description in configurations))

    def advertise_service(self, interval: int) -> None:
        """Advertises the service of the messages, every so many units of 0.625 ms."""
        self.advertise_named(interval, self.service)


class Accessory(AccessoryPeripheral):
    """An accessory of the kind of Qorvo's firmware, for one phone at a time."""

    largest_mtu = 100

    def __init__(self, reader: Reader) -> None:
        super().__init__(reader)
        self.link: Link | None = None
        #: Bluetooth is switched off (DEVICE-LINK.md section 6).
        self.is_off = False
        self.is_ranging = False
        self.missing_since: int | None = None
        self.sessions = int.from_bytes(self.stored.get("sessions", b""), "little")
        self.address, self.configuration = b"", b""
        self.add_services(b"Qorvo", (lambda _: self.configuration, None))

    def refusal(self) -> str | None:
        unknown = [*self.parameters, *self.defects]
        if self.model in ("", "qorvo") and not unknown:
            return None
        return 'this is a "qorvo" without parameters and defects, not ' + ", ".join([self.model] + unknown)

    def handle(self, kind: int, event: Reader) -> None:
        super().handle(kind, event)
        if kind == BOOT:
            self.advertise_service(32)
        elif kind == CONNECTED:
            self.link = Link.of(event)
            if self.link:
                self.links[self.link.handle] = self.link
                if self.is_off:
                    self.disconnect(self.link, 0x15)
        elif kind == DISCONNECTED:
            if self.links.pop(event.take("H"), None):
                self.stop_ranging()
                self.link = None
                self.advertise_service(32)
        elif kind == UWB_STARTED:
            self.started(event.take("I"), event.take("B"))
        elif kind == UWB_ROUND:
            self.round(event.take("I"), event.take("B"))

    def advertise_service(self, interval: int) -> None:
        if not self.is_off:
            super().advertise_service(interval)

    def switch(self, is_on: bool) -> None:
        """Switches Bluetooth: off ends advertising and every link, on is as after power on."""
        self.is_off = not is_on
        if self.is_off:
            self.stop_advertising()
            for link in self.links.values():
                self.disconnect(link, 0x15)
        elif not self.links:
            self.advertise_service(32)

    # Messages

    def written(self, link: Link, kind: bytes, value: bytes) -> None:
        if kind == self.receive:
            self.message(value)

    def say(self, message: bytes) -> None:
        """Sends a message to the phone."""
        if self.link:
            self.notify(self.link, message)

    def message(self, data: bytes) -> None:
        """Takes a message of the phone."""
        if data[:1] in (INITIALIZE, CONFIGURE_AND_START, STOP):
            self.stop_ranging()
        if data[:1] == INITIALIZE:
            self.new_session()
            self.say(CONFIGURED + self.configuration)
        elif data[:1] == STOP or data[:1] == CONFIGURE_AND_START and not self.start_ranging(data[1:]):
            self.say(DID_STOP)

    def new_session(self) -> None:
        """Ends what runs; new configuration data, with an address of its own, for every session (R4 3.4.1)."""
        self.stop_ranging()
        self.sessions += 1
        self.store("sessions", struct.pack("<I", self.sessions))
        # Drawn anew, it would come twice in one of some thousand runs; odd steps meet each address once.
        first = int.from_bytes(hashlib.sha256(self.own_address).digest()[:2], "little")
        self.address = struct.pack("<H", (first + 40503 * self.sessions) % 65536)
        self.configuration = configuration_data(self.address)

    # UWB

    def start_ranging(self, shareable: bytes) -> bool:
        """Asks the radio for what the phone has selected; false where nothing was asked for."""
        if self.configuration:
            parameters = radio_parameters(shareable, self.sessions, self.address)
            if parameters:
                self.answer(0x30, parameters)
                self.is_ranging = True
        return self.is_ranging

    def started(self, session: int, status: int) -> None:
        """The radio is on, or has refused."""
        if self.is_ranging and session == self.sessions:
            self.is_ranging, self.missing_since = status == 0, None
            self.say(DID_START if self.is_ranging else DID_STOP)

    def round(self, session: int, is_measured: int) -> None:
        """A ranging round has measured something, or nothing."""
        if not self.is_ranging or session != self.sessions:
            return
        self.missing_since = None if is_measured else self.missing_since or self.now
        if self.missing_since and self.now - self.missing_since >= PATIENCE:
            self.stop_ranging()
            self.say(DID_STOP)

    def stop_ranging(self) -> None:
        if self.is_ranging:
            self.answer(0x31, struct.pack("<I", self.sessions))
        self.is_ranging = False
