import Foundation

/// Writes lines to the device's log, behind the virtual time.
public struct Logger: Sendable {
    private let prefix: String

    /// A log without a category.
    public init() { prefix = "" }

    /// A log for a category of a part of the app.
    public init(subsystem: String, category: String) { prefix = "[\(subsystem):\(category)] " }

    /// A log for what an `OSLog` stands for.
    public init(_ log: OSLog) { prefix = log.prefix }

    public func log(_ message: OSLogMessage) { write(.default, message) }
    public func log(level: OSLogType, _ message: OSLogMessage) { write(level, message) }
    public func trace(_ message: OSLogMessage) { write(.debug, message) }
    public func debug(_ message: OSLogMessage) { write(.debug, message) }
    public func info(_ message: OSLogMessage) { write(.info, message) }
    public func notice(_ message: OSLogMessage) { write(.default, message) }
    public func warning(_ message: OSLogMessage) { write(.error, message) }
    public func error(_ message: OSLogMessage) { write(.error, message) }
    public func critical(_ message: OSLogMessage) { write(.fault, message) }
    public func fault(_ message: OSLogMessage) { write(.fault, message) }

    private func write(_ level: OSLogType, _ message: OSLogMessage) {
        OSLog.write("\(prefix)\(level.name)\(message.text)")
    }
}

/// A text with values, each of which may say how it is shown.
///
/// Nothing is hidden: whoever reads the log of a simulated device may see all of it.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    public init(stringLiteral text: String) { self.text = text }
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// The values of a message.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    fileprivate(set) var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {
        text.reserveCapacity(literalCapacity)
    }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some Any, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += "\(value())"
    }

    public mutating func appendInterpolation(
        _ number: @autoclosure () -> some BinaryInteger, format: OSLogIntegerFormatting,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += format.text(number())
    }

    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Double, format: OSLogFloatFormatting,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += format.text(number())
    }

    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Float, format: OSLogFloatFormatting,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += format.text(Double(number()))
    }
}

/// Who may read a value, which changes nothing here.
public struct OSLogPrivacy: Sendable {
    /// How a value that may not be read is told from another.
    public enum Mask: Sendable { case none, hash }

    public static let auto = OSLogPrivacy()
    public static let `public` = OSLogPrivacy()
    public static let `private` = OSLogPrivacy()
    public static let sensitive = OSLogPrivacy()
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
}

/// The column of a value, which changes nothing here.
public struct OSLogStringAlignment: Sendable {
    public static let none = OSLogStringAlignment()
    public static func left(columns: @autoclosure () -> Int) -> OSLogStringAlignment { none }
    public static func right(columns: @autoclosure () -> Int) -> OSLogStringAlignment { none }
}

/// How a whole number is written.
public struct OSLogIntegerFormatting: Sendable {
    private let radix: Int
    private let isUppercase: Bool

    public static let decimal = OSLogIntegerFormatting(radix: 10, isUppercase: false)
    public static let hex = OSLogIntegerFormatting(radix: 16, isUppercase: false)
    public static let octal = OSLogIntegerFormatting(radix: 8, isUppercase: false)
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(radix: 16, isUppercase: uppercase)
    }

    fileprivate func text(_ number: some BinaryInteger) -> String {
        String(number, radix: radix, uppercase: isUppercase)
    }
}

/// How a real number is written.
public struct OSLogFloatFormatting: Sendable {
    private let digits: Int?

    public static let fixed = OSLogFloatFormatting(digits: 6)
    public static let hybrid = OSLogFloatFormatting(digits: nil)
    public static let exponential = OSLogFloatFormatting(digits: nil)
    public static func fixed(
        precision: @autoclosure () -> Int, explicitPositiveSign: Bool = false,
        uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        OSLogFloatFormatting(digits: precision())
    }

    fileprivate func text(_ number: Double) -> String {
        digits.map { String(format: "%.\($0)f", number) } ?? "\(number)"
    }
}
