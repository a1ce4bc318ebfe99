import Choices
import DeviceLink
import Scenarios

/// A message that the next matching send of a device is spoilt with.
struct Spoiling: Sendable {
    let device: Int
    /// The name of the message; nil for any.
    let message: String?
    let how: Corruption
    let disturbance: Disturbance.ID
}

extension Script {
    /// Whether some message of a device is to be spoilt.
    func spoils(_ device: Int) -> Bool { spoilings.contains { $0.device == device } }

    /// A frame as it leaves its host, its message spoilt; nil where no fault is for this message.
    mutating func spoil(
        _ message: (name: String, range: Range<Int>), in frame: [UInt8], of device: Int,
        drawing decisions: inout Decisions
    ) -> [UInt8]? {
        let value = Array(frame[message.range])
        guard
            let spoilt = spoil(
                message.name, value, room: LinkLimits.block - frame.count, of: device,
                drawing: &decisions)
        else { return nil }
        var bytes =
            Array(frame[..<message.range.lowerBound]) + spoilt + frame[message.range.upperBound...]
        let length = UInt16(bytes.count - 4)
        bytes[0] = UInt8(truncatingIfNeeded: length)
        bytes[1] = UInt8(truncatingIfNeeded: length >> 8)
        return bytes
    }

    /// A message as it leaves its host, spoilt; nil where no fault is for it.
    mutating func spoil(
        _ name: String, _ value: [UInt8], room: Int, of device: Int,
        drawing decisions: inout Decisions
    ) -> [UInt8]? {
        guard
            let spoiling = spoilings.first(where: {
                $0.device == device && ($0.message ?? name) == name
            })
        else { return nil }
        let spoilt = spoilt(value, spoiling, room: room, drawing: &decisions)
        use(spoiling.disturbance)
        return spoilt
    }

    /// A message that is at most `room` bytes longer, which is what a frame has left.
    private func spoilt(
        _ value: [UInt8], _ spoiling: Spoiling, room: Int, drawing decisions: inout Decisions
    ) -> [UInt8] {
        let id = spoiling.disturbance
        let owner = Decisions.Owner("spoilt message \(id.item + 1)")
        let left = active.first { $0.id == id }?.left ?? 0
        let key = Keyed(decisions.number(owner, UInt64(left), .spoil))
        switch spoiling.how {
        case .garbage:
            var garbage = key.bytes(value.count)
            // No message begins with such a byte: garbage never looks like a message by chance.
            if !garbage.isEmpty { garbage[0] |= 0xC0 }
            return garbage
        case .truncate(let length):
            return Array(value.prefix(length))
        case .extend(let length):
            return value + key.bytes(max(0, min(length, room)))
        case .flip:
            guard !value.isEmpty else { return value }
            var flipped = value
            let bit = Int(key.below(UInt64(value.count * 8)))
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            return flipped
        }
    }
}
