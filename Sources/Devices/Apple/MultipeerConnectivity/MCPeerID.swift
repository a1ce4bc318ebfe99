import Basics
import DeviceKit

/// One participant: a name for people, and something that tells it from others of the same name.
public final class MCPeerID: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The name that its maker gave: 1 to 63 bytes of UTF-8.
    public let displayName: String
    /// What the network knows it by.
    let identifier: String

    /// A participant of this device; another one each time, whatever the name.
    public convenience init(displayName: String) {
        precondition(
            1...63 ~= displayName.utf8.count, "a display name has 1 to 63 bytes of UTF-8")
        self.init(
            displayName, String(hexadecimalPairs: Context.current.random("peer-id").bytes(8)))
    }

    init(_ displayName: String, _ identifier: String) {
        (self.displayName, self.identifier) = (displayName, identifier)
    }

    // MARK: Copies

    public static var supportsSecureCoding: Bool { true }

    public convenience init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "displayName"),
            let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier")
        else { return nil }
        self.init("\(name)", "\(identifier)")
    }

    public func encode(with coder: NSCoder) {
        coder.encode(NSString(string: displayName), forKey: "displayName")
        coder.encode(NSString(string: identifier), forKey: "identifier")
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ other: Any?) -> Bool {
        (other as? MCPeerID)?.identifier == identifier
    }

    public override var hash: Int { Int(truncatingIfNeeded: Keyed(0).with(identifier).value) }

    public override var description: String { displayName }
}
