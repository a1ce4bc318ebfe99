public import Foundation

/// The app's settings.
///
/// They survive the app's and the device's death.
public final class UserDefaults: Sendable {
    /// The settings of the app of the device whose turn it is.
    public static let standard = UserDefaults(prefix: "")

    /// What stands before the keys of a suite.
    private let prefix: String

    private init(prefix: String) { self.prefix = prefix }

    /// The settings of a suite, which several apps of a team share; nil is the standard ones.
    public convenience init?(suiteName: String?) {
        self.init(prefix: suiteName.map { "\($0)/" } ?? "")
    }

    /// Sets a value: text, number, truth value, data, date, URL, or a list or dictionary of these; nil removes it.
    public func set(_ value: Any?, forKey key: String) {
        guard let value else { return removeObject(forKey: key) }
        guard let setting = Setting(value) else {
            preconditionFailure("UserDefaults cannot hold a \(type(of: value)) (key '\(key)')")
        }
        AppRuntime.current.set(setting.bytes, for: prefix + key)
    }

    public func removeObject(forKey key: String) {
        if kept(key) != nil { AppRuntime.current.set(nil, for: prefix + key) }
    }

    /// What keys have that were never set, until the app ends.
    public func register(defaults: [String: Any]) {
        for (key, value) in defaults { AppRuntime.current.registered[prefix + key] = value }
    }

    /// A value, where there is one.
    public func object(forKey key: String) -> Any? {
        kept(key)?.value ?? AppRuntime.current.registered[prefix + key]
    }

    /// A value, where there is one.
    public func value(forKey key: String) -> Any? { object(forKey: key) }

    /// A text, where there is one.
    public func string(forKey key: String) -> String? { object(forKey: key) as? String }

    /// Data, where there is some.
    public func data(forKey key: String) -> Data? { object(forKey: key) as? Data }

    /// An address, where there is one.
    public func url(forKey key: String) -> URL? {
        object(forKey: key) as? URL ?? string(forKey: key).flatMap { URL(string: $0) }
    }

    /// A list, where there is one.
    public func array(forKey key: String) -> [Any]? { object(forKey: key) as? [Any] }

    /// A list of texts, where there is one.
    public func stringArray(forKey key: String) -> [String]? { object(forKey: key) as? [String] }

    /// A dictionary, where there is one.
    public func dictionary(forKey key: String) -> [String: Any]? {
        object(forKey: key) as? [String: Any]
    }

    /// A whole number; 0 where there is none.
    public func integer(forKey key: String) -> Int { number(key)?.intValue ?? 0 }

    /// A real number; 0 where there is none.
    public func double(forKey key: String) -> Double { number(key)?.doubleValue ?? 0 }

    /// A real number; 0 where there is none.
    public func float(forKey key: String) -> Float { number(key)?.floatValue ?? 0 }

    /// A truth value; false where there is none.
    public func bool(forKey key: String) -> Bool { number(key)?.boolValue ?? false }

    /// Everything is kept at once.
    @discardableResult
    public func synchronize() -> Bool { true }

    private func kept(_ key: String) -> Setting? {
        AppRuntime.current.setting(prefix + key).flatMap(Setting.init(bytes:))
    }

    /// A number of any type; texts of digits count, as on iOS.
    private func number(_ key: String) -> NSNumber? {
        switch object(forKey: key) {
        case let truth as Bool: NSNumber(value: truth)
        case let whole as Int: NSNumber(value: whole)
        case let real as Double: NSNumber(value: real)
        case let real as Float: NSNumber(value: real)
        case let number as NSNumber: number
        case let text as String: Double(text).map { NSNumber(value: $0) }
        default: nil
        }
    }
}

/// A value and its bytes: a letter for the type, then the value, numbers little endian.
private enum Setting {
    case text(String)
    case whole(Int64)
    case real(Double)
    case truth(Bool)
    case data(Data)
    case texts([String])
    case date(Date)
    /// A list or a dictionary, as a property list.
    case tree(Data)

    init?(_ value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let truth as Bool: self = .truth(truth)
        case let whole as any BinaryInteger: self = .whole(Int64(clamping: whole))
        case let real as Double: self = .real(real)
        case let real as Float: self = .real(Double(real))
        case let data as Data: self = .data(data)
        case let date as Date: self = .date(date)
        case let url as URL: self = .text(url.absoluteString)
        case let texts as [String]: self = .texts(texts)
        default:
            let tree = try? PropertyListSerialization.data(
                fromPropertyList: value, format: .xml, options: 0)
            guard let tree else { return nil }
            self = .tree(tree)
        }
    }

    init?(bytes: [UInt8]) {
        let rest = Array(bytes.dropFirst())
        switch bytes.first {
        case UInt8(ascii: "s"): self = .text(String(decoding: rest, as: UTF8.self))
        case UInt8(ascii: "b"): self = .truth(rest == [1])
        case UInt8(ascii: "i"): self = .whole(Int64(bitPattern: Self.number(rest)))
        case UInt8(ascii: "r"): self = .real(Double(bitPattern: Self.number(rest)))
        case UInt8(ascii: "d"): self = .data(Data(rest))
        case UInt8(ascii: "t"):
            let seconds = Double(bitPattern: Self.number(rest))
            self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case UInt8(ascii: "p"): self = .tree(Data(rest))
        case UInt8(ascii: "l"):
            self = .texts(
                rest.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
                    String(decoding: $0, as: UTF8.self)
                })
        default: return nil
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .text(let text): [UInt8(ascii: "s")] + Array(text.utf8)
        case .truth(let truth): [UInt8(ascii: "b"), truth ? 1 : 0]
        case .whole(let whole): [UInt8(ascii: "i")] + Self.bytes(UInt64(bitPattern: whole))
        case .real(let real): [UInt8(ascii: "r")] + Self.bytes(real.bitPattern)
        case .data(let data): [UInt8(ascii: "d")] + data
        case .date(let date):
            [UInt8(ascii: "t")] + Self.bytes(date.timeIntervalSinceReferenceDate.bitPattern)
        case .tree(let tree): [UInt8(ascii: "p")] + tree
        case .texts(let texts): [UInt8(ascii: "l")] + texts.flatMap { Array($0.utf8) + [0] }
        }
    }

    var value: Any? {
        switch self {
        case .text(let text): text
        case .truth(let truth): truth
        case .whole(let whole): Int(whole)
        case .real(let real): real
        case .data(let data): data
        case .date(let date): date
        case .tree(let tree): try? PropertyListSerialization.propertyList(from: tree, format: nil)
        case .texts(let texts): texts
        }
    }

    private static func number(_ bytes: [UInt8]) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
