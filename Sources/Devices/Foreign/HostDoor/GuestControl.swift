import CHostDoor
import DeviceKit
import Glibc

/// The door's end of the socket over which a guest gets turns and gives them back (CGuest/control.h).
struct GuestControl {
    /// What a guest says.
    enum Word: Equatable {
        /// Its library is there; whether it can be copied where it reaches its controller.
        case hello(canFork: Bool)
        /// It waits to be copied.
        case snapshot
        /// Nothing happens before that moment, in nanoseconds, unless something comes; nil is never.
        case blocked(until: UInt64?, sent: UInt64, connections: UInt64, calls: UInt32)
        case forked(pid: pid_t)
        /// A process that it was copied to has ended, with what `waitpid` says.
        case reaped(status: Int32)
        /// For the log.
        case note(String)
        /// What it has called since it was last woken.
        case told(String)
        case gone
    }

    private enum Kind {
        static let (wake, fork, reap, tell): (UInt32, UInt32, UInt32, UInt32) = (1, 2, 3, 4)
    }

    let socket: Int32

    /// The time is `now`, and the host was sent so many bytes.
    func wake(at now: VirtualTime, sent: UInt64) {
        say(Kind.wake, now.nanoseconds, sent)
    }

    /// Makes a copy of the guest, which gets this end of a socket of its own.
    func fork(seed: UInt64, at now: VirtualTime, control: Int32) {
        say(Kind.fork, seed, now.nanoseconds, passing: control)
    }

    /// Asks what it has called since it was last woken.
    func tell() { say(Kind.tell, 0) }

    /// Waits for the end of a copy.
    func reap(_ pid: pid_t) { say(Kind.reap, UInt64(pid)) }

    private func say(_ kind: UInt32, _ a: UInt64, _ b: UInt64 = 0, passing descriptor: Int32 = -1) {
        var message = chostdoor_message()
        (message.kind, message.a, message.b) = (kind, a, b)
        // Who does not hear it any more is found to be gone when an answer is waited for.
        _ = chostdoor_send(socket, &message, descriptor)
    }

    /// Waits for what the guest says next.
    func hear() -> Word {
        var message = chostdoor_message()
        while chostdoor_receive(socket, &message) == 1 {
            switch message.kind {
            case 1: return .hello(canFork: message.flags & 1 == 1)
            case 2: return .snapshot
            case 3:
                return .blocked(
                    until: message.a == .max ? nil : message.a, sent: message.b,
                    connections: message.c, calls: message.flags)
            case 4: return .forked(pid: pid_t(truncatingIfNeeded: message.a))
            case 5: return .note(Self.text(of: &message))
            case 7: return .told(Self.text(of: &message))
            case 6: return .reaped(status: Int32(truncatingIfNeeded: message.b))
            // A word of a later version.
            default: continue
            }
        }
        return .gone
    }

    private static func text(of message: inout chostdoor_message) -> String {
        withUnsafeBytes(of: &message.text) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
