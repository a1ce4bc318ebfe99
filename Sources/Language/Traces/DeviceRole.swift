/// What a device is in a session: one end of every link has one role, the other end the other.
public enum DeviceRole: String, Codable, CaseIterable, Sendable {
    /// The accessory, the peripheral of a link.
    case accessory
    /// The Apple device, the central of a link.
    case appleDevice = "apple-device"
}

/// Who plays which role, as the `device.started` events of a recorded trace tell.
package struct DeviceRoles: Sendable {
    private var roles: [String: DeviceRole] = [:]

    package init() {}

    /// Gives the next event of a trace the role of its device.
    package mutating func complete(_ event: inout TraceEvent) {
        if event.kind == .deviceStarted {
            roles[event.device] = event.text("role").flatMap(DeviceRole.init)
        }
        event.role = roles[event.device]
    }
}
