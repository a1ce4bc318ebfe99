#!/usr/bin/env python3
"""Healthy accessories that differ in what R4 leaves to their maker: the argument names one, designs.json says why it may."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Sources/Devices/Foreign/Python"))

from anechoic.accessory import (
    CONFIGURE_AND_START, CONFIGURED, DID_START, DID_STOP, INITIALIZE, NEARBY_INTERACTION, STOP, Accessory)
from anechoic.gatt import NOTIFY, READ, SECURE, WRITE, WRITE_COMMAND
from anechoic.link import CONNECTED, DISCONNECTED, TIMER, serve

MILLISECOND = 1_000_000
CCCD = b"\x02\x29"


class Timed(Accessory):
    """An accessory whose timers mean something."""

    def handle(self, kind, event):
        if kind == TIMER:
            self.due(event.text())
        else:
            super().handle(kind, event)
        if kind == DISCONNECTED:
            self.cancel_timer("later")

    def due(self, name):
        """A timer is over."""


class Unasked(Accessory):
    """Sends its configuration data when a phone subscribes, and knows no initialize."""

    def written(self, link, kind, value):
        if kind == CCCD and value[:1] == b"\x01":
            self.new_session()
            self.say(CONFIGURED + self.configuration)
        elif value[:1] != INITIALIZE:
            super().written(link, kind, value)


class Silent(Accessory):
    """Never says DidStart or DidStop."""

    def say(self, message):
        if message[:1] not in (DID_START, DID_STOP):
            super().say(message)


class UnaskedAndSilent(Unasked, Silent):
    """Knows R4's two messages and no others."""


class Slow(Timed):
    """Takes six seconds over its configuration data."""

    def message(self, data):
        if data[:1] in (INITIALIZE, STOP):
            self.cancel_timer("later")
        if data[:1] != INITIALIZE:
            return super().message(data)
        self.stop_ranging()
        self.set_timer("later", 6000 * MILLISECOND)

    def due(self, name):
        super().message(INITIALIZE)


class OwnCharacteristic(Accessory):
    """Has a characteristic of its own in Apple's service."""

    def add_service(self, service, *characteristics):
        own = (bytes.fromhex("11112222333344445555666677778888"), READ | SECURE, b"own", None)
        super().add_service(service, *characteristics, *([own] if service == NEARBY_INTERACTION else []))


class EarlyWord(Accessory):
    """Says DidStart when it has asked its radio, before that is up."""

    def message(self, data):
        super().message(data)
        if data[:1] == CONFIGURE_AND_START and self.is_ranging:
            self.say(DID_START)

    def started(self, session, status):
        if self.is_ranging and session == self.sessions and status:
            self.is_ranging = False
            self.say(DID_STOP)


class SlowRadio(Timed):
    """Wakes its radio for 300 ms, and cancels that where it is told to."""

    shareable = b""

    def message(self, data):
        if data[:1] in (INITIALIZE, CONFIGURE_AND_START, STOP):
            self.cancel_timer("later")
        if data[:1] != CONFIGURE_AND_START:
            return super().message(data)
        self.stop_ranging()
        self.shareable = data[1:]
        self.set_timer("later", 300 * MILLISECOND, slack=20 * MILLISECOND)

    def due(self, name):
        if self.link and not self.start_ranging(self.shareable):
            self.say(DID_STOP)


class OwnMessages(Accessory):
    """Sends messages of its own between the others."""

    def message(self, data):
        self.say(b"\x80battery 71")
        if data[:1] != b"\x90":
            super().message(data)


class Tired(Timed):
    """Ends a session by itself after eight seconds, and says so."""

    def started(self, session, status):
        super().started(session, status)
        if self.is_ranging:
            self.set_timer("later", 8000 * MILLISECOND)

    def stop_ranging(self):
        self.cancel_timer("later")
        super().stop_ranging()

    def due(self, name):
        if self.is_ranging:
            self.stop_ranging()
            self.say(DID_STOP)


class Choosy(Accessory):
    """Refuses the first start of all, and takes the next."""

    refused = 0

    def start_ranging(self, shareable):
        self.refused += 1
        return self.refused > 1 and super().start_ranging(shareable)


class Automatic(Accessory):
    """Leaves the rate of updates to the phone."""

    rate = 0

    def new_session(self):
        super().new_session()
        self.configuration = self.configuration[:4] + bytes([self.rate]) + self.configuration[5:]


class Infrequent(Automatic):
    """Wants a distance every one or two seconds."""

    rate = 10


class WideMTU(Accessory):
    """Takes values of 244 bytes."""

    largest_mtu = 247


class RareAdvertiser(Accessory):
    """Advertises at the longest of Apple's intervals."""

    def advertise_service(self, interval):
        super().advertise_service(1636)


class Nameless(Accessory):
    """Has no name in its advertising data; the phone asks for it over the link."""

    def advertise_service(self, interval):
        if not self.is_off:
            self.advertise(interval, b"\x02\x01\x06\x11\x07" + self.service)


class MoreServices(Accessory):
    """Has services of other kinds before its own."""

    def add_generic_services(self):
        super().add_generic_services()
        self.add_service(b"\x0F\x18", (b"\x19\x2A", READ, b"\x47", None))
        self.add_service(b"\x0A\x18", (b"\x29\x2A", READ, b"maker", None), (b"\x26\x2A", READ, b"1.4", None))


class WithResponseOnly(Accessory):
    """Takes messages by writes with a response alone."""

    def add_service(self, service, *characteristics):
        super().add_service(service, *(
            (kind, WRITE if permissions == WRITE | WRITE_COMMAND else permissions, value, description)
            for kind, permissions, value, description in characteristics))


class Told(Accessory):
    """Tells the user something by iOSNotify when a phone connects."""

    def written(self, link, kind, value):
        super().written(link, kind, value)
        if kind == CCCD and value[:1] == b"\x01":
            text = b"hello"
            self.say(bytes([0x2F, len(text) + 2, 0]) + text)


class LetsGo(Timed):
    """Ends a link over which nobody has asked for anything for a minute."""

    def handle(self, kind, event):
        super().handle(kind, event)
        if kind == CONNECTED:
            self.set_timer("later", 60_000 * MILLISECOND)

    def message(self, data):
        self.cancel_timer("later")
        super().message(data)

    def due(self, name):
        if self.link:
            self.disconnect(self.link)


DESIGNS = {
    "unasked": Unasked, "silent": Silent, "unasked-and-silent": UnaskedAndSilent, "slow": Slow,
    "own-characteristic": OwnCharacteristic, "early-word": EarlyWord, "slow-radio": SlowRadio,
    "own-messages": OwnMessages, "tired": Tired, "choosy": Choosy, "automatic": Automatic, "infrequent": Infrequent,
    "wide-mtu": WideMTU, "rare-advertiser": RareAdvertiser, "nameless": Nameless, "more-services": MoreServices,
    "with-response-only": WithResponseOnly, "told": Told, "lets-go": LetsGo,
}

if __name__ == "__main__":
    serve("accessory.py", DESIGNS[sys.argv[1]])
