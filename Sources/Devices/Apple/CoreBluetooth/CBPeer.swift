import BluetoothHost
package import DeviceKit

/// Another Bluetooth device, as an app knows it.
public class CBPeer: Hashable, CustomStringConvertible {
    let device: RemoteDevice

    init(_ device: RemoteDevice) { self.device = device }

    /// The same for the same two devices, in every run.
    public var identifier: UUID { device.identifier }

    /// The address, which an app never sees: for the trace.
    package var address: Address { device.identity }

    /// Whether both are the same device.
    public static func == (left: CBPeer, right: CBPeer) -> Bool {
        left.identifier == right.identifier
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

    public var description: String { "\(type(of: self)) \(identifier)" }
}

/// A device that has connected to this one, as a peripheral manager's app knows it.
public final class CBCentral: CBPeer {
    private(set) weak var connection: Connection?

    init(_ device: RemoteDevice, on connection: Connection) {
        self.connection = connection
        super.init(device)
    }

    /// The longest value that it can be told of at once, in bytes: 20 until the two sides have agreed on more.
    public var maximumUpdateValueLength: Int { connection?.maximumValueLength ?? 20 }
}
