import Airs
import Basics
import DeviceLink
import Vocabulary

/// What the UWB air asks for, done.
extension WorldState {
    /// Lets a request to the UWB radio take effect.
    ///
    /// - Throws: `Breach` where the radio would have too many sessions.
    mutating func perform(_ command: UWBCommand, of device: Int) throws(Breach) {
        // What came before the breach has happened.
        defer { doWhatUWBAsks() }
        let refusal = script.refusal(by: devices[device].name)?.status
        try uwb.perform(
            command, of: device, refusal: refusal, in: surroundings, drawing: &decisions)
    }

    /// Ends all sessions of a device's radio.
    mutating func stopRanging(of device: Int) {
        uwb.switchOff(device)
        doWhatUWBAsks()
    }

    /// The script ends the sessions that a device has with a peer, or with all.
    mutating func endSessions(of device: Int, with peer: Int?) {
        uwb.endSessions(of: device, with: peer, at: now)
        doWhatUWBAsks()
    }

    /// One ranging round of the session in a slot.
    mutating func range(_ slot: Int) {
        let round = agenda.channels[uwbChannels.sessions[slot].rounds].nextOrdinal
        uwb.range(slot, round: round, in: surroundings, drawing: &decisions)
        doWhatUWBAsks()
    }

    /// What the trace shows of the UWB radio's event when its host gets it.
    mutating func noteDelivery(of event: UWBEvent, to device: Int) {
        let (kind, fields) = uwb.delivered(event, to: device)
        emit(kind, on: device, fields: fields)
    }

    /// What the trace shows where a host learns that its peer has ended a session.
    mutating func noteEnd(of session: [Pair], on device: Int) {
        guard let handle = session.first.flatMap({ UInt32($0.value) }) else { return }
        emit(.uwbEnded, on: device, fields: uwb.ended(handle, on: device))
    }

    /// The command by which a host learns that (DEVICE-LINK.md section 9).
    static let endOfSession = CommandName.uwbEnded.rawValue

    private mutating func doWhatUWBAsks() {
        while uwb.hasEffects { perform(uwb.takeEffect()) }
    }

    private mutating func perform(_ effect: consuming UWBAir.Effect) {
        switch consume effect {
        case .trace(let kind, let device, let fields): emit(kind, on: device, fields: fields)
        case .open(let slot, let device, let label):
            uwbChannels.open(slot, of: device, label, in: &agenda)
        case .close(let slot):
            agenda.close(uwbChannels.sessions[slot].rounds)
            agenda.close(uwbChannels.sessions[slot].toHost)
        case .schedule(let slot, let moment):
            agenda.add(
                .round(session: slot), to: uwbChannels.sessions[slot].rounds, earliest: moment,
                latest: moment)
        case .tell(let slot, let device, let event, let earliest, let latest):
            deliver(
                .uwb(event), to: device, in: uwbChannels.sessions[slot].toHost, earliest: earliest,
                latest: latest)
        case .end(let slot, let device, let handle, let earliest, let latest):
            deliver(
                .command(name: Self.endOfSession, arguments: [Pair("session", String(handle))]),
                to: device, in: uwbChannels.sessions[slot].toHost, earliest: earliest,
                latest: latest)
        case .refuse(let device, let label, let event, let earliest, let latest):
            let channel = agenda.open(String(joining: label, " to host"), device: device)
            deliver(.uwb(event), to: device, in: channel, earliest: earliest, latest: latest)
            agenda.retire(channel)
            noteRefusal(by: device)
        }
    }
}
