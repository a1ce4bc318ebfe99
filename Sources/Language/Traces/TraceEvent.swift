public import DeviceLink

/// One thing that happened in a run, at one moment of virtual time.
public struct TraceEvent: Equatable, Sendable {
    /// Its place in the trace, from 0.
    public var number: UInt64
    /// The moment, in virtual time since the run began.
    public var time: VirtualTime
    /// The step (scheduler's pick) it belongs to; events of one step happen together.
    public var step: UInt64
    /// What happened, as files have it: `link.up`.
    public let name: String
    /// What happened; nil for a kind of a device's own.
    public let kind: EventKind?
    /// The device it happened to; empty where it concerns none.
    public var device: String
    /// What that device is; nil where nothing tells.
    ///
    /// It is not written with the event: `device.started` says it once.
    public var role: DeviceRole?
    /// Whether the device said so itself; all else is what the orchestrator saw on the air.
    public var isObservation: Bool
    /// Details, in the order of the catalogue.
    public var fields: [Field]

    /// An event of a kind that is known.
    public init(
        number: UInt64 = 0, time: VirtualTime = .zero, step: UInt64 = 0, kind: EventKind,
        device: String = "", role: DeviceRole? = nil, isObservation: Bool = false,
        fields: [Field] = []
    ) {
        self.init(
            number: number, time: time, step: step, name: kind.rawValue, kind: kind,
            device: device, role: role, isObservation: isObservation, fields: fields)
    }

    /// An event of which a device or a file gives the name.
    public init(
        number: UInt64 = 0, time: VirtualTime = .zero, step: UInt64 = 0, name: String,
        device: String = "", role: DeviceRole? = nil, isObservation: Bool = false,
        fields: [Field] = []
    ) {
        self.init(
            number: number, time: time, step: step, name: name, kind: EventKind(named: name),
            device: device, role: role, isObservation: isObservation, fields: fields)
    }

    private init(
        number: UInt64, time: VirtualTime, step: UInt64, name: String, kind: EventKind?,
        device: String, role: DeviceRole?, isObservation: Bool, fields: [Field]
    ) {
        self.number = number
        self.time = time
        self.step = step
        self.name = name
        self.kind = kind
        self.device = device
        self.role = role
        self.isObservation = isObservation
        self.fields = fields
    }

    /// The value of a field; nil where the event has none of that name.
    public subscript(name: String) -> Field.Value? {
        guard let place = place(of: name) else { return nil }
        return fields[place].value
    }

    /// The place of a field; nil where the event has none of that name.
    public func place(of name: String) -> Int? {
        // Names of one length are rare, and this runs for every event and pattern.
        let length = name.utf8.count
        for place in fields.indices
        where fields[place].name.utf8.count == length && fields[place].name == name {
            return place
        }
        return nil
    }

    /// The text of a field; nil where it is not text.
    public func text(_ name: String) -> String? {
        guard let place = place(of: name), case .text(let text) = fields[place].value else {
            return nil
        }
        return text
    }

    /// The number in a field; nil where it is not a number.
    public func number(_ name: String) -> Int64? {
        guard let place = place(of: name), case .number(let number) = fields[place].value else {
            return nil
        }
        return number
    }
}
