import Airs
import Bluetooth
import DeviceLink
import Scenarios
import Traces

extension World {
    /// What the run is like now; to be asked for between two steps.
    package var snapshot: WorldSnapshot { WorldSnapshot(state) }
}

extension WorldSnapshot {
    fileprivate init(_ state: WorldState) {
        self.init(
            time: state.now, steps: state.step, nextEvent: state.nextTraceNumber,
            devices: state.devices.indices.map { Device($0, in: state) },
            links: state.bluetooth.openLinks.sorted { $0.id < $1.id }
                .map { Link($0, in: state) },
            radios: state.uwb.sessions.sorted { ($0.device, $0.handle) < ($1.device, $1.handle) }
                .map { Radio($0, in: state) },
            faults: state.script.faults.map { fault in
                "\(EventPattern(kind: fault.kind.rawValue, device: fault.device, having: fault.fields))"
            },
            pending: Pending.all(in: state))
    }
}

extension WorldSnapshot.Device {
    fileprivate init(_ index: Int, in state: WorldState) {
        let (device, controller) = (state.devices[index], state.bluetooth.controller(of: index))
        var doing: [String] = []
        if controller.advertising != nil { doing.append("advertises") }
        if controller.scan != nil { doing.append("scans") }
        doing += controller.attempts.map { attempt in
            let peer = state.bluetooth.device(at: attempt.peer, in: state.surroundings)
            return
                "connects to \(peer.map { state.devices[$0].name } ?? attempt.peer.description)"
        }
        if device.killAfterAnswers != nil { doing.append("dies in its next turn") }
        let life: State =
            switch (device.starts, device.isAlive) {
            case (0, _): .off
            case (_, false): .dead
            case (_, true): device.isFrozen ? .frozen : .alive
            }
        self.init(
            name: device.name, kind: device.spec.model, state: life,
            incarnation: device.starts == 0 ? nil : device.incarnation, doing: doing)
    }
}

extension WorldSnapshot.Link {
    fileprivate init(_ link: Airs.Link, in world: WorldState) {
        let (there, back) = (
            world.ways.conditions(from: link.central, to: link.peripheral),
            world.ways.conditions(from: link.peripheral, to: link.central)
        )
        let sides = [Side.central, .peripheral].map { side in
            (side: side, name: world.devices[link.device(side)].name)
        }
        var state: [String] = []
        if link.isEncrypted { state.append("encrypted") }
        if there.isPartitioned || back.isPartitioned { state.append("partitioned") }
        if there.isHeld || back.isHeld { state.append("held") }
        for (side, name) in sides where link.isGone[side] { state.append("\(name) has left it") }
        self.init(
            link: link.id, central: sides[0].name, peripheral: sides[1].name,
            interval: link.interval, timeout: link.timeout, state: state,
            session: world.observer.latestSession(ofLink: link.id),
            waiting: sides.flatMap { side, name in
                link.queues[side].map { "\(name): \($0.words)" }
            })
    }
}

extension WorldSnapshot.Radio {
    fileprivate init(_ session: UWBAir.Session, in state: WorldState) {
        self.init(
            device: state.devices[session.device].name, handle: session.handle,
            sessionID: session.parameters.sessionID, address: session.parameters.address,
            peerAddress: session.parameters.peer, interval: session.interval,
            isInitiator: session.parameters.isInitiator,
            partner: state.uwb.partner(of: session).map { state.devices[$0.device].name })
    }
}

extension WorldSnapshot.Pending {
    fileprivate static func all(in world: WorldState) -> [Self] {
        let next = world.agenda.heads[world.agenda.eligible().range].map(\.order)
        var all: [(isHeld: Bool, event: Simulation.Pending<Occurrence>, shown: Self)] = []
        for channel in world.agenda.channels {
            let isHeld =
                channel.isHeld || channel.device.map { world.devices[$0].isFrozen } == true
            for event in channel.queue.indices.map({ channel.queue[$0] }) {
                let shown = Self(
                    earliest: event.moment.earliest, latest: event.moment.latest,
                    state: isHeld ? .held : next.contains(event.moment.order) ? .next : .later,
                    event: "\(channel.owner.label) #\(event.moment.ordinal)",
                    what: words(event.what, channel.device, in: world))
                all.append((isHeld, event, shown))
            }
        }
        return all.sorted {
            ($0.isHeld ? 1 : 0, $0.event.moment.earliest, $0.event.moment.order)
                < ($1.isHeld ? 1 : 0, $1.event.moment.earliest, $1.event.moment.order)
        }.map(\.shown)
    }
}

// What is pending, for people.
extension WorldSnapshot.Pending {
    private static func words(
        _ occurrence: Occurrence, _ device: Int?, in world: WorldState
    ) -> String {
        switch occurrence {
        case .deliver(let event, let incarnation):
            let state = world.devices[device ?? 0]
            let isStale = state.incarnation != incarnation || !state.isAlive
            return "\(state.name): \(event.words)" + (isStale ? ", for an earlier life" : "")
        case .bluetooth(let event): return words(event, in: world)
        case .round(let slot):
            return "ranging round of "
                + (world.uwb.session(at: slot).map { world.devices[$0.device].name } ?? "nobody")
        case .frame(let device): return "frame of the camera of \(world.devices[device].name)"
        case .network(let event): return "network: \(event)"
        case .script(.step(let item)): return "step: \(world.script.text(of: item))"
        case .script(.end(let item)): return "the end of: \(world.script.text(of: item))"
        case .script(.heal): return "the end of every disturbance"
        case .powerOn(let device): return "\(world.devices[device].name) is switched on"
        case .checkForEnd: return "the run ends, unless a promise waits for its deadline"
        }
    }

    private static func words(_ event: BluetoothAir.Event, in world: WorldState) -> String {
        switch event {
        case .advertisement(let device): "\(world.devices[device].name) advertises"
        case .connectionEvent(let slot): "connection event of \(link(slot, in: world))"
        case .supervision(let slot): "supervision of \(link(slot, in: world))"
        case .update(let slot): "new timing of \(link(slot, in: world))"
        }
    }

    private static func link(_ slot: Int, in world: WorldState) -> String {
        let link = world.bluetooth.link(at: slot)
        let (central, peripheral) = (world.devices[link.central], world.devices[link.peripheral])
        return "link \(link.id) (\(central.name) – \(peripheral.name))"
    }
}

extension DeviceEvent {
    /// For people; what a radio reports by the name of its case.
    fileprivate var words: String {
        switch self {
        case .bluetooth(.acl(_, let frame)): "bluetooth acl, \(frame.count) bytes"
        case .bluetooth(let event): "bluetooth \("\(event)".prefix { $0 != "(" })"
        case .uwb(.round(_, let measurement)):
            measurement.map { "uwb round, \($0.distance) mm" } ?? "uwb round, missed"
        case .uwb(.started): "uwb started"
        case .camera: "camera frame"
        case .network(.received(_, let bytes)): "network message, \(bytes.count) bytes"
        case .network(let event): "network \("\(event)".prefix { $0 != "(" })"
        case .boot, .timer, .queue, .command: name
        }
    }
}

extension LinkPDU {
    /// For people.
    fileprivate var words: String {
        switch self {
        case .data(let frame): "\(frame.count) bytes"
        case .terminate: "the end of the link"
        case .encryptionRequest, .encryptionReply: "encryption"
        case .update: "new timing"
        }
    }
}
