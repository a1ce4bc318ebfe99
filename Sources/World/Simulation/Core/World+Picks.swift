import Airs
import Choices
import DeviceLink

/// What happens next.
extension World {
    /// Takes one step.
    ///
    /// False where the shell has to answer first.
    mutating func pick() -> Bool {
        guard let index = looksAtFirst ? chooseFirst() : choose() else {
            end(.quiescent)
            return false
        }
        let head = state.agenda.heads[index]
        let device = state.agenda.channels[Int(head.channel)].device
        let time = state.now
        orderNotes?.take(
            head, label: state.agenda.channels[Int(head.channel)].owner.label, at: time)
        let (owner, moment, what) = state.agenda.take(at: index)
        guard let device else {
            beginStep(owner, moment, on: nil)
            if case .checkForEnd = what { return checkForEnd() }
            state.perform(what)
            return true
        }
        grant(owner, moment, what, to: device)
        if isPlain, pause == nil { grantBatch() }
        return true
    }

    /// Takes the first head at once, as the plain scheduler does: those behind it need no look.
    private mutating func chooseFirst() -> Int? {
        guard let head = state.agenda.firstHead else { return nil }
        state.now = max(state.now, head.earliest)
        return state.agenda.firstIndex
    }

    /// Lets the scheduler choose among the eligible heads; it is the moment of the chosen one now.
    private mutating func choose() -> Int? {
        let (eligible, frontier) = state.agenda.eligible()
        guard !eligible.isEmpty else { return nil }
        if state.decisions.keepsNames {
            for head in state.agenda.heads[eligible] {
                state.decisions.learn(state.agenda.channels[Int(head.channel)].owner)
            }
        }
        let index = state.agenda.withHeads {
            scheduler.pick(among: &$0, eligible: eligible, drawing: &state.decisions)
        }
        let head = state.agenda.heads[index]
        let earliest = max(state.now, head.earliest)
        let room = frontier > earliest ? frontier - earliest : 0
        let delay = scheduler.delay(of: head, room: room, drawing: &state.decisions)
        state.now = earliest + delay
        notes?.take(index, of: state.agenda.heads, eligible, delay: delay) {
            [agenda = state.agenda] head in agenda.channels[Int(head.channel)].owner.label
        }
        return index
    }

    /// Sends further grants of this instant ahead.
    ///
    /// No answer can change these picks: the scheduler is plain, each device has one turn only, and
    /// what answers create is ordered behind.
    private mutating func grantBatch() {
        while let head = state.agenda.firstHead, head.earliest <= state.now {
            let channel = Int(head.channel)
            guard let device = state.agenda.channels[channel].device,
                state.devices[device].isAlive, !state.devices[device].hasTurn
            else { return }
            let (owner, moment, what) = state.agenda.take(at: state.agenda.firstIndex)
            grant(owner, moment, what, to: device)
        }
    }

    private mutating func grant(
        _ owner: Decisions.Owner, _ moment: Pending<Occurrence>.Moment,
        _ occurrence: consuming Occurrence, to device: Int
    ) {
        guard case .deliver(let what, let incarnation) = consume occurrence else {
            preconditionFailure("only what a device is told is granted")
        }
        guard state.devices[device].isAlive, state.devices[device].incarnation == incarnation else {
            beginStep(owner, moment, on: device)
            state.emit(.deviceStale, on: device, fields: [Field("channel", .text(owner.label))])
            return
        }
        switch what {
        case .timer, .queue: state.holdings[device].endWaiting()
        default: break
        }
        turnCount &+= 1
        state.devices[device].hasTurn = true
        outstanding.append(
            Turn(device: device, owner: owner, moment: moment, event: what, answers: nil))
        state.actions.append(
            .grant(device: device, turn: turnCount, now: VirtualTime(nanoseconds: state.now), what))
    }
}
