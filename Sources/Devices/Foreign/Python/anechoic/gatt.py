"""A GATT server for several links (Core Specification Vol 3 Parts F and G)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Callable, Optional, Union

from .link import ACL, COMMAND, ENCRYPTED, KEY_WANTED, Device, Reader

PRIMARY, CHARACTERISTIC, DESCRIPTION, CCCD = b"\x00\x28", b"\x03\x28", b"\x01\x29", b"\x02\x29"
#: What a characteristic can do; SECURE demands an encrypted link for reading.
READ, WRITE_COMMAND, WRITE, NOTIFY, SECURE = 0x02, 0x04, 0x08, 0x10, 0x100
INVALID_HANDLE, NOT_READABLE, NOT_WRITABLE, INVALID_PDU, NOT_SUPPORTED = 0x01, 0x02, 0x03, 0x04, 0x06
INVALID_OFFSET, NOT_FOUND, WRONG_LENGTH, NOT_ENCRYPTED, NO_GROUP = 0x07, 0x0A, 0x0D, 0x0F, 0x10


class Link:
    """One connection, and what its peer has done on it."""

    def __init__(self, handle: int, peer: str) -> None:
        self.handle, self.peer = handle, peer
        #: The device's own: which of its places the link takes.
        self.slot = 0
        self.mtu, self.is_encrypted, self.is_subscribed = 23, False, False

    @classmethod
    def of(cls, event: Reader) -> Link | None:
        """The link that a connection complete tells of; None where there is none."""
        status, handle, _, _, octets = (event.take(shape) for shape in ("B", "H", "B", "B", "6s"))
        return cls(handle, ":".join(f"{octet:02X}" for octet in octets[::-1])) if status == 0 else None


#: A value, or what gives it for a link.
Value = Union[bytes, Callable[[Link], bytes]]
#: A type, what it can do, its value, and its description or None.
Characteristic = tuple[bytes, int, Value, Optional[bytes]]
#: A response, or the number of an error; and the handle that it is about.
Reply = tuple[Union[bytes, int], int]


@dataclass
class Attribute:
    handle: int
    end: int
    kind: bytes
    value: Value
    permissions: int


class Peripheral(Device):
    """A host that answers ATT requests; the accessory itself is a subclass."""

    largest_mtu = 247

    def __init__(self, reader: Reader) -> None:
        super().__init__(reader)
        self.links: dict[int, Link] = {}
        self.attributes: list[Attribute] = []
        #: The handle of the characteristic that notifies.
        self.notified = 0

    def handle(self, kind: int, event: Reader) -> None:
        if kind == ACL:
            link = self.links.get(event.take("H"))
            if link:
                self.received(link, event.block())
        elif kind == KEY_WANTED:
            link = self.links.get(event.take("H"))
            if link:
                key = self.stored.get("bond/" + link.peer, b"")[:16]
                self.answer(0x19, struct.pack("<H?", link.handle, key != b"") + key)
        elif kind == ENCRYPTED:
            status, link, is_on = event.take("B"), self.links.get(event.take("H")), event.take("B")
            if link:
                link.is_encrypted = status == 0 and is_on == 1
        elif kind == COMMAND:
            # Whoever comes next reads it, too.
            command = Reader(event.data, event.at)
            name, arguments = command.text(), dict(command.pairs())
            if name == "paired":
                self.stored["bond/" + arguments["peer"]] = bytes.fromhex(arguments["bond"])
                self.paired(arguments["peer"])
            elif name == "forget-bond":
                for peer in self.bonds:
                    self.erase_bond(peer)

    # Bonds

    @property
    def bonds(self) -> list[str]:
        """The addresses of bonded phones: those of earlier lives in the order of addresses, then as they have paired."""
        return [key[5:] for key in self.stored if key.startswith("bond/")]

    def erase_bond(self, peer: str) -> None:
        """Forgets the key; a link that is encrypted stays so until it ends."""
        self.forget("bond/" + peer)

    def paired(self, peer: str) -> None:
        """A phone has paired (`pairing:` in the topology), and its bond is stored."""

    def written(self, link: Link, kind: bytes, value: bytes) -> None:
        """A characteristic or descriptor of this type was written."""

    def disconnect(self, link: Link, reason: int = 0x13) -> None:
        self.answer(0x17, struct.pack("<HB", link.handle, reason))

    def notify(self, link: Link, message: bytes) -> None:
        """Sends a value to a link that has subscribed, cut to its MTU."""
        if link.is_subscribed:
            self._send(link, (struct.pack("<BH", 0x1B, self.notified) + message)[:link.mtu])

    def advertise_named(self, interval: int, service: bytes) -> None:
        """Advertises a service, and the name to whom asks."""
        name = self.name.encode()[:29]
        self.advertise(interval, b"\x02\x01\x06\x11\x07" + service, bytes([len(name) + 1, 0x09]) + name)

    # The attributes

    def add(self, kind: bytes, value: Value, permissions: int = READ) -> int:
        """Adds an attribute; returns its handle."""
        handle = len(self.attributes) + 1
        self.attributes.append(Attribute(handle, handle, kind, value, permissions))
        return handle

    def add_service(self, service: bytes, *characteristics: Characteristic) -> None:
        """Adds a service; UUIDs are as Bluetooth sends them, the last byte first."""
        first = len(self.attributes)
        self.add(PRIMARY, service)
        for kind, permissions, value, description in characteristics:
            self.add(CHARACTERISTIC, struct.pack("<BH", permissions & 0xFF, len(self.attributes) + 2) + kind)
            handle = self.add(kind, value, permissions)
            if permissions & NOTIFY:
                if self.notified:
                    raise ValueError("one characteristic that notifies is all that this server has")
                self.notified = handle
                self.add(CCCD, lambda link: struct.pack("<H", link.is_subscribed), READ | WRITE)
            if description:
                self.add(DESCRIPTION, description, READ | permissions & SECURE)
        self.attributes[first].end = len(self.attributes)

    def add_generic_services(self) -> None:
        """Generic Access, which tells the name, and Generic Attribute."""
        self.add_service(b"\x00\x18", (b"\x00\x2A", READ, self.name.encode(), None), (b"\x01\x2A", READ, b"\0\0", None))
        self.add_service(b"\x01\x18")

    def attribute(self, handle: int) -> Attribute | None:
        return self.attributes[handle - 1] if 0 < handle <= len(self.attributes) else None

    # Requests

    def _send(self, link: Link, pdu: bytes) -> None:
        self.send_frame(link.handle, 4, pdu)

    def received(self, link: Link, frame: bytes) -> None:
        """Takes an L2CAP frame of the attribute protocol."""
        pdu = frame[4:]
        if frame[2:4] != b"\x04\x00" or not pdu:
            return
        requests: dict[int, Callable[[Link, bytes], Reply]] = {
            0x02: self._exchange_mtu, 0x04: self._discover, 0x06: self._discover, 0x08: self._discover,
            0x0A: self._read, 0x0C: self._read, 0x10: self._discover, 0x12: self._write, 0x52: self._write}
        reply: bytes | int
        try:
            reply, handle = requests[pdu[0]](link, pdu) if pdu[0] in requests else (NOT_SUPPORTED, 0)
        except struct.error:
            reply, handle = INVALID_PDU, 0
        # Commands, responses and confirmations are never answered, not even by an error.
        if pdu[0] & 0x41 == 0 and pdu[0] != 0x1E:
            self._send(link, struct.pack("<BBHB", 0x01, pdu[0], handle, reply) if isinstance(reply, int) else reply)
        written = self.attribute(handle) if reply == b"\x13" else None
        if written:
            self.written(link, written.kind, pdu[3:])

    def _exchange_mtu(self, link: Link, pdu: bytes) -> Reply:
        link.mtu = max(23, min(self.largest_mtu, struct.unpack("<BH", pdu)[1]))
        return struct.pack("<BH", 0x03, self.largest_mtu), 0

    def _discover(self, link: Link, pdu: bytes) -> Reply:
        """Find Information, Find By Type Value, Read By Type and Read By Group Type."""
        opcode, first, last = struct.unpack_from("<BHH", pdu)
        kind, wanted = (pdu[5:7], pdu[7:]) if opcode == 0x06 else (pdu[5:], None)
        if not 0 < first <= last or opcode == 0x10 and kind != PRIMARY:
            return NO_GROUP if 0 < first <= last else INVALID_HANDLE, first
        entries: list[bytes] = []
        for attribute in self.attributes[first - 1:last]:
            if opcode != 0x04 and kind != attribute.kind:
                continue
            value = attribute.kind if opcode == 0x04 else self._value(link, attribute)
            if opcode == 0x06:
                if value != wanted:
                    continue
                value = b""
            if isinstance(value, int):
                if not entries:
                    return value, attribute.handle
                break
            ends = struct.pack("<HH", attribute.handle, attribute.end)[:4 if opcode in (0x06, 0x10) else 2]
            if entries and len(ends + value) != len(entries[0]):
                break
            entries.append(ends + value[:min(link.mtu - 2, 255) - len(ends)])
        if not entries:
            return NOT_FOUND, first
        size = len(entries[0])
        head = {0x04: bytes([0x05, 1 if size == 4 else 2]), 0x06: b"\x07"}.get(opcode, bytes([opcode + 1, size]))
        return head + b"".join(entries[:(link.mtu - len(head)) // size]), 0

    def _value(self, link: Link, attribute: Attribute) -> bytes | int:
        """The value, or the number of the error that keeps it from being read."""
        if attribute.permissions & SECURE and not link.is_encrypted:
            return NOT_ENCRYPTED
        value = attribute.value(link) if callable(attribute.value) else attribute.value
        return value if attribute.permissions & READ else NOT_READABLE

    def _read(self, link: Link, pdu: bytes) -> Reply:
        handle, offset = struct.unpack("<HH", pdu[1:] + (b"\x00\x00" if pdu[0] == 0x0A else b""))
        attribute = self.attribute(handle)
        value = self._value(link, attribute) if attribute else INVALID_HANDLE
        if isinstance(value, int):
            return value, handle
        if offset > len(value):
            return INVALID_OFFSET, handle
        return bytes([pdu[0] + 1]) + value[offset:][:link.mtu - 1], handle

    def _write(self, link: Link, pdu: bytes) -> Reply:
        handle = struct.unpack_from("<BH", pdu)[1]
        attribute = self.attribute(handle)
        if not attribute or not attribute.permissions & (WRITE if pdu[0] == 0x12 else WRITE_COMMAND):
            return NOT_WRITABLE if attribute else INVALID_HANDLE, handle
        if attribute.kind == CCCD:
            if len(pdu) != 5:
                return WRONG_LENGTH, handle
            link.is_subscribed = pdu[3] & 1 == 1
        return b"\x13", handle
