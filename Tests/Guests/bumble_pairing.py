"""How Bumble's devices pair here."""
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate

# What a script can be told; `compared` is LE Secure Connections, with six digits that both show.
WAYS = ("legacy", "legacy-mended", "secure-connections", "compared")


class MendedKeys(MemoryKeyStore):
    """The keys of a peripheral, where Bumble 0.0.236 looks for them: it keeps the legacy key that it gives as that of the
    central, and asks for that of the peripheral (github.com/google/bumble/pull/890)."""

    async def update(self, name, keys):
        keys.ltk_central, keys.ltk_peripheral = keys.ltk_peripheral, keys.ltk_central
        await super().update(name, keys)


def prepare(device, way):
    """Has a device pair in one way; nobody has to press anything. It keeps its keys as long as it lives."""
    compares = way == "compared"
    screen = PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT if compares else PairingDelegate.NO_OUTPUT_NO_INPUT
    device.pairing_config_factory = lambda _: PairingConfig(
        sc=not way.startswith("legacy"), mitm=compares, delegate=PairingDelegate(screen))
    device.keystore = MendedKeys() if way == "legacy-mended" else MemoryKeyStore()
    device.on("connection", lambda connection: connection.on("pairing", lambda keys: show(device, keys)))


def show(device, keys):
    """Prints what the pairing has brought, and the private key behind it."""
    print("paired:", keys.to_dict(), flush=True)
    number = device.smp_manager.ecc_key.private_key.private_numbers().private_value
    print("private key:", number.to_bytes(32, "little").hex(), flush=True)
