import Bluetooth
import DeviceLink
import Observer

// Frames.
extension CapturedAir {
    mutating func carry(
        _ fragment: [UInt8], isFirst: Bool, on handle: UInt16, of host: Int, isSent: Bool
    ) {
        guard let (place, side) = hosts[host].connections[handle]?.link else {
            if hosts[host].connections[handle] == nil { gaps.strangers += 1 }
            return
        }
        let frame =
            isSent
            ? hosts[host].connections[handle]?.sent.take(fragment, isFirst: isFirst)
            : hosts[host].connections[handle]?.received.take(fragment, isFirst: isFirst)
        guard let frame = frame ?? nil else { return }
        let isOtherSeen = links[place].isSeen[side.other]
        learnMTU(from: frame, of: links[place].ends[isSent ? side : side.other])
        let (sender, receiver) = isSent ? (side, side.other) : (side.other, side)
        if isSent || !isOtherSeen { observe(frame, place, at: sender, .sent) }
        if !isSent || !isOtherSeen { observe(frame, place, at: receiver, .received) }
    }

    mutating func learnMTU(from frame: [UInt8], of device: Int) {
        guard let payload = try? L2CAPFrame(frame), payload.channel == L2CAPChannel.attribute,
            payload.payload.count == 3,
            [ATTOpcode.exchangeMTURequest, .exchangeMTUResponse].map(\.rawValue)
                .contains(payload.payload[0])
        else { return }
        mtus[name(device)] = Int(payload.payload[1]) | Int(payload.payload[2]) << 8
    }

    mutating func observe(
        _ frame: [UInt8], _ place: Int, at end: Side, _ phase: AirObserver.Phase
    ) {
        let device = links[place].ends[end]
        observer.frame(
            frame, link: links[place].number, at: name(device), phase: phase, isSpoilt: false,
            into: &seen)
        for event in seen {
            if event.fields.contains(Field("unresolved", true)), phase == .sent {
                gaps.unresolved += 1
            }
            emit(event.kind, on: device, fields: event.fields)
        }
        seen.removeAll(keepingCapacity: true)
    }
}
