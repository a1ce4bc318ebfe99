#!/usr/bin/env python3
"""A UWB accessory of the kind of Qorvo's firmware, for one phone at a time: what the package for Python has."""
import sys
from pathlib import Path

# Where the package is in a checkout, and where it is installed; pip install makes this needless.
sys.path[:0] = [str(Path(__file__).resolve().parents[2] / place) for place in ("Sources/Devices/Foreign/Python", "python")]

from anechoic.accessory import Accessory
from anechoic.link import serve

if __name__ == "__main__":
    serve("accessory.py", Accessory)
