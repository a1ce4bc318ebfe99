package import Bluetooth
package import DeviceLink

/// One answer or event as a capture, read again by the few rules that every reader of captures has:
/// lengths that fit, to the byte.
func playCapture(_ bytes: UnsafeRawBufferPointer) {
    var input = InputReader(bytes)
    let time = VirtualTime(nanoseconds: input.number())
    let isAnswer = input.below(2) == 0
    let type = input.byte()
    let body = [type] + withLength(input.rest)
    var reader = FrameReader()
    var packets: [HCIPacket] = []
    if isAnswer {
        reader.append(withLength([0x84, 0, 0, 0, 0] + body))
        guard case .answers(_, let answers)? = try? reader.nextDeviceFrame() else { return }
        for case .bluetooth(let command) in answers { packets += HCIPacket.packets(for: command) }
    } else {
        reader.append(withLength([0x02] + Array(repeating: 0, count: 12) + body))
        guard case .grant(_, _, .bluetooth(let event))? = try? reader.nextOrchestratorFrame()
        else { return }
        packets = HCIPacket.packets(for: event)
    }
    check(packets, at: time)
}

/// Whether packets, and the records of a capture, are as long as they say.
package func check(_ packets: [HCIPacket], at time: VirtualTime) {
    for packet in packets {
        let bytes = packet.bytes
        switch bytes.first {
        case 0x01:
            demand(bytes.count >= 4 && Int(bytes[3]) == bytes.count - 4, "an HCI command's length")
        case 0x02:
            let length = bytes.count >= 5 ? Int(bytes[3]) | Int(bytes[4]) << 8 : -1
            demand(length == bytes.count - 5, "the length of ACL data")
        case 0x04:
            demand(bytes.count >= 3 && Int(bytes[2]) == bytes.count - 3, "an HCI event's length")
        default: fatalError("an HCI packet of no type")
        }
        let record = BtsnoopFile.record(packet, at: time)
        let length = record[0..<4].reduce(0) { $0 << 8 | Int($1) }
        demand(length == bytes.count && record.count == 24 + length, "a record's length")
    }
}
