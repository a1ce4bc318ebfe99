internal import Airs
internal import Bluetooth
internal import DeviceLink
internal import Scenarios
internal import Traces

extension World {
    /// What the run is like now; to be asked for between two steps.
    package var snapshot: WorldSnapshot {
        WorldSnapshot(
            time: now, steps: step, nextEvent: nextTraceNumber,
            devices: devices.indices.map(snapshot(ofDevice:)),
            links: bluetooth.openLinks.sorted { $0.id < $1.id }
                .map(snapshot(of:)),
            radios: uwb.sessions.sorted { ($0.device, $0.handle) < ($1.device, $1.handle) }.map(
                snapshot(of:)),
            faults: script.faults.map(Self.words),
            pending: pendingSnapshot)
    }

    /// Whether a device has a process that takes turns, or would if it were not frozen.
    package func isAlive(_ device: Int) -> Bool { devices[device].isAlive }

    private func snapshot(ofDevice index: Int) -> WorldSnapshot.Device {
        let (device, controller) = (devices[index], bluetooth.controller(of: index))
        var doing: [String] = []
        if controller.advertising != nil { doing.append("advertises") }
        if controller.scan != nil { doing.append("scans") }
        doing += controller.attempts.map { attempt in
            let peer = bluetooth.device(at: attempt.peer, in: surroundings)
            return "connects to \(peer.map { devices[$0].name } ?? attempt.peer.description)"
        }
        if device.killAfterAnswers != nil { doing.append("dies in its next turn") }
        let state: WorldSnapshot.Device.State =
            switch (device.starts, device.isAlive) {
            case (0, _): .off
            case (_, false): .dead
            case (_, true): device.isFrozen ? .frozen : .alive
            }
        return WorldSnapshot.Device(
            name: device.name, kind: device.spec.model, state: state,
            incarnation: device.starts == 0 ? nil : device.incarnation, doing: doing)
    }

    private func snapshot(of link: Link) -> WorldSnapshot.Link {
        let (there, back) = (
            ways.conditions(from: link.central, to: link.peripheral),
            ways.conditions(from: link.peripheral, to: link.central)
        )
        var state: [String] = []
        if link.isEncrypted { state.append("encrypted") }
        if there.isPartitioned || back.isPartitioned { state.append("partitioned") }
        if there.isHeld || back.isHeld { state.append("held") }
        for side in [Side.central, .peripheral] where link.isGone[side] {
            state.append("\(name(of: link.device(side))) has left it")
        }
        return WorldSnapshot.Link(
            link: link.id, central: name(of: link.central), peripheral: name(of: link.peripheral),
            interval: link.interval, timeout: link.timeout, state: state,
            session: observer.latestSession(ofLink: link.id),
            waiting: [Side.central, .peripheral].flatMap { side in
                link.queues[side].map { "\(name(of: link.device(side))): \($0.words)" }
            })
    }

    private func snapshot(of session: UWBAir.Session) -> WorldSnapshot.Radio {
        WorldSnapshot.Radio(
            device: name(of: session.device), handle: session.handle,
            sessionID: session.parameters.sessionID, address: session.parameters.address,
            peerAddress: session.parameters.peer, interval: session.interval,
            isInitiator: session.parameters.isInitiator,
            partner: uwb.partner(of: session).map { name(of: $0.device) })
    }

    private static func words(_ fault: Verb) -> String {
        "\(EventPattern(kind: fault.kind.rawValue, device: fault.device, having: fault.fields))"
    }
}

// What is pending.
extension World {
    private var pendingSnapshot: [WorldSnapshot.Pending] {
        let next = agenda.heads[agenda.eligible().range].map(\.order)
        var all: [(isHeld: Bool, event: Pending<Occurrence>, shown: WorldSnapshot.Pending)] = []
        for channel in agenda.channels {
            let isHeld = channel.isHeld || channel.device.map { devices[$0].isFrozen } == true
            for event in channel.queue.indices.map({ channel.queue[$0] }) {
                let shown = WorldSnapshot.Pending(
                    earliest: event.moment.earliest, latest: event.moment.latest,
                    state: isHeld ? .held : next.contains(event.moment.order) ? .next : .later,
                    event: "\(channel.owner.label) #\(event.moment.ordinal)",
                    what: words(event.what, channel.device))
                all.append((isHeld, event, shown))
            }
        }
        return all.sorted {
            ($0.isHeld ? 1 : 0, $0.event.moment.earliest, $0.event.moment.order)
                < ($1.isHeld ? 1 : 0, $1.event.moment.earliest, $1.event.moment.order)
        }.map(\.shown)
    }

    private func words(_ occurrence: Occurrence, _ device: Int?) -> String {
        switch occurrence {
        case .deliver(let event, let incarnation):
            let device = device ?? 0
            let isStale = devices[device].incarnation != incarnation || !devices[device].isAlive
            return "\(name(of: device)): \(event.words)" + (isStale ? ", for an earlier life" : "")
        case .bluetooth(let event): return words(event)
        case .round(let slot):
            return "ranging round of "
                + (uwb.session(at: slot).map { name(of: $0.device) } ?? "nobody")
        case .frame(let device): return "frame of the camera of \(name(of: device))"
        case .network(let event): return "network: \(event)"
        case .script(.step(let item)): return "step: \(script.text(of: item))"
        case .script(.end(let item)): return "the end of: \(script.text(of: item))"
        case .script(.heal): return "the end of every disturbance"
        case .powerOn(let device): return "\(name(of: device)) is switched on"
        case .checkForEnd: return "the run ends, unless a promise waits for its deadline"
        }
    }

    private func words(_ event: BluetoothAir.Event) -> String {
        switch event {
        case .advertisement(let device): "\(name(of: device)) advertises"
        case .connectionEvent(let slot): "connection event of \(link(at: slot))"
        case .supervision(let slot): "supervision of \(link(at: slot))"
        case .update(let slot): "new timing of \(link(at: slot))"
        }
    }

    private func link(at slot: Int) -> String {
        let link = bluetooth.link(at: slot)
        return "link \(link.id) (\(name(of: link.central)) – \(name(of: link.peripheral)))"
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
