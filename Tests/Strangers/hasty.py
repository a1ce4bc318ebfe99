#!/usr/bin/env python3
"""accessory.py with a bug, which its argument names.

forgets-to-cancel: it prepares its radio for a while, by a timer that a stop does not cancel.
dies: it dies as soon as it shall range, with a log that is another one in each run.
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Sources/Devices/Foreign/Python"))

from anechoic.accessory import Accessory
from anechoic.link import TIMER, serve


class Hasty(Accessory):
    def handle(self, kind, event):
        if kind != TIMER:
            return super().handle(kind, event)
        if not self.is_ranging:
            self.start_ranging(self.shareable)

    def message(self, data):
        if data[:1] != b"\x0B":
            return super().message(data)
        if sys.argv[1] == "dies":
            for number in range(3):
                print(f"preparing {self.key + number:x}", flush=True)
            raise KeyError("radio")
        self.shareable = data[1:]
        self.set_timer("prepare", 50_000_000, slack=14_000_000)


serve("accessory.py", Hasty)
