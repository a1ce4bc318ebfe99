import AccessoryProtocol
import DeviceLink

// What the trace shows of a message.
extension ObservedMessage {
    /// Finds out what the trace shows of it, which had to fit into a PDU as long as `mtu`.
    mutating func show(mtu: UInt16?) {
        fields = []
        // Room for all.
        fields.reserveCapacity(payload == nil ? 2 : 11)
        fields.append(Field("session", session.map { .number($0) } ?? .none))
        fields.append(Field("length", .number(Int64(length))))
        guard let payload else { return }
        fields.append(Field(payload.name, .bytes(payload.bytes)))
        switch id {
        case .accessoryConfigurationData: fields += Self.layout(ofConfiguration: payload.bytes)
        case .configureAndStart: fields += Self.layout(ofShareable: payload.bytes, mtu)
        case .accessoryUwbDidStart, .accessoryUwbDidStop, .initialize, .stop, .getReserved,
            .setReserved, .iOSNotify:
            break
        }
    }

    /// The accessory's radio as configuration data announces it, by the names under which the answer to it
    /// shows that; empty where the middleware's own bytes do not have the known layout.
    var radio: [Field] {
        fields.compactMap { field in
            switch field.name {
            case "address": Field("announced-address", field.value)
            case "role": Field("announced-role", field.value)
            case "rate": Field("announced-rate", field.value)
            default: nil
            }
        }
    }

    /// The parts of accessory configuration data as they stand there, right or wrong (R4 3.4.2), and
    /// the short address and the role where the middleware's own bytes have the known layout.
    private static func layout(ofConfiguration bytes: [UInt8]) -> [Field] {
        let fixed = AccessoryConfigurationData.fixedLength
        guard bytes.count >= fixed else { return [] }
        let data = Array(bytes[fixed...])
        var fields = [
            Field("major", .number(Int64(bytes[0]) | Int64(bytes[1]) << 8)),
            Field("minor", .number(Int64(bytes[2]) | Int64(bytes[3]) << 8)),
            Field("rate", .number(Int64(bytes[4]))),
            Field("reserved", .bytes(Array(bytes[5..<fixed - 1]))),
            Field("uwb-length", .number(Int64(bytes[fixed - 1]))),
            Field("uwb-bytes", .number(Int64(data.count))),
        ]
        if let known = try? UWBConfigData(data) {
            fields.append(Field("address", .number(Int64(known.address))))
            fields.append(Field("role", .text(known.role.name)))
        }
        return fields
    }

    /// What an Apple device has selected, where its bytes have the known layout (R4 3.5.3); and where they end before
    /// that does, how many are missing.
    private static func layout(ofShareable bytes: [UInt8], _ mtu: UInt16?) -> [Field] {
        do {
            let known = try AppleUWBConfigData(bytes)
            return [
                Field("session-id", .number(Int64(known.sessionID))),
                Field("address", .number(Int64(known.destination))),
                Field("channel", .number(Int64(known.channel))),
                Field("preamble", .number(Int64(known.preamble))),
                Field("sts-iv", .bytes(known.stsIV)),
                Field("slots", .number(Int64(known.slotsPerRound))),
                Field("slot-duration", .number(Int64(known.slotDuration))),
                Field("interval", .number(Int64(known.interval) * 1_000_000)),
            ]
        } catch .short(_, let count, let whole) {
            let name = MessageID.configureAndStart.name
            let cut = ProtocolError.short(kind: name, count: count + 1, of: whole + 1)
            return [Field("problem", .text(cut.words(mtu: mtu)))]
        } catch {
            return []
        }
    }
}
