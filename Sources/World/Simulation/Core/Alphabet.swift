import Airs
package import DeviceLink
package import Traces

extension World {
    /// What the shell tells the core.
    package enum Event: Sendable {
        case begin
        /// A device ended its turn.
        case answered(device: Int, [Answer])
        /// A device that goes by the wall clock is behind: what it does next may be so much later than it was due.
        ///
        /// Asked for nothing, it is followed by no action.
        case lagged(Nanoseconds)
        /// The answer to `Action.consult`: whether a promise still waits for its deadline.
        case consulted(isOpen: Bool)
        /// The run goes on after `Action.pause`, to the next place if there is one.
        case resumed(next: Place?)
        /// The run cannot go on: a device crashed, hung or broke the contract, or somebody
        /// interrupted us.
        case abandoned(device: Int?, reason: String)
    }

    /// What the core wants the shell to do.
    package enum Action: Equatable, Sendable {
        /// Have a process be this device: spawn one, or reset a free one.
        case start(device: Int, Reset)
        /// Let a device take its turn.
        case grant(device: Int, turn: UInt32, now: VirtualTime, DeviceEvent)
        /// SIGKILL.
        case kill(device: Int)
        /// SIGSTOP.
        case freeze(device: Int)
        /// SIGCONT.
        case thaw(device: Int)
        /// The topology's length is over: does a promise still wait for its deadline?
        case consult
        /// The place of `Options.pause` is reached: nothing happens until `Event.resumed`.
        case pause
        /// A device wants more than it may (DEVICE-LINK.md, section 15): give the run up.
        ///
        /// The answer is counted in its turn, from 0; it and those behind it have no effect.
        case accuse(device: Int, Breach, answer: Int)
        /// The run is over, since this moment.
        case end(RunEnding, at: VirtualTime)
    }

    /// What went between a device's host and its controller, for the capture.
    package struct HostControllerRecord: Equatable, Sendable {
        /// Which way, and what.
        package enum Packet: Equatable, Sendable {
            /// From the host.
            case command(BluetoothCommand)
            /// To the host.
            case event(BluetoothEvent)
            /// Between the host and its UWB chip.
            case uci([UInt8])
        }

        package let device: Int
        package let time: VirtualTime
        package let packet: Packet
    }
}

/// What can be pending.
enum Occurrence: Sendable {
    /// A device's turn. The incarnation is the one the event is meant for.
    case deliver(DeviceEvent, incarnation: UInt32)
    /// Something on the Bluetooth air, without any device taking a turn.
    case bluetooth(BluetoothAir.Event)
    case round(session: Int)
    case frame(device: Int)
    case network(NetworkAir.Event)
    case script(Script.Event)
    case powerOn(device: Int)
    /// Time to ask whether the run may end.
    case checkForEnd
}
