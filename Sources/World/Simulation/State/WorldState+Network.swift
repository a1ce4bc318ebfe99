import Airs
import DeviceLink
import Observer

/// What the network asks for, done.
extension WorldState {
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

    mutating func perform(_ event: NetworkAir.Event) {
        network.handle(event, in: surroundings, drawing: &decisions)
        doWhatNetworkAsks()
    }

    /// A process died, and with it all that it had on the network.
    mutating func leaveNetwork(_ device: Int) {
        network.processDied(of: device, isTold: devices[device].spec.hasSystem, in: surroundings)
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
            fields: surroundings.fields(ofLink: handle.link, to: handle.peer) + fields)
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
        case .offer(let place, let label): networkChannels.offer(place, label)
        case .drop(let place): networkChannels.close(.announcements(service: place), in: &agenda)
        case .begin(let place, let label): networkChannels.begin(place, label)
        case .connect(let place): connect(place)
        case .end(let place): networkChannels.end(place, in: &agenda)
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

    /// The agenda's channel, which is opened when something waits there for the first time.
    private mutating func index(
        of channel: NetworkAir.Channel, reaching device: Int? = nil, from peer: Int? = nil
    ) -> Int {
        if let index = networkChannels.open[channel] { return index }
        let index = agenda.open(networkChannels.label(of: channel, devices), device: device)
        networkChannels.open[channel] = index
        if let device, let peer, ways.conditions(from: peer, to: device).isHeld,
            channel != .browsing(device: device)
        {
            hold(index, from: peer, to: device)
        }
        return index
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
