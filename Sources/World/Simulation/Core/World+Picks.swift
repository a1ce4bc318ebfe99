internal import Airs
internal import Choices
internal import DeviceLink

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
        let head = agenda.heads[index]
        let device = agenda.channels[Int(head.channel)].device
        let time = now
        orderNotes?.take(
            head, label: agenda.channels[Int(head.channel)].owner.label, at: time)
        let (owner, moment, what) = agenda.take(at: index)
        guard let device else {
            beginStep(owner, moment, on: nil)
            return perform(what)
        }
        grant(owner, moment, what, to: device)
        if isPlain, pause == nil { grantBatch() }
        return true
    }

    /// Takes the first head at once, as the plain scheduler does: those behind it need no look.
    private mutating func chooseFirst() -> Int? {
        guard let head = agenda.firstHead else { return nil }
        now = max(now, head.earliest)
        return agenda.firstIndex
    }

    /// Lets the scheduler choose among the eligible heads; it is the moment of the chosen one now.
    private mutating func choose() -> Int? {
        let (eligible, frontier) = agenda.eligible()
        guard !eligible.isEmpty else { return nil }
        if decisions.keepsNames {
            for head in agenda.heads[eligible] {
                decisions.learn(agenda.channels[Int(head.channel)].owner)
            }
        }
        let index = agenda.withHeads {
            scheduler.pick(among: &$0, eligible: eligible, drawing: &decisions)
        }
        let head = agenda.heads[index]
        let earliest = max(now, head.earliest)
        let room = frontier > earliest ? frontier - earliest : 0
        let delay = scheduler.delay(of: head, room: room, drawing: &decisions)
        now = earliest + delay
        notes?.take(index, of: agenda.heads, eligible, delay: delay) { [agenda] head in
            agenda.channels[Int(head.channel)].owner.label
        }
        return index
    }

    /// Sends further grants of this instant ahead.
    ///
    /// No answer can change these picks: the scheduler is plain, each device has one turn only, and
    /// what answers create is ordered behind.
    private mutating func grantBatch() {
        while let head = agenda.firstHead, head.earliest <= now {
            let channel = Int(head.channel)
            guard let device = agenda.channels[channel].device,
                devices[device].isAlive, !devices[device].hasTurn
            else { return }
            let (owner, moment, what) = agenda.take(at: agenda.firstIndex)
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
        guard devices[device].isAlive, devices[device].incarnation == incarnation else {
            beginStep(owner, moment, on: device)
            emit(.deviceStale, on: device, fields: [Field("channel", .text(owner.label))])
            return
        }
        switch what {
        case .timer, .queue: holdings[device].endWaiting()
        default: break
        }
        turnCount &+= 1
        devices[device].hasTurn = true
        outstanding.append(
            Turn(
                device: device, owner: owner, moment: moment, event: what, answers: nil))
        actions.append(
            .grant(device: device, turn: turnCount, now: VirtualTime(nanoseconds: now), what))
    }
}
