package import DeviceLink

extension SMPPDU {
    /// Reads one PDU.
    ///
    /// - Throws: `PairingFailure`, with which the PDU is to be answered: `commandNotSupported` where its code is
    ///   unknown, `invalidParameters` where its length is wrong or a parameter is out of its range.
    package init(_ bytes: ArraySlice<UInt8>) throws(PairingFailure) {
        guard let code = bytes.first, (0x01...0x0E).contains(code) else {
            throw .commandNotSupported
        }
        do throws(MalformedBytes) {
            var reader = ByteReader(bytes.dropFirst(), kind: "SMP PDU")
            self = try Self.read(code, from: &reader)
            try reader.end()
        } catch {
            throw .invalidParameters
        }
    }

    private static func read(
        _ code: UInt8, from reader: inout ByteReader
    ) throws(MalformedBytes) -> SMPPDU {
        switch code {
        case 0x01: .pairingRequest(try reader.features())
        case 0x02: .pairingResponse(try reader.features())
        case 0x03: .pairingConfirm(try reader.take(16, as: "value"))
        case 0x04: .pairingRandom(try reader.take(16, as: "value"))
        case 0x05: .pairingFailed(PairingFailure(rawValue: try reader.uint8("reason")))
        case 0x06: .encryptionInformation(try reader.take(16, as: "key"))
        case 0x07:
            .centralIdentification(
                diversifier: try reader.uint16("diversifier"),
                random: UInt64(littleEndian: try reader.take(8, as: "random number")))
        case 0x08: .identityInformation(try reader.take(16, as: "key"))
        case 0x09: .identityAddress(try reader.address())
        case 0x0A: .signingInformation(try reader.take(16, as: "key"))
        case 0x0B: .securityRequest(try reader.authentication())
        case 0x0C: .publicKey(x: try reader.take(32, as: "x"), y: try reader.take(32, as: "y"))
        case 0x0D: .keyCheck(try reader.take(16, as: "value"))
        default: .keypress(try reader.uint8("type"))
        }
    }

    package var bytes: [UInt8] {
        var bytes = [code]
        switch self {
        case .pairingRequest(let features), .pairingResponse(let features):
            bytes += features.bytes
        case .pairingConfirm(let value), .pairingRandom(let value),
            .encryptionInformation(let value),
            .identityInformation(let value), .signingInformation(let value), .keyCheck(let value):
            bytes += value
        case .pairingFailed(let reason): bytes.append(reason.rawValue)
        case .centralIdentification(let diversifier, let random):
            bytes.append(littleEndian: diversifier)
            bytes.append(littleEndian: random)
        case .identityAddress(let address):
            bytes.append(address.isRandom ? 1 : 0)
            bytes += address.octets
        case .securityRequest(let authentication): bytes.append(authentication.rawValue)
        case .publicKey(let x, let y): bytes += x + y
        case .keypress(let type): bytes.append(type)
        }
        return bytes
    }
}

extension PairingFeatures {
    /// The six bytes behind the code.
    package var bytes: [UInt8] {
        [
            interface.rawValue, hasOutOfBandData ? 1 : 0, authentication.rawValue, maximumKeySize,
            centralKeys.rawValue, peripheralKeys.rawValue,
        ]
    }
}

extension Address {
    /// Its six octets, the least significant one first.
    package var octets: [UInt8] {
        var octets: [UInt8] = []
        octets.append(valueOf: self)
        return octets
    }
}

extension ByteReader {
    fileprivate mutating func features() throws(MalformedBytes) -> PairingFeatures {
        guard let interface = PairingFeatures.Interface(rawValue: try uint8("interface")) else {
            throw malformed("an interface")
        }
        let hasData = try uint8("out-of-band data")
        guard hasData < 2 else { throw malformed("0 or 1") }
        return PairingFeatures(
            interface: interface, hasOutOfBandData: hasData == 1,
            authentication: try authentication(), maximumKeySize: try uint8("key size"),
            centralKeys: PairingFeatures.Keys(rawValue: try uint8("keys")),
            peripheralKeys: PairingFeatures.Keys(rawValue: try uint8("keys")))
    }

    fileprivate mutating func authentication() throws(MalformedBytes)
        -> PairingFeatures.Authentication
    {
        PairingFeatures.Authentication(rawValue: try uint8("authentication"))
    }

    fileprivate mutating func address() throws(MalformedBytes) -> Address {
        let type = try uint8("address type")
        guard type < 2 else { throw malformed("0 or 1") }
        return Address(UInt64(littleEndian: try take(6, as: "address")), isRandom: type == 1)
    }
}
