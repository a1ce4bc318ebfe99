"""A UWB accessory on Bumble: the messages of Apple's accessory protocol over Qorvo's service, and a UWB chip by UCI.

Arguments: the transport to the controller, as Bumble writes it, and the socket of the chip. With a way to pair behind
them it also has what needs an encrypted link. With a number of seconds a start takes that long, and then it is told of
whatever has happened meanwhile.
"""
import asyncio, random, struct, sys

import bumble_pairing
from bumble.core import UUID, AdvertisingData
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import OwnAddressType
from bumble.host import Host
from bumble.transport import open_transport

QNIS, SECURE, RECEIVE, SEND = (
    UUID(f"2E93{part}-6A61-11ED-A1EB-0242AC120002") for part in ("8FD0", "941C", "998A", "9AF2"))
NEARBY, SINGLE = UUID("48FE3E40-0817-4BB2-8633-3073689C2DBA"), UUID("95E8D9D5-D8EF-4721-9A4E-807375F53328")


class Chip:
    """A UWB chip, one command at a time."""

    def __init__(self, reader, writer):
        self.reader, self.writer, self.answers, self.turn = reader, writer, asyncio.Queue(), asyncio.Lock()
        self.task = asyncio.ensure_future(self.read())

    async def read(self):
        while True:
            head = await self.reader.readexactly(4)
            payload = await self.reader.readexactly(head[3])
            if head[0] >> 5 == 2:
                self.answers.put_nowait(payload)

    async def do(self, group, opcode, payload=b""):
        async with self.turn:
            self.writer.write(bytes([0x20 | group, opcode, 0, len(payload)]) + payload)
            return (await self.answers.get())[0]


class Lock:
    def __init__(self, device, chip, pause, pairs):
        self.device, self.chip, self.pause = device, chip, pause
        self.session, self.is_on, self.address, self.work = random.getrandbits(16), False, b"", asyncio.Queue()
        flags = Characteristic.Properties
        receive = Characteristic(RECEIVE, flags.WRITE | flags.WRITE_WITHOUT_RESPONSE, Characteristic.WRITEABLE,
                                 CharacteristicValue(write=lambda _, value: self.work.put_nowait(value)))
        self.send = Characteristic(SEND, flags.NOTIFY, Characteristic.READABLE)
        secure, self.single = (
            Characteristic(uuid, flags.READ, Characteristic.READABLE | Characteristic.READ_REQUIRES_ENCRYPTION, value)
            for uuid, value in ((SECURE, b"secure"), (SINGLE, b"")))
        device.add_service(Service(QNIS, [secure, receive, self.send] if pairs else [receive, self.send]))
        if pairs:
            device.add_service(Service(NEARBY, [self.single]))
        device.on("connection", lambda connection: connection.on(
            "disconnection", lambda _: self.work.put_nowait(b"")))

    async def serve(self):
        while True:
            message = await self.work.get()
            if message[:1] in (b"", b"\x0A", b"\x0B", b"\x0C"):
                await self.stop()
            if message[:1] in (b"", b"\x0C"):
                self.single.value = b""
            if message[:1] == b"\x0A":
                await self.say(b"\x01" + self.configuration())
            elif message[:1] == b"\x0B" and len(message) != 31:
                await self.say(b"\x03")
            elif message[:1] == b"\x0B":
                started = asyncio.ensure_future(self.start(message[1:]))
                if not self.pause:
                    await started
            elif message[:1] == b"\x0C":
                await self.say(b"\x03")

    def configuration(self):
        self.session = (self.session + 1) % 65536
        self.address = struct.pack("<H", self.session)
        uwb = struct.pack("<HHIIIB2sH", 1, 1, 0x0003F53F, 0x0BB8, 0x01010000, 1, self.address, 25)
        self.single.value = struct.pack("<HHB10xB", 1, 0, 20, len(uwb)) + uwb
        return self.single.value

    async def start(self, shareable):
        session, preamble, channel, slots, duration, interval, _, vector, phone = struct.unpack_from(
            "<4sBBHHHB6s2s", shareable, 7)
        if slots > 255:
            # UCI has one byte for it: this is no data of an iPhone's.
            await self.say(b"\x03")
            return
        if self.pause:
            await asyncio.sleep(self.pause)
        parameters = [(0, b"\x00"), (1, b"\x02"), (3, b"\x00"), (4, bytes([channel])), (6, self.address), (7, phone),
                      (8, struct.pack("<H", duration)), (9, struct.pack("<I", interval)), (0x11, b"\x01"),
                      (0x14, bytes([preamble])), (0x1B, bytes([slots])), (0x22, b"\x01"), (0x28, vector)]
        values = b"".join(bytes([name, len(value)]) + value for name, value in parameters)
        await self.chip.do(1, 0, session + b"\x00")
        await self.chip.do(1, 3, session + bytes([len(parameters)]) + values)
        self.is_on = await self.chip.do(2, 0, session) == 0
        self.running = session
        await self.say(b"\x02" if self.is_on else b"\x03")

    async def stop(self):
        if self.is_on:
            self.is_on = False
            await self.chip.do(1, 1, self.running)

    async def say(self, message):
        await self.device.notify_subscribers(self.send, message)


async def main():
    ways = [word for word in sys.argv[3:] if word in bumble_pairing.WAYS]
    pauses = [float(word) for word in sys.argv[3:] if word not in ways]
    chip = Chip(*await asyncio.open_unix_connection(sys.argv[2]))
    async with await open_transport(sys.argv[1]) as transport:
        device = Device(name="lock", host=Host(transport.source, transport.sink))
        if ways:
            bumble_pairing.prepare(device, ways[0])
        lock = Lock(device, chip, sum(pauses), pairs=bool(ways))
        await device.power_on()
        device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, b"\x06"), (AdvertisingData.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, bytes(QNIS))]))
        device.scan_response_data = bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, b"lock")]))
        await device.start_advertising(own_address_type=OwnAddressType.PUBLIC, auto_restart=True)
        await lock.serve()


asyncio.run(main())
