/// A number as an object: signal strengths and options of Apple's API have this type.
public final class NSNumber: Hashable, Sendable, CustomStringConvertible {
    private enum Value: Hashable {
        case integer(Int64)
        case real(Double)
    }

    private let value: Value

    public init(value: some BinaryInteger) { self.value = .integer(Int64(clamping: value)) }

    public init(value: Double) { self.value = .real(value) }

    /// 1 or 0.
    public init(value: Bool) { self.value = .integer(value ? 1 : 0) }

    /// The nearest whole number towards zero.
    public var intValue: Int {
        switch value {
        case .integer(let number): Int(number)
        case .real(let number): Int(exactly: number.rounded(.towardZero)) ?? 0
        }
    }

    /// The number as a real one.
    public var doubleValue: Double {
        switch value {
        case .integer(let number): Double(number)
        case .real(let number): number
        }
    }

    /// The number as a real one of single precision.
    public var floatValue: Float { Float(doubleValue) }

    /// Whether it is not 0.
    public var boolValue: Bool { doubleValue != 0 }

    /// The number in digits.
    public var stringValue: String { description }

    /// The number in digits.
    public var description: String {
        switch value {
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        }
    }

    /// Whether both are the same number.
    public static func == (left: NSNumber, right: NSNumber) -> Bool { left.value == right.value }

    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
