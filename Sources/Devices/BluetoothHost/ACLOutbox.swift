import DeviceKit

/// The frames of one connection on their way to the controller, which has few buffers.
///
/// The limit is for notifications and write commands, which are refused beyond it; responses always
/// find room, there is never more than one of them.
struct ACLOutbox {
    private let limit: Int
    private var waiting: [[UInt8]] = []
    /// Frames that the controller has not yet completed.
    private var outstanding = 0
    /// Frames for which room is kept, and which have not come yet.
    var reserved = 0
    /// How many frames waited when `hold` was called.
    private var mark: Int?

    init(limit: Int) { self.limit = limit }

    /// Whether one more would be taken: the controller's buffers count too.
    var hasRoom: Bool { waiting.count + outstanding + reserved < limit + aclBufferCount }

    mutating func append(_ frame: [UInt8]) { waiting.append(frame) }

    /// Lets nothing out until `release`.
    mutating func hold() {
        precondition(mark == nil, "an answer within an answer")
        mark = waiting.count
    }

    /// Lets frames out again, and `first` before those that came in the meantime.
    mutating func release(first frame: [UInt8]?) {
        if let frame, let mark { waiting.insert(frame, at: mark) }
        mark = nil
    }

    /// The next frame for the controller, where it has a buffer for it.
    mutating func next() -> [UInt8]? {
        guard mark == nil, outstanding < aclBufferCount, !waiting.isEmpty else { return nil }
        outstanding += 1
        return waiting.removeFirst()
    }

    mutating func complete(_ count: Int) { outstanding = max(0, outstanding - count) }
}
