/// The two ends of a connection.
@frozen
public enum Side: Sendable {
    case central, peripheral

    /// The end that it is not.
    @inlinable public var other: Side { self == .central ? .peripheral : .central }
}

/// One of something for each end of a connection.
@frozen
public struct Sides<Value: Sendable>: Sendable {
    public var central: Value
    public var peripheral: Value

    /// The same for both.
    @inlinable
    public init(both value: Value) { (central, peripheral) = (value, value) }

    @inlinable
    public init(central: Value, peripheral: Value) {
        self.central = central
        self.peripheral = peripheral
    }

    /// That of an end.
    @inlinable
    public subscript(side: Side) -> Value {
        get { side == .central ? central : peripheral }
        _modify {
            switch side {
            case .central: yield &central
            case .peripheral: yield &peripheral
            }
        }
    }
}
