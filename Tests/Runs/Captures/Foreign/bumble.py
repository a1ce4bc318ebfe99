"""Made bumble.btsnoop, with Bumble 0.0.236: a phone and an accessory, each with a stack of its own.

python3 bumble.py FILE writes such a capture again; times and the sequence of completed packets differ."""
import asyncio
import sys

from bumble.controller import Controller
from bumble.core import UUID
from bumble.device import Device, Peer
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink
from bumble.snoop import BtSnooper

SERVICE, RX, TX = ("2E938FD0-6A61-11ED-A1EB-0242AC120002", "2E93998A-6A61-11ED-A1EB-0242AC120002", "2E939AF2-6A61-11ED-A1EB-0242AC120002")
CONFIGURATION = bytes.fromhex("0101000000140000000000000000000015010001003ff50300230cb80b01000000012c081900")
SHAREABLE = bytes.fromhex("0b01000100195553b03d82dc0a090600100ec6000372aec69cf6f492bf6400")

async def main(path):
    link = LocalLink()
    devices = []
    for name, address in (("phone", "F0:F1:F2:F3:F4:F5"), ("lock", "C0:C1:C2:C3:C4:C5")):
        controller = Controller(name, link=link)
        device = Device(name=name, address=Address(address), host=Host(controller, controller))
        devices.append(device)
    phone, lock = devices
    out = open(path, "wb")
    phone.host.snooper = BtSnooper(out)
    def write(connection, value):
        answer = {0x0A: CONFIGURATION, 0x0B: b"\x02", 0x0C: b"\x03"}[value[0]]
        asyncio.create_task(lock.notify_subscribers(tx, answer))
    rx = Characteristic(RX, Characteristic.Properties.WRITE, Characteristic.WRITEABLE, CharacteristicValue(write=write))
    tx = Characteristic(TX, Characteristic.Properties.NOTIFY, Characteristic.READABLE, b"")
    lock.add_service(Service(SERVICE, [rx, tx]))
    await phone.power_on()
    await lock.power_on()
    await lock.start_advertising(auto_restart=True)
    connection = await phone.connect(lock.random_address)
    peer = Peer(connection)
    await peer.request_mtu(185)
    await peer.discover_services()
    await peer.discover_characteristics()
    far = {c.uuid: c for c in peer.services[-1].characteristics}
    got = asyncio.Queue()
    await peer.discover_descriptors(far[UUID(TX)])
    await far[UUID(TX)].subscribe(got.put_nowait)
    for message in (b"\x0A", SHAREABLE, b"\x0C"):
        await far[UUID(RX)].write_value(message, with_response=True)
        await got.get()
    await connection.disconnect()
    out.close()

asyncio.run(main(sys.argv[1]))
