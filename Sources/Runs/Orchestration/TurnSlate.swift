import CDevice
package import UV

/// Whose turn it is in a worker that loads libraries of somebody else's, written where it outlives the worker.
///
/// A library can take its process along in any way: by a crash, by `exit`, by SIGKILL, by a turn without an end. Whoever
/// has started the worker then reads here whose turn it was.
package final class TurnSlate {
    /// A device whose library has taken the worker along.
    package struct Culprit: Equatable {
        package let device: Int
        /// Whether it did not end its turn within the watchdog's time.
        package let isHung: Bool
    }

    private let raw: OpaquePointer
    /// Whether it stays for as long as the process does.
    private let isOwn: Bool

    private init(_ raw: OpaquePointer, isOwn: Bool) { (self.raw, self.isOwn) = (raw, isOwn) }

    deinit { if !isOwn { cdevice_slate_unmap(raw) } }

    /// An empty one, and the descriptor for the worker, which has to be its fourth.
    package static func make() throws(UVError) -> (slate: TurnSlate, descriptor: Descriptor) {
        let number = cdevice_slate_make()
        guard number >= 0 else { throw .last(in: "memfd_create") }
        let descriptor = Descriptor(owning: number)
        guard let raw = cdevice_slate_map(number) else { throw .last(in: "mmap") }
        return (TurnSlate(raw, isOwn: false), descriptor)
    }

    /// That of this process, if it is a worker: there libraries may be loaded.
    static var own: TurnSlate? { cdevice_own_slate().map { TurnSlate($0, isOwn: true) } }

    /// Does what a device does in its turn, or when it is loaded.
    func turn<Value, Failure: Error>(
        of device: Int, _ work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        cdevice_slate_begin(raw, UInt32(device))
        defer { cdevice_slate_end(raw) }
        return try work()
    }

    /// Ends this process where a turn takes more than so many milliseconds of the wall clock.
    func watch(within milliseconds: UInt64) throws(HarnessError) {
        guard cdevice_slate_watch(raw, milliseconds) == 0 else {
            throw HarnessError(
                "there can be no thread that watches a library. \(HarnessError.limits)")
        }
    }

    /// Who has taken the worker along; nil where nothing was loaded into it, or somebody from outside has ended it
    /// between two turns.
    package func culprit(of exit: ChildProcess.Exit) -> Culprit? {
        let device = Int(cdevice_slate_device(raw))
        guard device >= 0 else { return nil }
        if cdevice_slate_is_hung(raw) != 0 {
            return Culprit(device: device, isHung: true)
        }
        let isInTurn = cdevice_slate_is_in_turn(raw) != 0
        guard isInTurn || ![.signaled(.kill), .signaled(.terminate)].contains(exit) else {
            return nil
        }
        return Culprit(device: device, isHung: false)
    }
}
