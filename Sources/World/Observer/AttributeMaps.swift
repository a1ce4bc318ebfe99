import AccessoryProtocol
import Basics

/// What is known of the attributes of all accessories.
struct AttributeMaps: Sendable {
    /// Services for messages besides those that everybody knows.
    private let services: [MessageService]
    /// One map for each incarnation of an accessory.
    private var maps: [AttributeMap] = []
    /// The places of maps by name and incarnation; looked up only.
    private var places: [String: Int] = [:]
    /// The places of the maps that each pair learnt something for, the latest first; looked up only.
    private var keptPlaces: [String: [Int]] = [:]

    init(services: [MessageService]) { self.services = services }

    subscript(place: Int) -> AttributeMap {
        _read { yield maps[place] }
        _modify { yield &maps[place] }
    }

    /// The place of the map of an accessory's incarnation.
    mutating func place(of accessory: String, _ incarnation: UInt32) -> Int {
        let name = String(joining: accessory, "/", String(incarnation))
        if let place = places[name] { return place }
        maps.append(AttributeMap(services: services))
        places[name] = maps.count - 1
        return maps.count - 1
    }

    /// The places of the maps that a bonded phone may still go by, the latest first.
    ///
    /// All of them: a phone that keeps services may have looked at no more than a hash since, and nobody
    /// sees what it has thrown away.
    func kept(by central: String, of peripheral: String) -> [Int] {
        keptPlaces[String(joining: central, " ", peripheral)] ?? []
    }

    /// A link's central has learnt something of its accessory.
    mutating func keep(_ link: ObservedLink) {
        let pair = String(joining: link.central, " ", link.peripheral)
        var places = keptPlaces[pair] ?? []
        guard places.first != link.map else { return }
        places.removeAll { $0 == link.map }
        keptPlaces[pair] = [link.map] + places
    }

    /// The accessory of a map has sent a PDU on a link: configuration data opens the session of that link,
    /// and `accessoryUwbDidStop` ends it.
    mutating func noteSessions(after pdu: ObservedPDU, ofLink link: Int, at map: Int) {
        for case .message(let message) in pdu.meanings {
            if message.id == .accessoryConfigurationData {
                maps[map].announcements += 1
                if !maps[map].openLinks.contains(link) { maps[map].openLinks.append(link) }
            } else if message.id == .accessoryUwbDidStop {
                endSession(ofLink: link, at: map)
            }
        }
    }

    /// The session of a link is over.
    mutating func endSession(ofLink link: Int, at map: Int) {
        maps[map].openLinks.removeAll { $0 == link }
    }

    /// What a handle of a link's accessory stands for; nil where its discovery was never seen.
    func role(of handle: UInt16, on link: ObservedLink) -> AttributeMap.Role? {
        lookUp(on: link) { $0.role(of: handle) }
    }

    /// What is known of a link's accessory, else what its bonded phone has kept of it.
    func lookUp<Known>(on link: ObservedLink, _ find: (AttributeMap) -> Known?) -> Known? {
        if let known = find(maps[link.map]) { return known }
        for place in link.keptMaps {
            if let known = find(maps[place]) { return known }
        }
        return nil
    }
}
