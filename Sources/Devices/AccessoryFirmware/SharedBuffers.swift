import DeviceLink

/// The controller's buffers for one connection, which a device shares with its ``SecurityManager`` and knows nothing of.
struct SharedBuffers {
    /// The frames that the controller has, the oldest first: whether each is the device's.
    private var sent: [Bool] = []
    private var waiting: [(frame: [UInt8], isOfDevice: Bool)] = []

    private var hasRoom: Bool { sent.count < aclBufferCount }

    /// Takes a frame; false where it has to wait for one of the other's.
    ///
    /// A device that has filled all buffers by itself is not kept from breaking the contract.
    mutating func take(_ frame: [UInt8], ofDevice isOfDevice: Bool) -> Bool {
        let own = sent.count { $0 } + waiting.count { $0.isOfDevice }
        guard hasRoom && waiting.isEmpty || isOfDevice && own >= aclBufferCount else {
            waiting.append((frame, isOfDevice))
            return false
        }
        sent.append(isOfDevice)
        return true
    }

    /// So many frames have left; returns how many of them were the device's.
    mutating func complete(_ count: UInt16) -> UInt16 {
        let left = sent.prefix(Int(count))
        sent.removeFirst(left.count)
        return UInt16(left.count { $0 })
    }

    /// The frames that have waited for the room that there is now.
    mutating func release() -> [[UInt8]] {
        var released: [[UInt8]] = []
        while hasRoom, !waiting.isEmpty {
            let (frame, isOfDevice) = waiting.removeFirst()
            sent.append(isOfDevice)
            released.append(frame)
        }
        return released
    }
}
