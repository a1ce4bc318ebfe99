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
    /// The camera has taken a frame (since 1.5); only a device gets it that has asked for it.
    case camera(CameraFrame)
    /// The network between apps reports something (since 1.3).
    ///
    /// Apart, because it is larger than all others, and rarer.
    indirect case network(NetworkEvent)
}

/// One thing a device does in its turn.
public enum Answer: Equatable, Sendable {
    /// A request to the Bluetooth controller.
    case bluetooth(BluetoothCommand)
    /// A request to the UWB radio.
    case uwb(UWBCommand)
    /// Switches the camera on, which takes a frame in each so many milliseconds (10 … 65,535), or off (0) (since 1.5).
    ///
    /// While it is on, ranging rounds say where the peer is wherever the device looks (``UWBSight``).
    case camera(interval: UInt16)
    /// A request to the network between apps (since 1.3).
    indirect case network(NetworkCommand)
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
public struct Field: Codable, Equatable, Sendable {
    /// The name: 1 to 255 bytes without control characters, once in an observation.
    public var name: String
    /// The value; text and bytes are at most 4,096 bytes.
    public var value: Value

    /// What a field can hold.
    ///
    /// There is no floating point in a trace.
    public enum Value: Codable, Equatable, Hashable, Sendable {
        /// A word or a sentence.
        case text(String)
        /// A whole number; its unit is part of the field's documentation.
        case number(Int64)
        case flag(Bool)
        /// Bytes, written as hexadecimal digits.
        case bytes([UInt8])
        /// Nothing: for example a distance that was not measured.
        case none
    }

    public init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}

extension Field {
    /// The name of a field with a peer's address, which the trace has as a ``peer`` (DEVICE-LINK.md, section 10).
    @inlinable public static var peripheral: String { "peripheral" }
    /// The name of a field with a peer's name.
    @inlinable public static var peer: String { "peer" }
}

extension Field.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int64) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .flag(value) }
}
