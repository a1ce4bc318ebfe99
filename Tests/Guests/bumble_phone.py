"""A phone on Bumble: it finds an accessory, pairs with it or uses the bond of the two, and gets its configuration data.

Arguments: the transport to the controller, as Bumble writes it, and the way to pair. A number of seconds behind them is
how long its user takes to start once configuration data is there; then it starts on the link that there is.
"""
import asyncio, random, struct, sys

import bumble_pairing
from bumble.att import ATT_Error
from bumble.core import UUID
from bumble.device import Device, Peer
from bumble.hci import OwnAddressType
from bumble.host import Host
from bumble.transport import open_transport

QNIS, SECURE, RECEIVE, SEND = (
    UUID(f"2E93{part}-6A61-11ED-A1EB-0242AC120002") for part in ("8FD0", "941C", "998A", "9AF2"))
SINGLE = UUID("95E8D9D5-D8EF-4721-9A4E-807375F53328")


class Phone:
    def __init__(self, device, pause):
        self.device, self.pause, self.link, self.starts = device, pause, asyncio.Event(), []

    async def seek(self):
        """The address of the first accessory that it hears."""
        found = asyncio.get_running_loop().create_future()

        def hear(advertisement):
            if bytes(QNIS) in bytes(advertisement.data) and not found.done():
                found.set_result(advertisement.address)

        self.device.on("advertisement", hear)
        await self.device.start_scanning()
        address = await found
        await self.device.stop_scanning()
        return address

    async def live(self):
        address = await self.seek()
        while True:
            connection = await self.device.connect(address, own_address_type=OwnAddressType.PUBLIC)
            end = asyncio.get_running_loop().create_future()
            connection.on("disconnection", end.set_result)
            visit = asyncio.ensure_future(self.visit(connection))
            await end
            self.link.clear()
            visit.cancel()
            await asyncio.wait([visit])

    async def visit(self, connection):
        if await self.device.keystore.get(str(connection.peer_address)):
            await connection.encrypt()
            print("encrypted by the bond", flush=True)
        peer = Peer(connection)
        await peer.request_mtu(247)
        await peer.discover_all()
        secure, receive, send, single = (
            peer.get_characteristics_by_uuid(uuid)[0] for uuid in (SECURE, RECEIVE, SEND, SINGLE))
        self.receive = receive
        self.link.set()
        await self.read(secure, connection)
        messages = asyncio.Queue()
        await send.subscribe(messages.put_nowait)
        await receive.write_value(b"\x0A", with_response=True)
        message = await messages.get()
        value = await self.read(single, connection)
        print("configuration data", message[:1].hex(), value.hex(), message[1:] == value, flush=True)
        if self.pause:
            self.starts.append(asyncio.ensure_future(self.start()))

    async def start(self):
        await asyncio.sleep(self.pause)
        await self.link.wait()
        await self.receive.write_value(b"\x0B" + self.shareable(), with_response=True)

    async def read(self, characteristic, connection):
        """As iOS does: what is refused on an open link is done again on one that a pairing has encrypted."""
        try:
            return await characteristic.read_value()
        except ATT_Error as error:
            print("refused with", error.error_code, flush=True)
            await connection.pair()
            return await characteristic.read_value()

    @staticmethod
    def shareable():
        return struct.pack("<HHB2xIBBHHHB6sH2x", 1, 1, 25, random.getrandbits(32), 10, 9, 6, 2400, 200, 3, bytes(6), 0x0B0B)


async def main():
    async with await open_transport(sys.argv[1]) as transport:
        device = Device(name="phone", host=Host(transport.source, transport.sink))
        bumble_pairing.prepare(device, sys.argv[2])
        await device.power_on()
        await Phone(device, float(sys.argv[3]) if sys.argv[3:] else 0).live()


asyncio.run(main())
