import Basics
import Choices
package import DeviceLink

/// A connection, or the wish for one.
package struct NetworkAirConnection: Sendable {
    /// What is sent reliably.
    enum Segment: Sendable {
        case message([UInt8])
        /// Nothing follows.
        case end
    }

    let service: NetworkService
    let owner: Decisions.Owner
    package let opener: Int
    /// Who offers the service, as far as that is known.
    package var acceptor: Int?
    /// The number that each host knows it by.
    var numbers: Ends<UInt32>
    /// Its number among all links of the run; 0 until it is there.
    var link = 0
    /// The first attempt, or the last moment at which both ends heard one another.
    var lastGood: UInt64
    var attempts: UInt64 = 0
    /// What each end has still to send, the first one first.
    var segments = Ends(both: [Segment]())
    /// How often each end has sent anything, also in vain.
    var transmissions = Ends(both: UInt64(0))
    /// How often the first one was lost.
    var losses = Ends(both: UInt64(0))
    /// Whether an end waits to send again.
    var isWaiting = Ends(both: false)
    /// Ends that have closed it.
    var isClosed = Ends(both: false)
    /// Ends whose program is gone.
    var isGone = Ends(both: false)

    package func device(_ end: NetworkEndpoint) -> Int? { end == .opener ? opener : acceptor }

    /// The end that a host knows by this number; nil where it is none of its.
    func end(of device: Int, _ number: UInt32) -> NetworkEndpoint? {
        if device == opener, numbers[.opener] == number { return .opener }
        return device == acceptor && numbers[.acceptor] == number ? .acceptor : nil
    }
}

/// What the number of a connection stands for at a host, until that knows of its end.
package struct NetworkHandle: Sendable {
    let device: Int
    let number: UInt32
    package let link: Int
    package let peer: Int
}

// How connections come about.
extension NetworkAir {
    mutating func open(
        _ number: UInt32, to service: NetworkService, of device: Int, in surroundings: Surroundings
    ) throws(Breach) {
        let own = connections.count { $0?.opener == device || $0?.acceptor == device }
        guard own < LinkLimits.networkConnections else {
            throw .oneMore(than: LinkLimits.networkConnections, "connections")
        }
        guard connection(number, of: device) == nil else {
            throw Breach(
                at: 0, expected: "a number that no connection of the device has",
                found: "\(number) again")
        }
        let offerer = offering(service, to: device).first?.device ?? offerers[service]
        let peer = offerer.map { Field("peer", .text(surroundings.name(of: $0))) }
        outbox.append(
            .trace(
                .airConnecting, device: device,
                (peer.map { [$0] } ?? []) + [.network] + service.fields))
        let pair = String(joining: surroundings.life(of: device), " to ", service.name)
        counts[pair, default: 0] += 1
        let label = String(joining: "connection ", pair, " ", String(counts[pair, default: 0]))
        var numbers = Ends(both: UInt32(0))
        numbers[.opener] = number
        let new = NetworkAirConnection(
            service: service, owner: Decisions.Owner(label), opener: device, numbers: numbers,
            lastGood: surroundings.now)
        let place = connections.firstIndex { $0 == nil } ?? connections.count
        if place == connections.count { connections.append(new) } else { connections[place] = new }
        outbox.append(.begin(connection: place, label: label))
        outbox.append(
            .schedule(
                .attempt(connection: place), in: .attempts(connection: place),
                at: surroundings.now))
    }

    mutating func attempt(
        _ place: Int, in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        guard var connection = connections[place] else { return }
        let offering = offering(connection.service, to: connection.opener)
        connection.acceptor = offering.first?.device ?? offerers[connection.service]
        connection.attempts += 1
        connections[place] = connection
        let isReached =
            connection.acceptor.map {
                surroundings.answers($0) && surroundings.canHear(connection.opener, $0)
                    && !isLost(
                        from: connection.opener, to: $0, connection.owner, 3 * connection.attempts,
                        in: surroundings, drawing: &decisions)
            } ?? false
        if isReached, offering.first?.isOffered == true {
            return outbox.append(.connect(connection: place))
        }
        if isReached { return fail(place, .refused, in: surroundings) }
        if surroundings.now - connection.lastGood >= air.networkTimeout {
            return fail(place, .timedOut, in: surroundings)
        }
        outbox.append(
            .schedule(
                .attempt(connection: place), in: .attempts(connection: place),
                at: surroundings.now + Self.attemptInterval))
    }

    /// Who offers a service, those first who still do.
    private func offering(_ service: NetworkService, to device: Int) -> [Service] {
        let all = services.compactMap { $0 }.filter {
            $0.service == service && $0.device != device
        }
        return all.filter(\.isOffered) + all.filter { !$0.isOffered }
    }

    private mutating func fail(_ place: Int, _ end: NetworkEnd, in surroundings: Surroundings) {
        guard let connection = connections[place] else { return }
        tell(
            .closed(connection: connection.numbers[.opener], end), place, .opener, in: surroundings)
        finish(place, end, in: surroundings)
    }

    /// A connection is there, and has the number of a link.
    package mutating func connect(_ place: Int, as link: Int, in surroundings: Surroundings) {
        guard var connection = connections[place], let acceptor = connection.acceptor else {
            return
        }
        accepted[acceptor] = max(accepted[acceptor] &+ 1, 0x8000_0000)
        connection.numbers[.acceptor] = accepted[acceptor]
        connection.link = link
        connection.lastGood = surroundings.now
        connections[place] = connection
        outbox.append(
            .trace(
                .airConnected, device: connection.opener,
                surroundings.fields(ofLink: link, to: acceptor) + [.network]))
        for end in NetworkEndpoint.allCases {
            guard let device = connection.device(end), let peer = connection.device(end.other)
            else { continue }
            let number = connection.numbers[end]
            handles.append(NetworkHandle(device: device, number: number, link: link, peer: peer))
            tell(
                .opened(
                    connection: number, connection.service, host: surroundings.name(of: peer)),
                place, end, in: surroundings)
        }
        planKeepAlive(place, at: surroundings.now)
    }

    private mutating func planKeepAlive(_ place: Int, at now: UInt64) {
        outbox.append(
            .schedule(
                .keepAlive(connection: place), in: .keepAlive(connection: place),
                at: now + air.networkTimeout / 4))
    }
}

// What connections carry.
extension NetworkAir {
    /// The place of a connection that is there, and the end that a host has of it; nil for one that it does not have.
    func connection(_ number: UInt32, of device: Int) -> (place: Int, end: NetworkEndpoint)? {
        for place in connections.indices {
            guard let connection = connections[place],
                let end = connection.end(of: device, number), !connection.isClosed[end],
                !connection.isGone[end]
            else { continue }
            return (place, end)
        }
        return nil
    }

    mutating func send(
        _ bytes: [UInt8], isReliable: Bool, on number: UInt32, of device: Int,
        in surroundings: Surroundings, drawing decisions: inout Decisions
    ) throws(Breach) {
        guard let (place, end) = connection(number, of: device),
            let connection = connections[place], connection.link != 0
        else { return }
        guard isReliable else {
            return sendOnce(bytes, place, from: end, in: surroundings, drawing: &decisions)
        }
        guard connection.segments[end].count < LinkLimits.networkMessages else {
            throw Breach(
                at: 0,
                expected: "at most \(LinkLimits.networkMessages) messages under way on one",
                found: "one more on connection \(number)")
        }
        connections[place]?.segments[end].append(.message(bytes))
        transmit(place, from: end, in: surroundings, drawing: &decisions)
    }

    private mutating func sendOnce(
        _ bytes: [UInt8], _ place: Int, from end: NetworkEndpoint, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) {
        guard let connection = connections[place],
            isCarried(place, from: end, in: surroundings, drawing: &decisions)
        else { return }
        tell(
            .received(connection: connection.numbers[end.other], bytes), place, end.other,
            isDatagram: true, in: surroundings)
    }

    /// Sends what an end has to send reliably until something is lost.
    mutating func transmit(
        _ place: Int, from end: NetworkEndpoint, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) {
        while let connection = connections[place], let first = connection.segments[end].first,
            !connection.isWaiting[end]
        {
            guard isCarried(place, from: end, in: surroundings, drawing: &decisions) else {
                return retransmit(place, from: end, at: surroundings.now)
            }
            connections[place]?.losses[end] = 0
            connections[place]?.lastGood = surroundings.now
            connections[place]?.segments[end].removeFirst()
            if connection.isGone[end.other] {
                return self.end(place, .reset, in: surroundings)
            }
            let number = connection.numbers[end.other]
            switch first {
            case .message(let bytes):
                tell(
                    .received(connection: number, bytes), place, end.other, in: surroundings)
            case .end:
                tell(.closed(connection: number, .closed), place, end.other, in: surroundings)
                return finish(place, .closed, in: surroundings)
            }
        }
    }

    private mutating func retransmit(_ place: Int, from end: NetworkEndpoint, at now: UInt64) {
        guard let losses = connections[place]?.losses[end] else { return }
        connections[place]?.losses[end] = losses + 1
        connections[place]?.isWaiting[end] = true
        let wait = min(Self.firstRetransmission << min(losses, 8), Self.longestRetransmission)
        outbox.append(
            .schedule(
                .retransmission(connection: place, end),
                in: .retransmissions(connection: place, end), at: now + wait))
    }

    /// Whether what an end sends now reaches the other one's device.
    private mutating func isCarried(
        _ place: Int, from end: NetworkEndpoint, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) -> Bool {
        guard let connection = connections[place], let from = connection.device(end),
            let to = connection.device(end.other)
        else { return false }
        connections[place]?.transmissions[end] += 1
        // Attempts and each end draw with numbers of their own.
        let ordinal = 3 * connection.transmissions[end] + (end == .opener ? 1 : 2)
        return !connection.isGone[end] && surroundings.answers(to)
            && !surroundings.conditions(from: from, to: to).isPartitioned
            && !isLost(
                from: from, to: to, connection.owner, ordinal, in: surroundings,
                drawing: &decisions)
    }

    mutating func tell(
        _ event: NetworkEvent, _ place: Int, _ end: NetworkEndpoint, isDatagram: Bool = false,
        in surroundings: Surroundings
    ) {
        guard let connection = connections[place], let device = connection.device(end),
            !connection.isClosed[end], !connection.isGone[end], surroundings.isAlive(device)
        else { return }
        let peer = connection.device(end.other) ?? device
        let window = window(from: peer, to: device, in: surroundings)
        outbox.append(
            .tell(
                event, device: device, of: peer,
                in: isDatagram
                    ? .datagrams(connection: place, end) : .toHost(connection: place, end),
                earliest: window.earliest, latest: window.latest))
    }
}

// How connections end.
extension NetworkAir {
    mutating func close(
        _ number: UInt32, of device: Int, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) {
        guard let (place, end) = connection(number, of: device),
            let connection = connections[place]
        else { return }
        for channel in Channel.all(to: end, of: place) { outbox.append(.cancel(channel)) }
        guard connection.link != 0 else { return finish(place, .closed, in: surroundings) }
        if let handle = handle(number, of: device) {
            let about = surroundings.fields(ofLink: handle.link, to: handle.peer)
            for (kind, reason) in [(EventKind.airDisconnecting, 0x13), (.linkDown, 0x16)] {
                let reason = Field("reason", .number(Int64(reason)))
                outbox.append(.trace(kind, device: device, about + [reason]))
            }
        }
        forgetHandle(number, of: device)
        connections[place]?.isClosed[end] = true
        connections[place]?.segments[end].append(.end)
        transmit(place, from: end, in: surroundings, drawing: &decisions)
    }

    /// The ends look whether the other one is still there.
    mutating func keepAlive(_ place: Int, in surroundings: Surroundings) {
        guard let connection = connections[place], let acceptor = connection.acceptor else {
            return
        }
        let ends = NetworkEndpoint.allCases
        let areThere = ends.allSatisfy { connection.device($0).map(surroundings.answers) ?? false }
        let isReached =
            areThere && surroundings.canHear(connection.opener, acceptor)
            && ![(connection.opener, acceptor), (acceptor, connection.opener)].contains {
                surroundings.conditions(from: $0.0, to: $0.1).networkLoss.isCertain
            }
        if isReached {
            connections[place]?.lastGood = surroundings.now
            if ends.contains(where: { connection.isGone[$0] }) {
                return end(place, .reset, in: surroundings)
            }
        } else if surroundings.now - connection.lastGood >= air.networkTimeout {
            return end(place, .timedOut, in: surroundings)
        }
        planKeepAlive(place, at: surroundings.now)
    }

    /// A connection ends for both who do not know it yet.
    package mutating func end(_ place: Int, _ reason: NetworkEnd, in surroundings: Surroundings) {
        guard let connection = connections[place] else { return }
        for end in NetworkEndpoint.allCases {
            tell(
                .closed(connection: connection.numbers[end], reason), place, end, in: surroundings)
        }
        finish(place, reason, in: surroundings)
    }

    package func places(between first: Int, and second: Int) -> [Int] {
        connections.indices.filter { place in
            guard let connection = connections[place], connection.link != 0,
                let acceptor = connection.acceptor
            else { return false }
            return [first, second] == [connection.opener, acceptor]
                || [second, first] == [connection.opener, acceptor]
        }
    }

    /// The program of a device is gone with all its connections.
    mutating func leaveAll(of device: Int, isTold: Bool, in surroundings: Surroundings) {
        handles.removeAll { $0.device == device }
        for place in connections.indices {
            guard let connection = connections[place] else { continue }
            for end in NetworkEndpoint.allCases
            where connection.device(end) == device && !connection.isGone[end] {
                guard connection.link != 0 || end == .acceptor else {
                    finish(place, .reset, in: surroundings)
                    continue
                }
                guard connection.link != 0 else { continue }
                connections[place]?.isGone[end] = true
                let peer = connection.device(end.other) ?? device
                if connection.isGone[end.other] || connection.isClosed[end.other] {
                    finish(place, .reset, in: surroundings)
                } else if isTold, surroundings.canHear(device, peer) {
                    self.end(place, .reset, in: surroundings)
                }
            }
        }
    }

    private mutating func finish(
        _ place: Int, _ reason: NetworkEnd, in surroundings: Surroundings
    ) {
        if let connection = connections[place], connection.link != 0,
            let acceptor = connection.acceptor
        {
            outbox.append(
                .trace(
                    .airDisconnected, device: connection.opener,
                    surroundings.fields(ofLink: connection.link, to: acceptor)
                        + [Field("reason", .number(reason.reason))]))
        }
        outbox.append(.end(connection: place))
        connections[place] = nil
    }

    /// What a number stands for at a host; nil for nothing.
    package func handle(_ number: UInt32, of device: Int) -> NetworkHandle? {
        handles.first { $0.device == device && $0.number == number }
    }

    package mutating func forgetHandle(_ number: UInt32, of device: Int) {
        handles.removeAll { $0.device == device && $0.number == number }
    }
}

extension NetworkEnd {
    /// The reason of HCI that says the same of a Bluetooth link (Core Specification Vol 1 Part F 2).
    package var reason: Int64 {
        switch self {
        case .closed, .refused: 0x13
        case .timedOut: 0x08
        case .reset: 0x15
        }
    }
}
