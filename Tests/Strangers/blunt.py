#!/usr/bin/env python3
"""An accessory with a bug that needs no race: the argument names one, and certain.json says what it takes to show it."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Sources/Devices/Foreign/Python"))

from anechoic.accessory import CONFIGURE_AND_START, DID_START, DID_STOP, INITIALIZE, STOP, Accessory
from anechoic.link import DISCONNECTED, TIMER, serve

MILLISECOND = 1_000_000


class LeaksCredits(Accessory):
    """Three messages may be on their way; one whose link ends meanwhile stays so for ever."""

    credits = 3

    def handle(self, kind, event):
        if kind == TIMER:
            self.credits += 1
            return
        if kind == DISCONNECTED:
            self.cancel_timer("sent")
        super().handle(kind, event)

    def say(self, message):
        if self.credits:
            self.credits -= 1
            self.set_timer("sent", 8 * MILLISECOND)
            super().say(message)


class LeaksSlots(Accessory):
    """There are three sessions, of which the end of a link gives none back."""

    slots = 3

    def message(self, data):
        if data[:1] == INITIALIZE:
            if self.slots == 0:
                return
            self.slots -= 1
        elif data[:1] == STOP:
            self.slots += 1
        super().message(data)


class CutsMessages(Accessory):
    """Sends the 20 bytes that fit without an exchange of MTUs, whatever was agreed upon."""

    def say(self, message):
        super().say(message[:20])


class ReusesAddress(Accessory):
    """Draws an address once, and not for each session."""

    def new_session(self):
        if not self.configuration:
            super().new_session()


class TellsNobody(Accessory):
    """Says DidStart when it asks its radio, and nothing when that refuses."""

    def message(self, data):
        super().message(data)
        if data[:1] == CONFIGURE_AND_START and self.is_ranging:
            self.say(DID_START)

    def started(self, session, status):
        if session == self.sessions and status:
            self.is_ranging = False


class RangesOn(Accessory):
    """Acknowledges a stop, and leaves its radio on."""

    def message(self, data):
        if data[:1] == STOP:
            return self.say(DID_STOP)
        super().message(data)


class ForgetsCounter(Accessory):
    """Counts its sessions in memory that a restart clears."""

    def store(self, key, value):
        if key != "sessions":
            super().store(key, value)


class AdvertisesTwice(Accessory):
    """Has room for two advertising sets, and makes one each time."""

    sets = 2

    def advertise_service(self, interval):
        self.sets -= 1
        if self.sets >= 0:
            super().advertise_service(interval)


class DeafAfterGarbage(Accessory):
    """Waits for ever for the rest of a message that it does not know."""

    is_waiting = False

    def message(self, data):
        self.is_waiting = self.is_waiting or data[:1] not in (INITIALIZE, CONFIGURE_AND_START, STOP)
        if not self.is_waiting:
            super().message(data)


BUGS = {
    "leaks-credits": LeaksCredits, "leaks-slots": LeaksSlots, "cuts-messages": CutsMessages,
    "reuses-address": ReusesAddress, "tells-nobody": TellsNobody, "ranges-on": RangesOn,
    "forgets-counter": ForgetsCounter, "advertises-twice": AdvertisesTwice, "deaf-after-garbage": DeafAfterGarbage,
}

if __name__ == "__main__":
    serve("blunt.py", BUGS[sys.argv[1]])
