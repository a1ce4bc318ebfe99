/// Messages that wait for the embedded application, which handles one at a time.
///
/// The first one is being handled. A value without a clock: whoever owns it sets the timer.
package struct Inbox: Equatable, Sendable {
    /// One message and where it came from: the handle of a link, or what stands for a connection on the network.
    package struct Entry: Equatable, Sendable {
        package var link: UInt16
        /// The message, id first.
        package var bytes: [UInt8]
    }

    /// What has to be done about the timer of the handling.
    package enum Outcome: Equatable, Sendable {
        /// Handling the first message begins: set it.
        case begin
        /// A message is being handled: it is running.
        case wait
        /// There was no room; the message is gone.
        case dropped
        /// Nothing is left to handle: cancel it.
        case idle
    }

    private var entries: [Entry] = []
    private var capacity: Int
    /// Whether a message that is gone with its link keeps its place, which is a defect.
    private let leaks: Bool

    /// An inbox; `capacity` counts the message being handled.
    package init(capacity: Int, leaks: Bool = false) {
        (self.capacity, self.leaks) = (capacity, leaks)
    }

    /// A message has arrived.
    package mutating func receive(_ bytes: [UInt8], on link: UInt16) -> Outcome {
        guard entries.count < capacity else { return .dropped }
        entries.append(Entry(link: link, bytes: bytes))
        return entries.count == 1 ? .begin : .wait
    }

    /// The first message has been handled; the next one, if any, begins.
    package mutating func finish() -> (entry: Entry?, Outcome) {
        let entry = entries.isEmpty ? nil : entries.removeFirst()
        return (entry, entries.isEmpty ? .idle : .begin)
    }

    /// A link is gone, and its messages with it.
    package mutating func forget(link: UInt16) -> Outcome {
        let before = entries.count
        entries.removeAll { $0.link == link }
        if leaks { capacity -= before - entries.count }
        return entries.isEmpty ? .idle : .wait
    }
}
