import Basics
import DeviceKit
import Glibc
import Vocabulary

/// What a guest does in each of its turns, as a line of the log: by these lines the orchestrator finds where two runs part.
struct TurnTelling {
    private var calls: [String] = []
    private var bytes: [UInt8] = []

    /// Nil where the orchestrator does not ask.
    init?() { guard getenv("ANECHOIC_HOST_TELLS") != nil else { return nil } }

    /// Asks a guest that waits what it has called.
    mutating func ask(_ life: GuestLife) {
        let told = life.calls()
        if !told.isEmpty { calls.append(told) }
    }

    /// Takes what it has sent to its controller or to its chip.
    mutating func take(_ more: [UInt8]) { bytes += more }

    /// The line of a turn that is over; nil is a host that waits for something to come.
    mutating func line(waitingUntil moment: UInt64?) -> String {
        defer { (calls, bytes) = ([], []) }
        let hash = String(Keyed(0).with(value: .bytes(bytes)).value, radix: 16)
        let sent = bytes.isEmpty ? "nothing" : "\(bytes.count) bytes (\(hash))"
        let wait = moment.map { "until \($0.seconds(decimals: 9)) s" } ?? "for what comes"
        return HostProgram.turnMark
            + "called \(calls.joined(separator: ", ")); sent \(sent); waits \(wait)"
    }
}
