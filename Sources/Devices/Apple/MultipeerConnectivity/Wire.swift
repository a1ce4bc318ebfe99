import DeviceKit

/// What goes over a connection between two participants.
///
/// Apple publishes nothing of it; this is ours, and both ends of it are here.
enum Wire {
    /// The first byte of a message.
    enum Kind: UInt8 {
        /// An invitation: who invites, and the app's context.
        case invitation = 0
        case acceptance = 1
        case refusal = 2
        /// What an app sends.
        case data = 3
    }

    /// The service on the network of a type of an app's own.
    static func service(_ type: String, of identifier: String = "?") -> NetworkService {
        NetworkService(type: "_\(type)._tcp", name: identifier)
    }

    static func message(_ kind: Kind, _ bytes: [UInt8] = []) -> [UInt8] { [kind.rawValue] + bytes }

    /// An invitation: who sends it, each word ended by a zero, and the app's context behind a byte that says whether there is
    /// one.
    static func invitation(from peer: MCPeerID, context: Data?) -> [UInt8] {
        let head = Array("\(peer.identifier)\u{0}\(peer.displayName)\u{0}".utf8)
        return message(
            .invitation, head + [context == nil ? 0 : 1] + (context.map(Array.init) ?? []))
    }

    /// Who invites, and the app's context; nil for what is no invitation.
    static func inviter(in message: [UInt8]) -> (peer: MCPeerID, context: Data?)? {
        let parts = message.dropFirst().split(
            separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        guard message.first == Kind.invitation.rawValue, parts.count == 3,
            let hasContext = parts[2].first
        else { return nil }
        let peer = MCPeerID(
            String(decoding: parts[1], as: UTF8.self), String(decoding: parts[0], as: UTF8.self))
        return (peer, hasContext == 0 ? nil : Data(parts[2].dropFirst()))
    }

    /// What a browser finds with a service: the name for people, and what the app says of itself.
    static func record(_ peer: MCPeerID, _ info: [String: String]?) -> [UInt8] {
        let pairs = (info ?? [:]).sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        return Array(
            ([peer.displayName, info == nil ? "0" : "1"] + pairs).joined(separator: "\u{0}").utf8)
    }

    static func peer(
        in record: [UInt8], of identifier: String
    ) -> (peer: MCPeerID, info: [String: String]?)? {
        let parts = String(decoding: record, as: UTF8.self)
            .split(separator: "\u{0}", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2 else { return nil }
        var info: [String: String] = [:]
        for place in stride(from: 2, to: parts.count - 1, by: 2) {
            info[parts[place]] = parts[place + 1]
        }
        return (MCPeerID(parts[0], identifier), parts[1] == "0" ? nil : info)
    }

    /// Ends the program where a type of service may not be called so, as the framework does.
    static func demand(type: String) {
        precondition(
            isValid(type: type),
            "\(type) is no type of service: 1 to 15 lower-case letters, digits and hyphens")
    }

    /// Whether a type of service may be called so: 1 to 15 lower-case letters, digits and hyphens, a letter among them.
    private static func isValid(type: String) -> Bool {
        1...15 ~= type.utf8.count && type.contains { $0.isLetter }
            && type.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
            && !type.hasPrefix("-") && !type.hasSuffix("-") && !type.contains("--")
    }
}
