public import Foundation

/// Turns objects into data.
///
/// Ours, because Foundation's own gives empty data, without an error, where it is linked statically (Swift 6.3 on
/// Linux). What it writes only `NSKeyedUnarchiver` of this module reads.
public enum NSKeyedArchiver {
    /// The data of an object and of all that it encodes.
    ///
    /// - Throws: `CocoaError` where something cannot be encoded, or must not be because it is not secure.
    public static func archivedData(
        withRootObject object: Any, requiringSecureCoding isSecure: Bool
    ) throws -> Data {
        let node = try ArchiveCoder.node(of: object, isSecure: isSecure)
        return try JSONSerialization.data(withJSONObject: ["root": node], options: [.sortedKeys])
    }
}

/// Turns data into objects again.
public enum NSKeyedUnarchiver {
    /// The object of one class in an archive.
    ///
    /// - Throws: `CocoaError` where it is no archive, or has an object of another class.
    public static func unarchivedObject<Object: NSObject & NSCoding>(
        ofClass type: Object.Type, from data: Data
    ) throws -> Object? {
        try unarchivedObject(ofClasses: [type], from: data) as? Object
    }

    /// The object of one of some classes in an archive.
    public static func unarchivedObject(ofClasses classes: [AnyClass], from data: Data) throws
        -> Any?
    {
        guard let file = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let node = file["root"] as? [String: Any]
        else { throw CocoaError(.coderReadCorrupt) }
        guard let object = ArchiveCoder.object(in: node, of: classes) else {
            throw CocoaError(.coderValueNotFound)
        }
        return object
    }
}

/// What an object of an archive encodes itself with, and decodes itself from.
private final class ArchiveCoder: NSCoder {
    private var values: [String: Any] = [:]
    private let isSecure: Bool
    private var failure: (any Error)?

    init(isSecure: Bool, values: [String: Any] = [:]) {
        self.isSecure = isSecure
        self.values = values
    }

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { isSecure }
    override func containsValue(forKey key: String) -> Bool { values[key] != nil }

    // MARK: Writing

    /// An object as JSON: what it is, and its value or what it encodes.
    static func node(of object: Any, isSecure: Bool) throws -> [String: Any] {
        switch object {
        case let data as NSData:
            return ["is": "data", "value": (data as Data).base64EncodedString()]
        case let data as Data: return ["is": "data", "value": data.base64EncodedString()]
        case let text as String: return ["is": "text", "value": text]
        case let text as NSString: return ["is": "text", "value": "\(text)"]
        case let number as NSNumber: return ["is": "number", "value": number]
        case let list as [Any]:
            return ["is": "list", "value": try list.map { try node(of: $0, isSecure: isSecure) }]
        case let pairs as [String: Any]:
            return [
                "is": "pairs",
                "value": try pairs.mapValues { try node(of: $0, isSecure: isSecure) },
            ]
        case let object as any NSObject & NSCoding:
            guard !isSecure || object is any NSSecureCoding else {
                throw CocoaError(.coderReadCorrupt)
            }
            let coder = ArchiveCoder(isSecure: isSecure)
            object.encode(with: coder)
            if let failure = coder.failure { throw failure }
            return ["is": name(of: type(of: object)), "value": coder.values]
        default: throw CocoaError(.coderReadCorrupt)
        }
    }

    private static func name(of type: AnyClass) -> String { "class \(String(reflecting: type))" }

    override func encode(_ object: Any?, forKey key: String) {
        guard let object else { return }
        do { values[key] = try Self.node(of: object, isSecure: isSecure) } catch {
            failure = failure ?? error
        }
    }

    override func encode(_ value: Bool, forKey key: String) { values[key] = value }
    override func encode(_ value: Int, forKey key: String) { values[key] = value }
    override func encode(_ value: Int32, forKey key: String) { values[key] = Int(value) }
    override func encode(_ value: Int64, forKey key: String) { values[key] = Int(value) }
    override func encode(_ value: Float, forKey key: String) { values[key] = Double(value) }
    override func encode(_ value: Double, forKey key: String) { values[key] = value }

    // MARK: Reading

    static func object(in node: [String: Any], of classes: [AnyClass]) -> Any? {
        guard let kind = node["is"] as? String, let value = node["value"] else { return nil }
        func isWanted(_ type: AnyClass) -> Bool { classes.contains { $0 == type } }
        switch kind {
        case "data":
            guard isWanted(NSData.self), let text = value as? String,
                let data = Data(base64Encoded: text)
            else { return nil }
            return NSData(data: data)
        case "text":
            guard isWanted(NSString.self), let text = value as? String else { return nil }
            return NSString(string: text)
        case "number": return isWanted(NSNumber.self) ? value as? NSNumber : nil
        case "list":
            guard isWanted(NSArray.self), let nodes = value as? [[String: Any]] else { return nil }
            let objects = nodes.compactMap { object(in: $0, of: classes) }
            return objects.count == nodes.count ? NSArray(array: objects) : nil
        case "pairs":
            guard isWanted(NSDictionary.self), let nodes = value as? [String: [String: Any]] else {
                return nil
            }
            let objects = nodes.compactMapValues { object(in: $0, of: classes) }
            return objects.count == nodes.count ? NSDictionary(dictionary: objects) : nil
        default:
            guard let type = classes.first(where: { name(of: $0) == kind }) as? any NSCoding.Type,
                let values = value as? [String: Any]
            else { return nil }
            return type.init(coder: ArchiveCoder(isSecure: true, values: values))
        }
    }

    override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        guard let node = values[key] as? [String: Any] else { return nil }
        return Self.object(in: node, of: classes ?? [])
    }

    override func decodeObject<Object>(of type: Object.Type, forKey key: String) -> Object?
    where Object: NSObject, Object: NSCoding {
        decodeObject(of: [type], forKey: key) as? Object
    }

    override func decodeBool(forKey key: String) -> Bool { values[key] as? Bool ?? false }
    override func decodeInteger(forKey key: String) -> Int { values[key] as? Int ?? 0 }
    override func decodeInt32(forKey key: String) -> Int32 {
        Int32(clamping: decodeInteger(forKey: key))
    }
    override func decodeInt64(forKey key: String) -> Int64 { Int64(decodeInteger(forKey: key)) }
    override func decodeFloat(forKey key: String) -> Float { Float(decodeDouble(forKey: key)) }
    override func decodeDouble(forKey key: String) -> Double { values[key] as? Double ?? 0 }
}
