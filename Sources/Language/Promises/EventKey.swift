package import DeviceLink
package import Traces

/// What of an event is compared: of two events that are about the same thing it is equal.
package enum EventKey: Codable, Hashable, Sendable {
    /// The device that it happened to.
    case device
    /// The device of this role that it is about: its own, or the one at the other end.
    case role(DeviceRole)
    case field(String)

    /// The most keys of a promise, a fluent or a goal.
    package static let most = 8

    /// The key of this name: `device`, a role, else a field.
    package init(_ name: String) {
        self =
            name == "device"
            ? .device : DeviceRole(rawValue: name).map(EventKey.role) ?? .field(name)
    }

    /// Its name in a file.
    package var name: String {
        switch self {
        case .device: "device"
        case .role(let role): role.rawValue
        case .field(let name): name
        }
    }
}

extension TraceEvent {
    /// The value of a key; nil where the event has none.
    package func value(of key: EventKey) -> Field.Value? {
        switch key {
        case .device: return device.isEmpty ? nil : .text(device)
        case .role(let role):
            guard let own = self.role else { return nil }
            return own == role ? .text(device) : self["peer"].flatMap { $0 == .none ? nil : $0 }
        case .field(let name): return self[name].flatMap { $0 == .none ? nil : $0 }
        }
    }
}
