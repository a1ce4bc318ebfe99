public import DeviceLink

/// Which events of a trace are meant: `KIND [on DEVICE] [with FIELD OP VALUE [and …]]`.
///
/// `on accessory` and `on apple-device` mean every device of that role.
///
/// A kind matches itself and all below it: `msg.initialize` matches `msg.initialize.sent`.
public struct EventPattern: Codable, Equatable, Sendable {
    /// How a field is compared.
    ///
    /// Order is defined for numbers only.
    public enum Comparison: String, Codable, CaseIterable, Sendable {
        /// The comparisons, as they are written.
        case equal = "=", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">",
            greaterOrEqual = ">="
    }

    /// One condition on a field.
    public struct Condition: Codable, Equatable, Sendable {
        /// The field's name.
        public var field: String
        /// How it is compared.
        public var comparison: Comparison
        /// What it is compared with.
        public var value: Field.Value

        /// A condition.
        public init(field: String, comparison: Comparison, value: Field.Value) {
            self.field = field
            self.comparison = comparison
            self.value = value
        }
    }

    /// The kind, or a prefix of it that ends before a dot.
    public var kind: String
    /// The device; nil for any.
    public var device: String?
    /// The role of the device; nil for any.
    public var role: DeviceRole?
    /// All of them hold.
    public var conditions: [Condition]

    /// A pattern.
    public init(
        kind: String, device: String? = nil, role: DeviceRole? = nil, conditions: [Condition] = []
    ) {
        self.kind = kind
        self.device = device
        self.role = role
        self.conditions = conditions
    }

    /// The pattern that means just what has these fields.
    package init(kind: String, device: String?, having fields: [Field]) {
        self.init(
            kind: kind, device: device,
            conditions: fields.map {
                Condition(field: $0.name, comparison: .equal, value: $0.value)
            })
    }

    /// Whether `event` is meant.
    public func matches(_ event: TraceEvent) -> Bool {
        matches(kind: event.name) && matchesBesideKind(event)
    }

    /// Whether an event of a kind that can be meant is meant.
    public func matchesBesideKind(_ event: TraceEvent) -> Bool {
        // Compared without unwrapping what is a copy: this runs for every event and pattern.
        if role != nil, role != event.role { return false }
        if device != nil, device != event.device { return false }
        for index in conditions.indices where !conditions[index].holds(for: event) { return false }
        return true
    }

    /// Whether events of this kind can be meant.
    public func matches(kind other: String) -> Bool {
        // Compared without making the string with the dot: this runs for every event.
        guard other.hasPrefix(kind) else { return false }
        let rest = other.utf8.dropFirst(kind.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: ".")
    }
}

extension EventPattern.Condition {
    fileprivate func holds(for event: TraceEvent) -> Bool {
        let actual = event[field] ?? .none
        switch comparison {
        case .equal: return actual == value
        case .notEqual: return actual != value
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard case .number(let left) = actual, case .number(let right) = value else {
                return false
            }
            return comparison.holds(left, right)
        }
    }
}

extension EventPattern.Comparison {
    package func holds(_ left: Int64, _ right: Int64) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }
}
