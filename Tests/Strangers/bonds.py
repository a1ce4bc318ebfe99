#!/usr/bin/env python3
"""An accessory for one phone, and its bonds. The argument says what is wrong: ram (a restart forgets them), places=N (so
many are kept) or nothing (flash)."""
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "Sources/Devices/Foreign/Python")]

from anechoic.accessory import Accessory
from anechoic.link import BOOT, serve

fault = sys.argv[1]
places = int(fault[7:]) if fault.startswith("places=") else 100


class Bonds(Accessory):
    def handle(self, kind, event):
        super().handle(kind, event)
        if kind == BOOT and fault == "ram":
            for peer in self.bonds:
                self.erase_bond(peer)

    def paired(self, peer):
        for other in self.bonds[:-places]:
            self.erase_bond(other)


if __name__ == "__main__":
    serve("bonds.py", Bonds)
