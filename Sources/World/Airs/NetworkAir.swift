import Basics
package import Choices
package import DeviceLink
package import Scenarios

/// The network on which apps reach one another: what is offered there, who looks for it, and the connections.
///
/// It has no radio of its own: who is in whose reach is what the topology says by its partitions. Like the other airs
/// it knows of the run what it is handed, and answers with effects.
package struct NetworkAir: Sendable {
    /// What happens by itself at its moment.
    package enum Event: Equatable, Sendable {
        /// A service is announced to all who browse for its type.
        case announcement(service: Int)
        /// Somebody tries to reach the service of a connection.
        case attempt(connection: Int)
        /// One end sends again what was lost.
        case retransmission(connection: Int, NetworkEndpoint)
        /// Both ends of a connection look whether the other one is there.
        case keepAlive(connection: Int)
    }

    /// Where something waits for its moment, in sequence.
    package enum Channel: Hashable, Sendable {
        case announcements(service: Int)
        /// What a device is told of services.
        case browsing(device: Int)
        case attempts(connection: Int)
        case retransmissions(connection: Int, NetworkEndpoint)
        case keepAlive(connection: Int)
        case toHost(connection: Int, NetworkEndpoint)
        /// Messages that nothing waits for.
        case datagrams(connection: Int, NetworkEndpoint)

        /// All by which one end's host is told something.
        package static func all(to end: NetworkEndpoint, of connection: Int) -> [Channel] {
            [.toHost(connection: connection, end), .datagrams(connection: connection, end)]
        }
    }

    /// What follows from a request or an event; the sequence counts.
    package enum Effect: Equatable, Sendable {
        case trace(EventKind, device: Int, [Field])
        case schedule(Event, in: Channel, at: UInt64)
        case cancel(Channel)
        /// A host is told something of another device, between two moments.
        case tell(
            NetworkEvent, device: Int, of: Int, in: Channel, earliest: UInt64, latest: UInt64)
        /// A place has a service, the channel of whose announcements begins with this label.
        case offer(service: Int, label: String)
        /// The service of a place is no more.
        case drop(service: Int)
        /// A place has a connection, whose channels begin with this label.
        case begin(connection: Int, label: String)
        /// A connection is there; it needs the number of a link.
        case connect(connection: Int)
        /// The connection of a place is no more; what its hosts were told still reaches them.
        case end(connection: Int)
    }

    struct Service: Sendable {
        let service: NetworkService
        let device: Int
        let owner: Decisions.Owner
        var record: [UInt8]
        /// How often its record was given.
        var revision = 0
        /// Whether it is offered; where it is not, those who know it have still to miss it.
        var isOffered = true
        /// Whether its next announcement waits for its moment.
        var isPlanned = false
        var announcements: UInt64 = 0
        /// Who knows it, ascending: since when nothing was heard, and which record.
        var known: [(device: Int, heard: UInt64, revision: Int)] = []
    }

    let air: Air
    /// By place; a place is used again.
    var services: [Service?] = []
    package internal(set) var connections: [NetworkAirConnection?] = []
    var browsed: [[String]]
    /// The latest number that was given to a connection that somebody else has opened, by device.
    var accepted: [UInt32]
    /// Who has offered a service last; looked up only.
    var offerers: [NetworkService: Int] = [:]
    /// How often two incarnations were connected, for labels; looked up only.
    var counts: [String: Int] = [:]
    /// What numbers of connections stand for at their hosts.
    var handles: [NetworkHandle] = []
    var outbox = Queue<Effect>()

    /// How long it takes until a service is announced again.
    static let announcementInterval: UInt64 = 1_000_000_000
    /// How long somebody waits before the next attempt to reach a service (RFC 6298 section 2).
    static let attemptInterval: UInt64 = 1_000_000_000
    /// How long the first retransmission waits; each one more waits twice as long, up to the longest.
    static let firstRetransmission: UInt64 = 200_000_000
    static let longestRetransmission: UInt64 = 3_200_000_000

    package init(_ air: Air, devices: Int) {
        self.air = air
        browsed = Array(repeating: [], count: devices)
        accepted = Array(repeating: 0x7FFF_FFFF, count: devices)
    }

    /// Whether something has to be done.
    package var hasEffects: Bool { !outbox.isEmpty }

    /// The effect that has to be done next; there must be one.
    package mutating func takeEffect() -> Effect { outbox.takeFirst() }

    /// Something happens at its moment.
    package mutating func handle(
        _ event: Event, in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        switch event {
        case .announcement(let place):
            services[place]?.isPlanned = false
            announce(place, in: surroundings, drawing: &decisions)
        case .attempt(let place): attempt(place, in: surroundings, drawing: &decisions)
        case .retransmission(let place, let end):
            connections[place]?.isWaiting[end] = false
            transmit(place, from: end, in: surroundings, drawing: &decisions)
        case .keepAlive(let place): keepAlive(place, in: surroundings)
        }
    }

    /// Lets a request of a device take effect.
    ///
    /// - Throws: `Breach` where the device would have more of something than it may.
    package mutating func perform(
        _ command: NetworkCommand, of device: Int, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) throws(Breach) {
        switch command {
        case .publish(let service, let record):
            try publish(service, record, of: device, in: surroundings, drawing: &decisions)
        case .withdraw(let service): withdraw(service, of: device, in: surroundings)
        case .browse(let type):
            try browse(type, of: device, in: surroundings, drawing: &decisions)
        case .stopBrowsing(let type): stopBrowsing(type, of: device)
        case .open(let number, let service):
            try open(number, to: service, of: device, in: surroundings)
        case .send(let number, let isReliable, let bytes):
            try send(
                bytes, isReliable: isReliable, on: number, of: device, in: surroundings,
                drawing: &decisions)
        case .close(let number): close(number, of: device, in: surroundings, drawing: &decisions)
        }
    }

    /// The process of a device is gone.
    ///
    /// A system that goes on says so at once, for all that the process had; where there is none, others have to find
    /// out.
    package mutating func processDied(of device: Int, isTold: Bool, in surroundings: Surroundings) {
        browsed[device] = []
        for place in services.indices {
            services[place]?.known.removeAll { $0.device == device }
            if services[place]?.device == device {
                forget(place, isTold: isTold, in: surroundings)
            }
            dropIfGone(place)
        }
        leaveAll(of: device, isTold: isTold, in: surroundings)
    }

    /// The window in which something that is sent now arrives.
    func window(
        from: Int, to: Int, in surroundings: Surroundings
    ) -> (earliest: UInt64, latest: UInt64) {
        let moment = surroundings.now + surroundings.conditions(from: from, to: to).extraDelay
        return (moment + air.networkDelay.lowerBound, moment + air.networkDelay.upperBound)
    }
}

// What is offered, and who looks for it.
extension NetworkAir {
    private mutating func publish(
        _ service: NetworkService, _ record: [UInt8], of device: Int, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) throws(Breach) {
        outbox.append(
            .trace(
                .airAdvertising, device: device,
                [Field("on", true), .network] + service.fields))
        offerers[service] = device
        // Also one that an earlier life has offered, and that others have not missed yet.
        if let place = place(of: service, by: device) {
            services[place]?.record = record
            services[place]?.revision += 1
            services[place]?.isOffered = true
            return announce(place, in: surroundings, drawing: &decisions)
        }
        let offered = services.count { $0?.device == device && $0?.isOffered == true }
        guard offered < LinkLimits.networkServices else {
            throw .oneMore(than: LinkLimits.networkServices, "services that are offered")
        }
        let label = "service \(surroundings.name(of: device)) \(service.type) \(service.name)"
        let new = Service(
            service: service, device: device, owner: Decisions.Owner(label), record: record)
        let place = services.firstIndex { $0 == nil } ?? services.count
        if place == services.count { services.append(new) } else { services[place] = new }
        outbox.append(.offer(service: place, label: label))
        announce(place, in: surroundings, drawing: &decisions)
    }

    private mutating func withdraw(
        _ service: NetworkService, of device: Int, in surroundings: Surroundings
    ) {
        guard let place = place(of: service, by: device), services[place]?.isOffered == true
        else { return }
        outbox.append(
            .trace(
                .airAdvertising, device: device,
                [Field("on", false), .network] + service.fields))
        forget(place, isTold: true, in: surroundings)
        dropIfGone(place)
    }

    /// A service is offered no more.
    private mutating func forget(_ place: Int, isTold: Bool, in surroundings: Surroundings) {
        guard let service = services[place], service.isOffered else { return }
        services[place]?.isOffered = false
        guard isTold else { return }
        for knower in service.known where surroundings.canHear(service.device, knower.device) {
            tellLost(place, to: knower.device, in: surroundings)
        }
    }

    private mutating func browse(
        _ type: String, of device: Int, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) throws(Breach) {
        guard !browsed[device].contains(type) else { return }
        guard browsed[device].count < LinkLimits.networkServices else {
            throw .oneMore(than: LinkLimits.networkServices, "types that are browsed for")
        }
        browsed[device].append(type)
        outbox.append(
            .trace(
                .airScanning, device: device,
                [Field("on", true), .network, Field("type", .text(type))]))
        for place in services.indices where services[place]?.service.type == type {
            // Asked for, they answer.
            answer(place, to: device, in: surroundings, drawing: &decisions)
            services[place]?.announcements += 1
            plan(place, at: surroundings.now)
        }
    }

    private mutating func stopBrowsing(_ type: String, of device: Int) {
        guard let index = browsed[device].firstIndex(of: type) else { return }
        browsed[device].remove(at: index)
        for place in services.indices where services[place]?.service.type == type {
            services[place]?.known.removeAll { $0.device == device }
            dropIfGone(place)
        }
        outbox.append(
            .trace(
                .airScanning, device: device,
                [Field("on", false), .network, Field("type", .text(type))]))
    }

    /// All who browse for a service hear of it, or may have to miss it.
    private mutating func announce(
        _ place: Int, in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        guard let service = services[place] else { return }
        for device in browsed.indices where browsed[device].contains(service.service.type) {
            answer(place, to: device, in: surroundings, drawing: &decisions)
        }
        services[place]?.announcements += 1
        plan(place, at: surroundings.now)
        dropIfGone(place)
    }

    /// Forgets a service that is not offered, and that nobody knows.
    private mutating func dropIfGone(_ place: Int) {
        guard let service = services[place], !service.isOffered, service.known.isEmpty else {
            return
        }
        services[place] = nil
        outbox.append(.drop(service: place))
    }

    /// Plans the next announcement where anybody listens.
    private mutating func plan(_ place: Int, at now: UInt64) {
        guard let service = services[place], !service.isPlanned,
            browsed.contains(where: { $0.contains(service.service.type) })
        else { return }
        services[place]?.isPlanned = true
        outbox.append(
            .schedule(
                .announcement(service: place), in: .announcements(service: place),
                at: now + Self.announcementInterval))
    }

    /// One device hears a service, or does not.
    private mutating func answer(
        _ place: Int, to device: Int, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) {
        guard let service = services[place], service.device != device,
            surroundings.isAlive(device)
        else { return }
        let known = service.known.firstIndex { $0.device == device }
        let isHeard =
            service.isOffered && surroundings.canHear(service.device, device)
            && !isLost(
                from: service.device, to: device, service.owner,
                service.announcements * UInt64(browsed.count) + UInt64(device), in: surroundings,
                drawing: &decisions)
        guard isHeard else {
            guard let known,
                surroundings.now - service.known[known].heard >= air.networkTimeout
            else { return }
            return tellLost(place, to: device, in: surroundings)
        }
        if let known {
            services[place]?.known[known].heard = surroundings.now
            guard service.known[known].revision != service.revision else { return }
            services[place]?.known[known].revision = service.revision
        } else {
            let index = service.known.firstIndex { $0.device > device } ?? service.known.count
            services[place]?.known.insert(
                (device, surroundings.now, service.revision), at: index)
        }
        tell(
            .found(
                service.service, host: surroundings.name(of: service.device), record: service.record
            ), of: service.device, to: device, in: surroundings)
    }

    private mutating func tellLost(_ place: Int, to device: Int, in surroundings: Surroundings) {
        guard let service = services[place] else { return }
        services[place]?.known.removeAll { $0.device == device }
        tell(
            .lost(service.service, host: surroundings.name(of: service.device)), of: service.device,
            to: device, in: surroundings)
    }

    private mutating func tell(
        _ event: NetworkEvent, of other: Int, to device: Int, in surroundings: Surroundings
    ) {
        let window = window(from: other, to: device, in: surroundings)
        outbox.append(
            .tell(
                event, device: device, of: other, in: .browsing(device: device),
                earliest: window.earliest, latest: window.latest))
    }

    private func place(of service: NetworkService, by device: Int) -> Int? {
        services.firstIndex { $0?.device == device && $0?.service == service }
    }

    func isLost(
        from: Int, to: Int, _ owner: Decisions.Owner, _ ordinal: UInt64,
        in surroundings: Surroundings, drawing decisions: inout Decisions
    ) -> Bool {
        let loss = surroundings.conditions(from: from, to: to).networkLoss
        return decisions.happens(loss.numerator, outOf: loss.denominator, owner, ordinal, .loss)
    }
}

extension Field {
    /// What the trace shows of all that is not Bluetooth.
    package static let network = Field("transport", "network")
}

extension NetworkService {
    /// What the trace shows of it.
    var fields: [Field] { [Field("type", .text(type)), Field("name", .text(name))] }
}
