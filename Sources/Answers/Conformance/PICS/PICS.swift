package import AccessoryProtocol
import DeviceLink
import Promises
import Reports
package import Topologies

/// What the maker of a device claims that it does (the field's *protocol implementation conformance statement*,
/// ISO/IEC 9646-7).
///
/// What it does not claim and does not show does not bind it. What it shows binds it, claimed or not.
package struct PICS: Equatable {
    /// What reports call the device; nil for what its program is called.
    package private(set) var device: String?
    /// The parts that R4 leaves open, as far as something is said of them.
    private(set) var parts: [Part: Bool] = [:]
    /// How long it may take over an answer; nil where nothing is said.
    private(set) var answersWithin: Nanoseconds?
    /// The ids of its messages that R4 does not know; nil where nothing is said of them.
    private(set) var messages: Set<UInt8>?
    /// Services for messages of its own.
    package private(set) var services: [MessageService] = []
    /// Clauses and promises that are not claimed.
    private(set) var notClaimed: Set<String> = []

    /// How it speaks, as far as an app has to know.
    package var manner: AccessoryManner {
        AccessoryManner(asksFirst: parts[.asksFirst] ?? true, answersWithin: answersWithin)
    }

    /// Of a device of which nothing is said.
    package static let silent = PICS()

    /// The clauses that a clause's id or a section's names: those below it, too.
    package static func clauses(named name: String) -> [String] {
        ClauseTable.r4.map(\.id).filter {
            $0 == name || $0.hasPrefix(name + "-") || $0.hasPrefix(name + ".")
        }
    }

    /// The clauses that a clause's id or a section's names, or a promise by itself; nil for what names nothing.
    static func names(_ name: String) -> [String]? {
        let clauses = clauses(named: name)
        if !clauses.isEmpty { return clauses }
        return PromiseCatalogue.ids.contains(name) ? [name] : nil
    }
}
