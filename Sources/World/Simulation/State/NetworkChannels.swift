import Airs
import Basics

/// The agenda's channels for what the network has waiting.
struct NetworkChannels: Sendable {
    /// Looked up only.
    var open: [NetworkAir.Channel: Int] = [:]
    /// With what the labels of services and connections begin, by their places.
    private var services: [String] = []
    private var connections: [String] = []

    /// A place has a service.
    mutating func offer(_ place: Int, _ label: String) { services.keep(label, at: place) }

    /// A place has a connection.
    mutating func begin(_ place: Int, _ label: String) { connections.keep(label, at: place) }

    /// Closes those of a connection; what its hosts were told still reaches them.
    mutating func end(_ place: Int, in agenda: inout Agenda<Occurrence>) {
        close(.attempts(connection: place), in: &agenda)
        close(.keepAlive(connection: place), in: &agenda)
        for end in NetworkEndpoint.allCases {
            close(.retransmissions(connection: place, end), in: &agenda)
            for channel in NetworkAir.Channel.all(to: end, of: place) {
                guard let index = open.removeValue(forKey: channel) else { continue }
                agenda.retire(index)
            }
        }
    }

    /// Closes a channel that nothing reaches a device by.
    mutating func close(_ channel: NetworkAir.Channel, in agenda: inout Agenda<Occurrence>) {
        guard let index = open.removeValue(forKey: channel) else { return }
        agenda.close(index)
    }

    func label(of channel: NetworkAir.Channel, _ devices: [DeviceState]) -> String {
        switch channel {
        case .browsing(let device): String(joining: "services to ", devices[device].name)
        case .announcements(let place): services[place]
        case .attempts(let place): connections[place] + " attempts"
        case .keepAlive(let place): connections[place] + " keep-alive"
        case .retransmissions(let place, let end): connections[place] + " again from \(end)"
        case .toHost(let place, let end): connections[place] + " to \(end)"
        case .datagrams(let place, let end): connections[place] + " datagrams to \(end)"
        }
    }
}

extension [String] {
    /// Keeps a text at a place that is there, or the next one.
    fileprivate mutating func keep(_ text: String, at place: Int) {
        if place == count { append(text) } else { self[place] = text }
    }
}
