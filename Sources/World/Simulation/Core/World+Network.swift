internal import Airs
internal import Basics
internal import DeviceLink
internal import Observer

/// The agenda's channels for what the network has waiting.
struct NetworkChannels: Sendable {
    /// Looked up only.
    var open: [NetworkAir.Channel: Int] = [:]
    /// With what the labels of services and connections begin, by their places.
    var services: [String] = []
    var connections: [String] = []
}

/// What the network asks for, done.
extension World {
    /// Lets a request to the network take effect.
    ///
    /// - Throws: `Breach` where the device would have more of something than it may.
    mutating func perform(_ command: NetworkCommand, of device: Int) throws(Breach) {
        // What came before the breach has happened.
        defer { doWhatNetworkAsks() }
        guard case .send(let number, let isReliable, let bytes) = command,
            let handle = network.handle(number, of: device)
        else {
            return try network.perform(
                command, of: device, in: surroundings, drawing: &decisions)
        }
        let carried = spoil(bytes, of: device, on: handle)
        observer.message(
            carried.bytes, link: handle.link, at: devices[device].name, phase: .sent,
            isReliable: isReliable, isSpoilt: carried.isSpoilt, into: &seen)
        emitSeen(on: device)
        try network.perform(
            .send(connection: number, isReliable: isReliable, carried.bytes), of: device,
            in: surroundings, drawing: &decisions)
    }

    /// Something happens on the network.
    mutating func perform(_ event: NetworkAir.Event) {
        network.handle(event, in: surroundings, drawing: &decisions)
        doWhatNetworkAsks()
    }

    /// A process died, and with it all that it had on the network.
    mutating func leaveNetwork(_ device: Int) {
        network.processDied(
            of: device, isTold: devices[device].spec.hasSystem, in: surroundings)
        doWhatNetworkAsks()
    }

    /// Ends the connections between two devices; says whether there were any.
    mutating func endConnections(between first: Int, and second: Int) -> Bool {
        let places = network.places(between: first, and: second)
        for place in places { network.end(place, .reset, in: surroundings) }
        doWhatNetworkAsks()
        return !places.isEmpty
    }

    /// Holds everything that the second device's host is told of its connections to the first.
    mutating func holdNetwork(from first: Int, to second: Int) {
        for place in network.places(between: first, and: second) {
            for end in NetworkEndpoint.allCases
            where network.connections[place]?.device(end) == second {
                for channel in NetworkAir.Channel.all(to: end, of: place) {
                    guard let index = networkChannels.open[channel] else { continue }
                    hold(index, from: first, to: second)
                }
            }
        }
    }

    /// What the trace shows of the network's event when its host gets it.
    mutating func noteDelivery(of event: NetworkEvent, to device: Int) {
        switch event {
        case .found, .lost: break
        case .opened(let number, _, _):
            let isApp = network.handle(number, of: device).map {
                observer.isApp(devices[device].name, link: $0.link)
            }
            note(
                .linkUp, number, of: device,
                [
                    Field("role", .text(isApp == false ? "peripheral" : "central")),
                    Field("interval", .number(Int64(topology.air.networkDelay.upperBound))),
                    Field("latency", .number(0)),
                    Field("timeout", .number(Int64(topology.air.networkTimeout))), .network,
                ])
        case .closed(let number, let end):
            if network.handle(number, of: device) == nil {
                emit(.networkFailed, on: device, fields: [Field("reason", .text(end.word))])
            } else {
                note(.linkDown, number, of: device, [Field("reason", .number(end.reason))])
            }
            network.forgetHandle(number, of: device)
        case .received(let number, let bytes):
            guard let handle = network.handle(number, of: device) else { return }
            observer.message(
                bytes, link: handle.link, at: devices[device].name, phase: .received,
                into: &seen)
            emitSeen(on: device)
        }
    }

    private mutating func note(
        _ kind: EventKind, _ number: UInt32, of device: Int, _ fields: [Field]
    ) {
        guard let handle = network.handle(number, of: device) else { return }
        emit(
            kind, on: device,
            fields: [
                Field("link", .number(Int64(handle.link))),
                Field("peer", .text(devices[handle.peer].name)),
            ] + fields)
    }

    private mutating func doWhatNetworkAsks() {
        while network.hasEffects { perform(network.takeEffect()) }
    }

    private mutating func perform(_ effect: consuming NetworkAir.Effect) {
        switch consume effect {
        case .trace(let kind, let device, let fields): emit(kind, on: device, fields: fields)
        case .schedule(let event, let channel, let moment):
            agenda.add(
                .network(event), to: index(of: channel), earliest: moment, latest: moment)
        case .cancel(let channel):
            if let index = networkChannels.open[channel] { agenda.removeAll(in: index) }
        case .tell(let event, let device, let peer, let channel, let earliest, let latest):
            deliver(
                .network(event), to: device, in: index(of: channel, reaching: device, from: peer),
                earliest: earliest, latest: latest)
        case .offer(let place, let label): networkChannels.services.keep(label, at: place)
        case .drop(let place): retire(.announcements(service: place))
        case .begin(let place, let label): networkChannels.connections.keep(label, at: place)
        case .connect(let place): connect(place)
        case .end(let place): closeConnection(place)
        }
    }

    private mutating func connect(_ place: Int) {
        let link = bluetooth.takeLinkNumber()
        guard let connection = network.connections[place], let acceptor = connection.acceptor
        else { return }
        let (opener, other) = (devices[connection.opener], devices[acceptor])
        // What an accessory says are its messages, whoever has opened the connection.
        let (app, accessory) = opener.role == .accessory ? (other, opener) : (opener, other)
        observer.connectionUp(
            link: link, app: app.name, accessory: accessory.name,
            carriesMessages: app.role == .appleDevice && accessory.role == .accessory)
        network.connect(place, as: link, in: surroundings)
    }

    private mutating func closeConnection(_ place: Int) {
        retire(.attempts(connection: place))
        retire(.keepAlive(connection: place))
        for end in NetworkEndpoint.allCases {
            retire(.retransmissions(connection: place, end))
            for channel in NetworkAir.Channel.all(to: end, of: place) {
                guard let index = networkChannels.open.removeValue(forKey: channel) else {
                    continue
                }
                agenda.retire(index)
            }
        }
    }

    /// Closes a channel that nothing reaches a device by.
    private mutating func retire(_ channel: NetworkAir.Channel) {
        guard let index = networkChannels.open.removeValue(forKey: channel) else { return }
        agenda.close(index)
    }

    /// The agenda's channel, which is opened when something waits there for the first time.
    private mutating func index(
        of channel: NetworkAir.Channel, reaching device: Int? = nil, from peer: Int? = nil
    ) -> Int {
        if let index = networkChannels.open[channel] { return index }
        let index = agenda.open(label(of: channel), device: device)
        networkChannels.open[channel] = index
        if let device, let peer, ways.conditions(from: peer, to: device).isHeld,
            channel != .browsing(device: device)
        {
            hold(index, from: peer, to: device)
        }
        return index
    }

    private func label(of channel: NetworkAir.Channel) -> String {
        switch channel {
        case .browsing(let device): String(joining: "services to ", devices[device].name)
        case .announcements(let place): networkChannels.services[place]
        case .attempts(let place): networkChannels.connections[place] + " attempts"
        case .keepAlive(let place): networkChannels.connections[place] + " keep-alive"
        case .retransmissions(let place, let end):
            networkChannels.connections[place] + " again from \(end)"
        case .toHost(let place, let end): networkChannels.connections[place] + " to \(end)"
        case .datagrams(let place, let end):
            networkChannels.connections[place] + " datagrams to \(end)"
        }
    }
}

extension [String] {
    /// Keeps a text at a place that is there, or the next one.
    fileprivate mutating func keep(_ text: String, at place: Int) {
        if place == count { append(text) } else { self[place] = text }
    }
}

extension NetworkEnd {
    /// A word for the trace.
    fileprivate var word: String {
        switch self {
        case .closed: "closed"
        case .refused: "refused"
        case .timedOut: "timed out"
        case .reset: "reset"
        }
    }
}
