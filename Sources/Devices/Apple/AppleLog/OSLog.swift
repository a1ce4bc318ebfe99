import DeviceKit
import Foundation

/// A category of a part of the app in the log.
public final class OSLog: Sendable {
    let prefix: String

    /// A category, which stands before each line.
    public init(subsystem: String, category: String) { prefix = "[\(subsystem):\(category)] " }

    private init() { prefix = "" }

    /// Whatever has no category.
    public static let `default` = OSLog()
    /// Nothing is switched off here.
    public static let disabled = OSLog()

    /// Writes a line; outside a turn it has no time.
    static func write(_ line: String) {
        guard let context = Context.ofTurn else { return print(line) }
        context.log(line)
    }
}

/// How much a line matters.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let `default` = OSLogType(rawValue: 0x00)
    public static let info = OSLogType(rawValue: 0x01)
    public static let debug = OSLogType(rawValue: 0x02)
    public static let error = OSLogType(rawValue: 0x10)
    public static let fault = OSLogType(rawValue: 0x11)

    var name: String {
        switch self {
        case .info: "info: "
        case .debug: "debug: "
        case .error: "error: "
        case .fault: "fault: "
        default: ""
        }
    }
}

/// Writes a line with values in the form of `String(format:)`; what the log says of their privacy is left out.
public func os_log(
    _ format: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
    type: OSLogType = .default, _ values: any CVarArg...
) {
    let plain = ["{public}", "{private}", "{sensitive}"].reduce("\(format)") {
        $0.replacingOccurrences(of: $1, with: "")
    }
    let text = values.isEmpty ? plain : String(format: plain, arguments: values)
    OSLog.write("\(log.prefix)\(type.name)\(text)")
}

/// Writes a line with values in the form of `String(format:)`.
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ format: StaticString,
    _ values: any CVarArg...
) {
    let text = values.isEmpty ? "\(format)" : String(format: "\(format)", arguments: values)
    OSLog.write("\(log.prefix)\(type.name)\(text)")
}

/// Writes a line.
public func os_log(
    _ type: OSLogType = .default, log: OSLog = .default, _ message: OSLogMessage
) {
    OSLog.write("\(log.prefix)\(type.name)\(message.text)")
}

/// A lock, which nobody else ever holds: a device has one thread.
public final class OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private var state: State

    public init(initialState: State) { state = initialState }

    /// Runs `body` with what the lock protects.
    public func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try body(&state)
    }
}

extension OSAllocatedUnfairLock where State == Void {
    public convenience init() { self.init(initialState: ()) }
    public func lock() {}
    public func unlock() {}
    public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}
