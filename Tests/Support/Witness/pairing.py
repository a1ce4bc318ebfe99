"""Recomputes a pairing from the bytes on the air, by the Core Specification (Vol 3 Part H 2.2) and PyPI's cryptography.

Standard input is JSON: the addresses of "central" and "peripheral" (with "-random" behind a random one), and either a
"capture" of the central (btsnoop), or "pdus" (["> 01…", "< 02…"]) and "keys" (in hexadecimal digits, as the controller
got them). With the "private" key of the central the shared secret is recomputed, too. It prints what agrees.
"""

import json
import struct
import sys
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.cmac import CMAC


def captured(path):
    """The PDUs on channel 6 and the parameters of LE Enable Encryption."""
    pdus, keys = [], []
    with open(path, "rb") as file:
        file.read(16)
        while head := file.read(24):
            _, length, flags, _, _ = struct.unpack(">IIIIQ", head)
            packet = file.read(length)
            if packet[0] == 0x02 and packet[7:9] == b"\x06\x00":
                pdus.append(("<" if flags & 1 else ">", packet[9:]))
            if packet[0] == 0x01 and packet[1:3] == b"\x19\x20":
                keys.append((packet[16:32], packet[6:14], packet[14:16]))
    return pdus, keys


def e(key, block):
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    return encryptor.update(block) + encryptor.finalize()


def cmac(key, message):
    code = CMAC(algorithms.AES(key))
    code.update(message)
    return code.finalize()


def xor(left, right):
    return bytes(a ^ b for a, b in zip(left, right, strict=True))


def address(text):
    digits, _, kind = text.partition("-")
    return (b"\x01" if kind else b"\x00") + bytes.fromhex(digits.replace(":", ""))


def legacy(sent, got, keys, central, peripheral):
    request, response = sent[0x01][::-1], got[0x02][::-1]

    def confirm(random):
        first = response + request + peripheral[:1] + central[:1]
        second = bytes(4) + central[1:] + peripheral[1:]
        return e(bytes(16), xor(e(bytes(16), xor(random, first)), second))

    ours, theirs = sent[0x04][:0:-1], got[0x04][:0:-1]
    assert confirm(ours) == sent[0x03][:0:-1], "the central's confirm value"
    assert confirm(theirs) == got[0x03][:0:-1], "the peripheral's confirm value"
    assert e(bytes(16), theirs[8:] + ours[8:]) == keys[0][0][::-1], "the short-term key"
    print("two confirm values and the short-term key agree")
    if len(keys) > 1:
        given = (got[0x06][1:], got[0x07][3:], got[0x07][1:3])
        assert keys[1] == given, "the key of the next link"
        print("the key of the next link is the one that was given")


def secure(sent, got, keys, central, peripheral, private):
    x = {"central": sent[0x0C][32:0:-1], "peripheral": got[0x0C][32:0:-1]}
    ours, theirs = sent[0x04][:0:-1], got[0x04][:0:-1]
    assert cmac(theirs, x["peripheral"] + x["central"] + b"\0") == got[0x03][:0:-1], "the commitment"
    print("the commitment agrees")
    if len(keys) > 1:
        assert keys[0] == keys[1] and not any(keys[0][1] + keys[0][2]), "the key of the next link"
        print("the key of the next link is the same")
    if private is None:
        return
    number = ec.derive_private_key(int.from_bytes(private, "little"), ec.SECP256R1())
    point = ec.EllipticCurvePublicNumbers(
        int.from_bytes(x["peripheral"], "big"), int.from_bytes(got[0x0C][:32:-1], "big"), ec.SECP256R1()
    ).public_key()
    secret = cmac(bytes.fromhex("6C888391AAF5A53860370BDB5A6083BE"), number.exchange(ec.ECDH(), point))

    def made(counter):
        return cmac(secret, bytes([counter]) + b"btle" + ours + theirs + central + peripheral + b"\x01\x00")

    def check(one, other, features, first, second):
        return cmac(made(0), one + other + bytes(16) + features[3:0:-1] + first + second)

    assert check(ours, theirs, sent[0x01], central, peripheral) == sent[0x0D][:0:-1], "the central's check"
    assert check(theirs, ours, got[0x02], peripheral, central) == got[0x0D][:0:-1], "the peripheral's check"
    assert made(1) == keys[0][0][::-1], "the long-term key"
    print("two checks and the long-term key agree")


def main():
    case = json.load(sys.stdin)
    if "capture" in case:
        pdus, keys = captured(case["capture"])
    else:
        pdus = [(line[0], bytes.fromhex(line[2:])) for line in case["pdus"]]
        keys = [(bytes.fromhex(key), bytes(8), bytes(2)) for key in case["keys"]]
    sent = {pdu[0]: pdu for side, pdu in pdus if side == ">"}
    got = {pdu[0]: pdu for side, pdu in pdus if side == "<"}
    sides = (address(case["central"]), address(case["peripheral"]))
    if 0x0C in sent:
        private = case.get("private")
        secure(sent, got, keys, *sides, bytes.fromhex(private) if private else None)
    else:
        legacy(sent, got, keys, *sides)


main()
