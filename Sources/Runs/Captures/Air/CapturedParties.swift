package import DeviceLink
package import Traces

/// Who takes part in a capture: a device of a trace for each host in each role, and for each address at the
/// other end of a link.
///
/// The central of a link is the phone, and its peripheral the accessory. A host that is the one on some links
/// and the other on others is two devices, because a device of a trace has one role.
struct CapturedParties: Sendable {
    /// Who is behind a device.
    enum Identity: Hashable, Sendable {
        /// The host at this place in the capture.
        case host(Int)
        /// Nobody whose packets the capture has.
        case peer(UInt64)
    }

    private struct Key: Hashable {
        let identity: Identity
        let role: DeviceRole
    }

    /// In the sequence in which they appeared.
    private(set) var all: [CapturedDevice] = []
    /// Looked up only.
    private var places: [Key: Int] = [:]
    /// How often each name was wanted; looked up only.
    private var names: [String: Int] = [:]

    /// The place of a device; nil where it has not appeared.
    func place(of identity: Identity, as role: DeviceRole) -> Int? {
        places[Key(identity: identity, role: role)]
    }

    /// Adds a device that has not appeared, by its own name where that can be one.
    mutating func add(
        _ identity: Identity, as role: DeviceRole, named own: String?, address: UInt64?,
        isHost: Bool
    ) -> Int {
        let usual = role == .accessory ? "accessory" : "phone"
        let wanted = own.flatMap { Self.isName($0) ? $0 : nil } ?? usual
        places[Key(identity: identity, role: role)] = all.count
        all.append(
            CapturedDevice(
                name: unique(wanted), role: role, address: address.map { Address($0) },
                isHost: isHost))
        return all.count - 1
    }

    private mutating func unique(_ wanted: String) -> String {
        names[wanted, default: 0] += 1
        guard let count = names[wanted], count > 1 else { return wanted }
        return unique("\(wanted)-\(count)")
    }

    /// What a topology takes as the name of a device.
    private static func isName(_ text: String) -> Bool {
        text.first?.isLetter == true && text.utf8.count <= 20 && text != "every"
            && text.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
            }
    }
}

/// A device that takes part in a capture.
package struct CapturedDevice: Equatable, Sendable {
    package let name: String
    package let role: DeviceRole
    /// Its Bluetooth address; nil where the capture does not say.
    package let address: Address?
    /// Whether the capture has what its host said and heard; all of another is inferred from what its links carried.
    package let isHost: Bool
}
