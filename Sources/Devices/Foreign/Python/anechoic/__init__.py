"""Devices of Anechoic in Python.

link has DeviceLink (DEVICE-LINK.md): events, answers, and what serves them. gatt has a GATT server on it; accessory a
whole accessory of Nearby Interaction. Nothing but the standard library is needed. A device reads no clock: `now` is the
time of the turn. It draws no numbers of its own: `random` is seeded with the key of the reset.
"""
