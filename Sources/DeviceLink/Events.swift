/// The one thing that happens to a device in its turn.
public enum DeviceEvent: Equatable, Sendable {
    /// Power on. The first event of every incarnation.
    case boot
    /// A timer that the device set has come due; it is no longer set.
    case timer(name: String)
    /// An item that the device posted to one of its queues is to run.
    case queue(name: String, item: UInt32)
    /// The script, or the user it plays, wants something of the device.
    case command(name: String, arguments: [Pair])
    /// The Bluetooth controller reports something.
    case bluetooth(BluetoothEvent)
    /// The UWB radio reports something.
    case uwb(UWBEvent)
}

/// One thing a device does in its turn.
public enum Answer: Equatable, Sendable {
    /// A request to the Bluetooth controller.
    case bluetooth(BluetoothCommand)
    /// A request to the UWB radio.
    case uwb(UWBCommand)
    /// Wake me `after` nanoseconds from now, at most `slack` later. Setting a timer again by the same
    /// name replaces it.
    case setTimer(name: String, after: Nanoseconds, slack: Nanoseconds)
    /// Do not wake me.
    case cancelTimer(name: String)
    /// Run this item on this queue, in a turn of its own, after those posted before it.
    case post(queue: String, item: UInt32)
    /// Keep these bytes beyond my death; nil forgets the key.
    case store(key: String, value: [UInt8]?)
    /// Something observed inside the device, for the trace (`kind` as in the trace's catalogue).
    case observe(kind: String, fields: [Field])
}

/// A named value of an observation.
public struct Field: Equatable, Sendable {
    /// The field's name.
    public var name: String
    /// The field's value.
    public var value: Value

    /// What a field can hold.
    ///
    /// There is no floating point in a trace.
    public enum Value: Equatable, Hashable, Sendable {
        /// A word or a sentence.
        case text(String)
        /// A whole number; its unit is part of the field's documentation.
        case number(Int64)
        /// Yes or no.
        case flag(Bool)
        /// Bytes, written as hexadecimal digits.
        case bytes([UInt8])
        /// Nothing: for example a distance that was not measured.
        case none
    }

    /// A field.
    public init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}

extension Field.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    /// Text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A number.
    public init(integerLiteral value: Int64) { self = .number(value) }
    /// A flag.
    public init(booleanLiteral value: Bool) { self = .flag(value) }
}
