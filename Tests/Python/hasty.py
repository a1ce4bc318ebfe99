#!/usr/bin/env python3
"""accessory.py with a bug, which its argument names.

forgets-to-cancel: it prepares its radio for a while, by a timer that a stop does not cancel.
dies: it dies as soon as it shall range, with a log that is another one in each run.
"""
import struct, sys
import accessory


class Hasty(accessory.Accessory):
    def turn(self, frame):
        # Its base knows no timers.
        if frame[13] == 0x02:
            self.answers = b""
            if not self.is_ranging:
                self.start_ranging(self.shareable)
            return frame[1:5] + self.answers
        return super().turn(frame)

    def message(self, data):
        if data[:1] != b"\x0B":
            return super().message(data)
        if sys.argv[1] == "dies":
            for number in range(3):
                print(f"preparing {self.key + number:x}", flush=True)
            raise KeyError("radio")
        self.shareable = data[1:]
        self.answer(0x01, accessory.block(b"prepare") + struct.pack("<QQ", 50_000_000, 14_000_000))


accessory.Accessory = Hasty
accessory.main()
