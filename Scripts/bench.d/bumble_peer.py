"""The exchange cycle of the benchmark on Bumble, a Bluetooth stack that nobody here wrote.

Three processes, as with us: two virtual controllers on one link, an accessory, a phone.

    bumble_peer.py controllers PHONE_SOCKET ACCESSORY_SOCKET
    bumble_peer.py accessory ACCESSORY_SOCKET
    bumble_peer.py phone PHONE_SOCKET SECONDS

Each prints a line when it is ready; the phone then prints one JSON object. A cycle is: connect,
MTU 247, discover four services and their characteristics, subscribe, one write that is answered by
a notification, disconnect.
"""

import asyncio
import json
import sys
import time

from bumble.att import ATT_CID
from bumble.controller import Controller
from bumble.core import AdvertisingData, UUID
from bumble.device import Device, Peer
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport import open_transport

ADDRESSES = {"phone": Address("C0:00:00:00:00:01"), "accessory": Address("C0:00:00:00:00:02")}
# The accessory's own two services; GAP and GATT are added by Bumble, which makes four.
UART = UUID("6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
UART_RX = UUID("6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
UART_TX = UUID("6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
NEARBY = UUID("48FE3E40-0817-4BB2-8633-3073689C2DBA")
NEARBY_CONFIGURATION = UUID("95E8D9D5-D8EF-4721-9A4E-807375F53328")
INITIALIZE = bytes([0x0A])
CONFIGURATION = bytes([0x01, *range(31)])
# Whole frames in one packet, as our own link carries them; Bumble's default of 27 is slower.
PACKET_LENGTH = 251


class CountingHost(Host):
    """A host that counts the ATT PDUs it sends and receives."""

    att_pdus = 0

    def send_l2cap_pdu(self, connection_handle, cid, pdu):
        self.att_pdus += cid == ATT_CID
        super().send_l2cap_pdu(connection_handle, cid, pdu)

    def on_l2cap_pdu(self, connection, cid, pdu):
        self.att_pdus += cid == ATT_CID
        super().on_l2cap_pdu(connection, cid, pdu)


def say(line):
    print(line, flush=True)


async def forever():
    await asyncio.get_running_loop().create_future()


async def powered_device(role, socket):
    transport = await open_transport(f"unix:{socket}")
    host = CountingHost(transport.source, transport.sink)
    return Device(name=role, address=ADDRESSES[role], host=host)


async def controllers(*sockets):
    link, kept = LocalLink(), []
    for index, socket in enumerate(sockets):
        transport = await open_transport(f"unix-server:{socket}")
        controller = Controller(
            f"controller {index}", host_source=transport.source, host_sink=transport.sink,
            link=link, public_address=f"00:00:00:00:00:{index + 1:02X}")
        controller.le_acl_data_packet_length = PACKET_LENGTH
        kept.append((transport, controller))
    say("ready")
    await forever()


async def accessory(socket):
    device = await powered_device("accessory", socket)
    properties, readable = Characteristic.Properties, Characteristic.READABLE
    tx = Characteristic(UART_TX, properties.NOTIFY, readable, b"")

    def written(connection, value):
        if value == INITIALIZE:
            asyncio.ensure_future(device.notify_subscriber(connection, tx, CONFIGURATION))

    rx = Characteristic(
        UART_RX, properties.WRITE | properties.WRITE_WITHOUT_RESPONSE, Characteristic.WRITEABLE,
        CharacteristicValue(write=written))
    device.add_service(Service(UART, [rx, tx]))
    configuration = Characteristic(
        NEARBY_CONFIGURATION, properties.READ, readable | Characteristic.READ_REQUIRES_ENCRYPTION,
        CONFIGURATION[1:])
    device.add_service(Service(NEARBY, [configuration]))
    device.advertising_data = bytes(AdvertisingData([
        (AdvertisingData.Type.FLAGS, bytes([0x06])),
        (AdvertisingData.Type.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, bytes(UART))]))
    await device.power_on()
    await device.start_advertising(
        auto_restart=True, advertising_interval_min=20, advertising_interval_max=20)
    say("ready")
    await forever()


async def cycle(device):
    connection = await device.connect(ADDRESSES["accessory"])
    peer = Peer(connection)
    await peer.request_mtu(247)
    await peer.discover_services()
    for service in peer.services:
        await service.discover_characteristics()
    rx, = peer.get_characteristics_by_uuid(UART_RX)
    tx, = peer.get_characteristics_by_uuid(UART_TX)
    notified = asyncio.Queue()
    await peer.subscribe(tx, notified.put_nowait)
    await rx.write_value(INITIALIZE, with_response=False)
    value = await notified.get()
    if value != CONFIGURATION or len(peer.services) != 4:
        raise RuntimeError(f"{len(peer.services)} services, notified {value.hex()}")
    await connection.disconnect()


async def phone(socket, seconds):
    device = await powered_device("phone", socket)
    await device.power_on()
    await cycle(device)
    say("ready")
    host = device.host
    cycles, pdus, began = 0, host.att_pdus, time.perf_counter()
    while (elapsed := time.perf_counter() - began) < float(seconds):
        await cycle(device)
        cycles += 1
    say(json.dumps({
        "cycles": cycles, "seconds": elapsed, "cycles_per_second": cycles / elapsed,
        "att_pdus_per_cycle": (host.att_pdus - pdus) / cycles}))


if __name__ == "__main__":
    roles = {"controllers": controllers, "accessory": accessory, "phone": phone}
    asyncio.run(roles[sys.argv[1]](*sys.argv[2:]))
