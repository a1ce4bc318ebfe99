import CDevice

extension Context {
    /// The context of the device whose turn it is on this thread.
    ///
    /// Apple's API has global state (`NISession()`, the main queue), so that one thing is global here
    /// too. Use outside a turn is a programming error and traps.
    public static var current: Context {
        guard let raw = cdevice_current() else {
            preconditionFailure("NearbyInteraction and CoreBluetooth work only in a device's turn")
        }
        return Unmanaged<Context>.fromOpaque(raw).takeUnretainedValue()
    }

    /// The context of the device whose turn it is on this thread; nil outside a turn.
    package static var ofTurn: Context? {
        cdevice_current().map { Unmanaged<Context>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The object of a type that the device whose turn it is has attached; `rule` is what whoever finds none has broken.
    package static func attached<Object: AnyObject>(
        _ type: Object.Type = Object.self, rule: StaticString
    ) -> Object {
        guard let object = current.attachments[type] else { preconditionFailure("\(rule)") }
        return object
    }

    /// Makes the moment of a turn and what its device draws those of the C library, in a program that has that for it
    /// (`CTimeAndChance`).
    package static func lendTimeAndChance() {
        cdevice_set_source(
            cdevice_source(
                now: { device in
                    Unmanaged<Context>.fromOpaque(device).takeUnretainedValue().now.nanoseconds
                },
                draw: { device, bytes, count in
                    let context = Unmanaged<Context>.fromOpaque(device).takeUnretainedValue()
                    let drawn = context.random("system").bytes(count)
                    UnsafeMutableRawBufferPointer(start: bytes, count: count).copyBytes(from: drawn)
                }))
    }

    /// Makes what this program prints lines of its device's log, behind the time.
    package static func stampPrints() { cdevice_print_in_time() }

    /// Makes this context the thread's current one while `body` runs.
    public func asCurrent<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let previous = cdevice_current()
        cdevice_set_current(Unmanaged.passUnretained(self).toOpaque())
        defer { cdevice_set_current(previous) }
        return try body()
    }
}
