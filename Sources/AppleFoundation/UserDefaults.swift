public import FoundationEssentials

/// The app's settings.
///
/// They survive the app's and the device's death.
public final class UserDefaults: Sendable {
    /// The settings of the app of the device whose turn it is.
    public static let standard = UserDefaults()

    private init() {}

    /// Sets a value: text, whole or real number, truth value, data, or a list of texts; nil removes it.
    public func set(_ value: Any?, forKey key: String) {
        guard let value else { return removeObject(forKey: key) }
        guard let setting = Setting(value) else {
            preconditionFailure("UserDefaults cannot hold a \(type(of: value)) (key '\(key)')")
        }
        AppRuntime.current.set(setting.bytes, for: key)
    }

    public func removeObject(forKey key: String) {
        if setting(key) != nil { AppRuntime.current.set(nil, for: key) }
    }

    /// A value, where there is one.
    public func object(forKey key: String) -> Any? { setting(key)?.value }

    /// A text, where there is one.
    public func string(forKey key: String) -> String? { object(forKey: key) as? String }

    /// Data, where there is some.
    public func data(forKey key: String) -> Data? { object(forKey: key) as? Data }

    /// A list of texts, where there is one.
    public func stringArray(forKey key: String) -> [String]? { object(forKey: key) as? [String] }

    /// A whole number; 0 where there is none.
    public func integer(forKey key: String) -> Int { object(forKey: key) as? Int ?? 0 }

    /// A real number; 0 where there is none.
    public func double(forKey key: String) -> Double { object(forKey: key) as? Double ?? 0 }

    /// A truth value; false where there is none.
    public func bool(forKey key: String) -> Bool { object(forKey: key) as? Bool ?? false }

    private func setting(_ key: String) -> Setting? {
        AppRuntime.current.setting(key).flatMap(Setting.init(bytes:))
    }
}

/// A value and its bytes: a letter for the type, then the value, numbers little endian.
private enum Setting {
    case text(String)
    case whole(Int64)
    case real(Double)
    case truth(Bool)
    case data([UInt8])
    case texts([String])

    init?(_ value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let truth as Bool: self = .truth(truth)
        case let whole as any BinaryInteger: self = .whole(Int64(clamping: whole))
        case let real as Double: self = .real(real)
        case let real as Float: self = .real(Double(real))
        case let data as Data: self = .data(Array(data))
        case let texts as [String]: self = .texts(texts)
        default: return nil
        }
    }

    init?(bytes: [UInt8]) {
        let rest = Array(bytes.dropFirst())
        switch bytes.first {
        case UInt8(ascii: "s"): self = .text(String(decoding: rest, as: UTF8.self))
        case UInt8(ascii: "b"): self = .truth(rest == [1])
        case UInt8(ascii: "i"): self = .whole(Int64(bitPattern: Self.number(rest)))
        case UInt8(ascii: "r"): self = .real(Double(bitPattern: Self.number(rest)))
        case UInt8(ascii: "d"): self = .data(rest)
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
        case .texts(let texts): [UInt8(ascii: "l")] + texts.flatMap { Array($0.utf8) + [0] }
        }
    }

    var value: Any {
        switch self {
        case .text(let text): text
        case .truth(let truth): truth
        case .whole(let whole): Int(whole)
        case .real(let real): real
        case .data(let data): Data(data)
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
