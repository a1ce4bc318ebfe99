#!/usr/bin/env python3
"""The lantern: a UWB accessory of nobody's, for one phone or several.

Its firmware works as many do: a request goes through a queue of work, configuration data, the start of
the radio and its end take a while, and a session counter is kept in flash. Without a defect it keeps
every promise; each defect leaves out one check, and bugs.json says which two events then race.
"""
import difflib
import hashlib
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Sources/Devices/Foreign/Python"))

from anechoic.accessory import (
    CONFIGURED, DID_START, DID_STOP, RECEIVE, AccessoryPeripheral, configuration_data, radio_parameters)
from anechoic.gatt import Link
from anechoic.link import BOOT, COMMAND, CONNECTED, DISCONNECTED, QUEUE, TIMER, UWB_ROUND, UWB_STARTED, serve

NOTICE = b"\x2F"
INITIALIZE, CONFIGURE, STOP = 0x0A, 0x0B, 0x0C
MS = 1_000_000
# How long all rounds may be misses, in ns.
NOBODY = 60_000 * MS

# What takes how long, in ns, and how much longer it may take (`NAME-slack`). 0 and no slack: at once;
# what is marked with None then never happens.
TIMES = {
    "prepare": (4 * MS, 6 * MS),  # from initialize to configuration data
    "warm-up": (0, 0),  # from configureAndStart to asking the radio
    "settle": (2 * MS, 4 * MS),  # from the end of the radio to telling it
    "wind-down": (0, 0),  # from the end of the link to that of the radio
    "flush": (0, 0),  # from a new session to the flash
    "publish": (0, 0),  # from configuration data to the Nearby Interaction Service
    "clean-up": (0, 0),  # from the end of a link to forgetting it
    "slow": None,  # from advertising to advertising less often
    "idle": None,  # from the link to its end where nobody asks for anything
    "report": None,  # from the link to telling the user how the battery is
}
DEFECTS = [
    "keeps-prepare-timer", "keeps-settle-timer", "warms-up-after-stop", "works-for-lost-links", "keeps-slow-timer",
    "answers-last-asked", "winds-down-another", "deaf-while-settling", "settles-another", "cleans-up-another",
    "flushes-late", "reports-unsubscribed", "idle-though-asked", "publishes-late", "stops-only-ranging",
    "remembers-starting"]


def is_sound(shareable):
    """Whether a radio can do what a phone sends: versions, length, channel, preamble and timing."""
    if len(shareable) != 30 or shareable[:5] != b"\1\0\1\0\x19":
        return False
    preamble, channel, *timing = struct.unpack_from("<BBHHH", shareable, 11)
    return channel in (5, 9) and 9 <= preamble <= 12 and all(timing)


class Session:
    """One session, from initialize to its end."""

    def __init__(self, number, address):
        self.number, self.address, self.configuration, self.phase = number, address, b"", "preparing"
        self.missing_since = None


class Lantern(AccessoryPeripheral):
    def __init__(self, reader):
        super().__init__(reader)
        # What the command line says, each lantern has: a defect, or a parameter as NAME=NANOSECONDS.
        for word in sys.argv[1:]:
            name, is_parameter, value = word.partition("=")
            if is_parameter:
                self.parameters.setdefault(name, value)
            else:
                self.defects.append(name)
        self.capacity = int(self.parameters.pop("links", 1))
        self.counter = int.from_bytes(self.stored.get("sessions", b""), "little")
        self.slots = [None] * self.capacity
        self.sessions = [None] * self.capacity
        self.published = [b""] * self.capacity
        self.is_starting = [False] * self.capacity
        self.winding = [None] * self.capacity
        self.work, self.items, self.asked, self.is_powered = {}, 0, None, True
        self.add_services(b"Lantern", *(
            (lambda _, slot=slot: self.published[slot], f"session {slot + 1}".encode() if self.capacity > 1 else None)
            for slot in range(self.capacity)))

    def refusal(self):
        if self.model not in ("", "lantern"):
            return f'there is no model "{self.model}"; this is a "lantern"'
        known = ["links", *TIMES, *(f"{name}-slack" for name in TIMES)]
        for what, names, choices in (("parameter", self.parameters, known), ("defect", self.defects, DEFECTS)):
            for name in names:
                if name not in choices:
                    near = difflib.get_close_matches(name, choices, 1, 0)
                    return f'there is no {what} "{name}"; did you mean "{near[0]}"?'
        return None

    def has(self, defect):
        return defect in self.defects

    def later(self, what, slot=0):
        """Does a thing after its time, or now where it takes none."""
        after, slack = TIMES[what] or (None, 0)
        after = self.parameters.get(what, after)
        slack = int(self.parameters.get(f"{what}-slack", slack))
        if after is None:
            return
        if int(after) or slack:
            self.set_timer(f"{what}/{slot}", int(after), slack)
        else:
            self.due(what, slot)

    def handle(self, kind, event):
        super().handle(kind, event)
        if kind == BOOT:
            self.begin_advertising()
        elif kind == TIMER:
            what, slot = event.text().split("/")
            self.due(what, int(slot))
        elif kind == QUEUE:
            event.block()
            self.take_work(event.take("I"))
        elif kind == COMMAND:
            self.command(event.text(), dict(event.pairs()))
        elif kind == CONNECTED:
            self.connected(event)
        elif kind == DISCONNECTED:
            self.disconnected(event)
        elif kind == UWB_STARTED:
            self.radio_started(event.take("I"), event.take("B"))
        elif kind == UWB_ROUND:
            self.round(event.take("I"), event.take("B"))

    def due(self, what, slot):
        {
            "prepare": self.prepared, "warm-up": self.warm, "settle": self.settled, "wind-down": self.wound_down,
            "flush": lambda _: self.store("sessions", struct.pack("<I", self.counter)), "publish": self.publish,
            "clean-up": self.clean_up, "slow": lambda _: self.begin_advertising(slowly=True), "idle": self.idle,
            "report": self.report,
        }[what](slot)

    # Links
    def begin_advertising(self, slowly=False):
        if not self.is_powered:
            return
        self.advertise_service(1636 if slowly else 32)
        if not slowly:
            self.later("slow")

    def connected(self, event):
        link = Link.of(event)
        if not link:
            return
        if None not in self.slots and not self.has("keeps-slow-timer"):
            # Advertising may have begun anew before the last link was known.
            return self.disconnect(link)
        slot = link.slot = self.slots.index(None) if None in self.slots else 0
        if self.slots[slot]:
            del self.links[self.slots[slot].handle]
        self.links[link.handle] = self.slots[slot] = link
        if not self.has("cleans-up-another"):
            self.cancel_timer(f"clean-up/{slot}")
        if not self.has("keeps-slow-timer"):
            self.cancel_timer("slow/0")
        self.later("idle", slot)
        self.later("report", slot)
        if None in self.slots:
            self.begin_advertising()
        elif not self.has("keeps-slow-timer"):
            self.stop_advertising()

    def disconnected(self, event):
        link = self.links.pop(event.take("H"), None)
        if not link:
            return
        slot = link.slot
        self.slots[slot] = None
        kept = [name for name in ("prepare", "settle") if self.has(f"keeps-{name}-timer")]
        for name in ("prepare", "warm-up", "settle", "publish", "idle", "report"):
            if name not in kept:
                self.cancel_timer(f"{name}/{slot}")
        if not self.has("remembers-starting"):
            self.is_starting[slot] = False
        session = self.sessions[slot]
        if session and session.phase in ("starting", "ranging"):
            self.winding[slot] = session
            self.later("wind-down", slot)
        self.later("clean-up", slot)
        self.begin_advertising()

    def clean_up(self, slot):
        """Forgets the session of a link that has gone."""
        link = self.slots[slot]
        self.sessions[slot] = None
        if link:
            link.is_subscribed = False

    def wound_down(self, slot):
        session, current = self.winding[slot], self.sessions[slot]
        if self.has("winds-down-another") and current and current.phase in ("starting", "ranging"):
            session = current
        self.winding[slot] = None
        if session:
            self.radio_off(session)

    def idle(self, slot):
        if self.slots[slot]:
            self.disconnect(self.slots[slot])

    def report(self, slot):
        link, text = self.slots[slot], b"battery 80 %"
        if link and (link.is_subscribed or self.has("reports-unsubscribed")):
            link.is_subscribed, before = True, link.is_subscribed
            self.notify(link, NOTICE + bytes([len(text) + 2, 0]) + text)
            link.is_subscribed = before

    # Work
    def written(self, link, kind, value):
        if kind == RECEIVE and value:
            self.items += 1
            self.work[self.items] = (link, self.sessions[link.slot], value)
            self.post("work", self.items)

    def take_work(self, item):
        link, session, message = self.work.pop(item)
        if self.slots[link.slot] is not link:
            if self.has("works-for-lost-links") and session and message[0] == CONFIGURE:
                session.shareable = message[1:]
                self.start_radio(session)
            return
        if message[0] == INITIALIZE:
            self.initialize(link)
        elif message[0] == CONFIGURE:
            self.configure(link, message[1:])
        elif message[0] == STOP:
            self.stop(link)

    def command(self, name, arguments):
        if name == "stop":
            for link in self.links.values():
                self.stop(link, by_button=True)
        elif name == "bluetooth":
            self.is_powered = arguments.get("power") != "off"
            if self.is_powered:
                self.begin_advertising()
            else:
                self.stop_advertising()
                for link in self.links.values():
                    self.disconnect(link, 0x15)

    # Sessions
    def initialize(self, link):
        slot, session = link.slot, self.sessions[link.slot]
        if not self.has("idle-though-asked"):
            self.cancel_timer(f"idle/{slot}")
        if session and session.phase == "settling":
            if self.has("deaf-while-settling"):
                return
            if not self.has("settles-another"):
                self.cancel_timer(f"settle/{slot}")
                self.settled(slot)
        elif session:
            self.radio_off(session)
        if self.winding[slot] and not self.has("winds-down-another"):
            self.cancel_timer(f"wind-down/{slot}")
            self.wound_down(slot)
        self.cancel_timer(f"warm-up/{slot}")
        self.cancel_timer(f"publish/{slot}")
        self.sessions[slot] = self.new_session()
        self.later("prepare", slot)

    def new_session(self):
        """A session with an address that none had before it, also before a restart (R4 3.4.1)."""
        self.counter += 1
        if self.has("flushes-late"):
            self.later("flush")
        else:
            self.store("sessions", struct.pack("<I", self.counter))
        return Session(self.counter, hashlib.sha256(self.own_address + struct.pack("<I", self.counter)).digest()[:2])

    def prepared(self, slot):
        link, session = self.slots[slot], self.sessions[slot]
        if not link:
            return
        if not session or session.phase not in ("preparing", "offered"):
            session = self.sessions[slot] = self.new_session()
        session.configuration = configuration_data(session.address)
        session.phase = "offered"
        if self.has("publishes-late"):
            self.later("publish", slot)
        else:
            self.publish(slot)
        self.notify(link, CONFIGURED + session.configuration)

    def publish(self, slot):
        session = self.sessions[slot]
        self.published[slot] = session.configuration if session else b""

    def configure(self, link, shareable):
        slot, session = link.slot, self.sessions[link.slot]
        self.cancel_timer(f"idle/{slot}")
        if self.is_starting[slot] and self.has("remembers-starting"):
            return
        if not session or session.phase != "offered" or not is_sound(shareable):
            # What it says to have stopped is off.
            if session and session.phase in ("warming", "starting", "ranging"):
                self.radio_off(session)
                session.phase = "over"
            return self.notify(link, DID_STOP)
        session.shareable, session.phase = shareable, "warming"
        self.later("warm-up", slot)

    def warm(self, slot):
        session = self.sessions[slot]
        if not session or session.phase != "warming" and not self.has("warms-up-after-stop"):
            return
        self.start_radio(session)
        self.is_starting[slot], self.asked = True, slot

    def start_radio(self, session):
        self.answer(0x30, radio_parameters(session.shareable, session.number, session.address))
        session.phase = "starting"

    def radio_started(self, number, status):
        slot = next((slot for slot, session in enumerate(self.sessions) if session and session.number == number), None)
        if slot is None:
            return
        self.is_starting[slot] = False
        session = self.sessions[slot]
        if session.phase != "starting":
            return
        session.phase = "ranging" if status == 0 else "over"
        link = self.slots[self.asked if self.has("answers-last-asked") else slot]
        if link:
            self.notify(link, DID_START if status == 0 else DID_STOP)

    def round(self, number, is_measured):
        slot = next((slot for slot, session in enumerate(self.sessions) if session and session.number == number), None)
        if slot is None or self.sessions[slot].phase != "ranging":
            return
        session = self.sessions[slot]
        session.missing_since = None if is_measured else session.missing_since or self.now
        if session.missing_since and self.now - session.missing_since >= NOBODY:
            # As if somebody had pressed the button.
            if self.slots[slot]:
                self.stop(self.slots[slot], by_button=True)
            else:
                self.radio_off(session)

    def radio_off(self, session):
        if session.phase in ("starting", "ranging"):
            self.answer(0x31, struct.pack("<I", session.number))
            session.phase = "over"

    def stop(self, link, by_button=False):
        slot, session = link.slot, self.sessions[link.slot]
        # The button ends what ranges, or is about to; a phone that asks for a session gets its answer first.
        if by_button and (not session or session.phase not in ("warming", "starting", "ranging")):
            return
        if not session:
            return self.notify(link, DID_STOP)
        self.cancel_timer(f"prepare/{slot}")
        if not self.has("warms-up-after-stop"):
            self.cancel_timer(f"warm-up/{slot}")
        if session.phase == "ranging" or not self.has("stops-only-ranging"):
            self.radio_off(session)
        session.phase = "settling"
        if by_button:
            # Nobody has asked, so nobody knows yet: the phone is told in the same moment.
            self.settled(slot)
        else:
            self.later("settle", slot)

    def settled(self, slot):
        link, session = self.slots[slot], self.sessions[slot]
        if session and session.phase == "settling":
            session.phase = "over"
        if link:
            self.notify(link, DID_STOP)


if __name__ == "__main__":
    serve("lantern", Lantern)
