/// A device without a process: the same code, called instead of granted.
///
/// The orchestrator hosts devices in its own process with it, and a device's process is nothing but
/// one of these at the end of a link (`run`), so that both give the same answers to the same events.
public final class InlineDevice {
    private let make: (Reset, Context) throws(Refusal) -> (DeviceEvent) -> Void
    private let log: (String) -> Void
    private var incarnation: Incarnation?

    /// One object: who takes a turn holds on to nothing else.
    private final class Incarnation {
        let handle: (DeviceEvent) -> Void
        let context: Context

        init(in context: Context, handle: @escaping (DeviceEvent) -> Void) {
            (self.handle, self.context) = (handle, context)
        }
    }

    /// A host for devices of one type, with a place for the lines of their logs.
    public convenience init(_ type: any Device.Type, log: @escaping (String) -> Void) {
        self.init(log: log) { (reset, context) throws(Refusal) in
            try type.init(reset, in: context).handle
        }
    }

    /// A host for devices of which `make` makes what takes their events.
    package init(
        log: @escaping (String) -> Void,
        making make: @escaping (Reset, Context) throws(Refusal) -> (DeviceEvent) -> Void
    ) {
        self.make = make
        self.log = log
    }

    /// Whether there is a device: a reset was done and not refused.
    public var isReset: Bool { incarnation != nil }

    /// Forgets the device there was and makes the one that `reset` describes; returns why that cannot
    /// be, in which case there is no device.
    public func reset(_ reset: Reset) -> Refusal? {
        forget()
        let context = Context(reset, log: log)
        do throws(Refusal) {
            let handle = try context.asCurrent { () throws(Refusal) in
                try make(reset, context)
            }
            incarnation = Incarnation(in: context, handle: handle)
            return nil
        } catch {
            context.retire()
            return error
        }
    }

    /// Runs one turn and returns its answers.
    ///
    /// There must be a device.
    public func turn(at moment: VirtualTime, _ event: DeviceEvent) -> [Answer] {
        guard let incarnation else {
            preconditionFailure("a turn was granted to a device that was not reset")
        }
        return incarnation.context.turn(at: moment, event, incarnation.handle)
    }

    /// What a device's objects do in their `deinit` still finds its context, and comes to nothing.
    private func forget() {
        guard let context = incarnation?.context else { return }
        context.asCurrent { incarnation = nil }
        context.retire()
    }

    deinit { forget() }
}
