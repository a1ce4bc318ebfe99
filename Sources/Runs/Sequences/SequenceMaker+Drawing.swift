import DeviceLink
import Traces

/// What becomes of an event that is drawn.
extension SequenceMaker {
    mutating func draw(_ event: TraceEvent, marked marks: [SequenceRow.Mark]) {
        switch event.kind {
        case .scriptStep:
            scriptStep = event.step
            drawAcross(event.text("step") ?? event.name, for: event, marked: marks)
        case .scriptEnded: drawAcross("the script ends", for: event, marked: marks)
        case .runEnded:
            queue.interruptAll()
            add(.end("the run ends: \(event.text("reason") ?? "")"), for: event, marked: marks)
        case .linkUp, .linkDown: drawLink(event, marked: marks)
        case .some(let kind) where ["msg", "att"].contains(kind.family):
            drawMessage(event, marked: marks)
        // What a step of the script does is the step itself.
        case .some(let kind)
        where ["fault", "user"].contains(kind.family) && event.step == scriptStep
            && event["ended"] != .flag(true) && marks.isEmpty && !selection.isChosen:
            break
        case .niDidUpdate where marks.isEmpty, .uwbRound where marks.isEmpty: drawAgain(event)
        default:
            let label = event.label(namesPeer: namesPeers)
            event.device.isEmpty
                ? drawAcross(label, for: event, marked: marks)
                : drawNote(label, for: event, marked: marks)
        }
    }

    private mutating func add(
        _ body: SequenceRow.Body, for event: TraceEvent, marked marks: [SequenceRow.Mark]
    ) {
        queue.add(SequenceRow(time: event.time, event: event.number, body: body, marks: marks))
    }

    private mutating func drawAcross(
        _ label: String, for event: TraceEvent, marked marks: [SequenceRow.Mark]
    ) {
        queue.interruptAll()
        add(.across(label), for: event, marked: marks)
    }

    private mutating func drawNote(
        _ label: String, for event: TraceEvent, marked marks: [SequenceRow.Mark]
    ) {
        queue.interrupt(event.device)
        add(.note(device: event.device, label: label), for: event, marked: marks)
    }

    private mutating func drawAgain(_ event: TraceEvent) {
        let key = SequenceQueue.FoldKey(
            device: event.device, name: event.name,
            session: event.number("ni-session") ?? event.number("handle"),
            outcome: event.text("outcome"))
        let fold = SequenceRow.Fold(
            device: event.device, label: event.label(namesPeer: namesPeers), count: 1,
            last: event.time)
        queue.fold(
            SequenceRow(time: event.time, event: event.number, body: .fold(fold)), as: key)
    }

    private mutating func drawMessage(_ event: TraceEvent, marked marks: [SequenceRow.Mark]) {
        let carried = event.message.map(String.init) ?? event.text("pdu") ?? event.name
        let label = event.message == nil ? carried : event.label(namesPeer: false)
        guard let peer = event.text("peer") else {
            return drawNote(label, for: event, marked: marks)
        }
        let arrives = event.name.hasSuffix(".received")
        guard selection.includes(device: peer) else {
            return drawNote(
                "\(label) \(arrives ? "from" : "to") \(peer)", for: event, marked: marks)
        }
        let (from, to) = arrives ? (peer, event.device) : (event.device, peer)
        let key = SequenceQueue.ArrowKey(
            name: carried, link: event.number("link"), session: event.number("session"), from: from,
            to: to)
        draw(
            SequenceRow.Arrow(from: from, to: to, label: label, isMutual: false), as: key,
            for: event, marked: marks, arrives: arrives)
    }

    /// Both hosts learn of a link; whoever does first begins the arrow.
    private mutating func drawLink(_ event: TraceEvent, marked marks: [SequenceRow.Mark]) {
        let label = event.label(namesPeer: namesPeers)
        guard let peer = event.text("peer") else {
            return drawNote(label, for: event, marked: marks)
        }
        guard selection.includes(device: peer) else {
            return drawNote("\(label) with \(peer)", for: event, marked: marks)
        }
        func key(from: String, to: String) -> SequenceQueue.ArrowKey {
            SequenceQueue.ArrowKey(
                name: event.name, link: event.number("link"), session: nil, from: from, to: to)
        }
        if queue.arrive(key(from: peer, to: event.device), at: event.time, marked: marks) {
            return queue.endFolds(of: event.device)
        }
        draw(
            SequenceRow.Arrow(from: event.device, to: peer, label: label, isMutual: true),
            as: key(from: event.device, to: peer), for: event, marked: marks, arrives: false)
    }

    private mutating func draw(
        _ arrow: SequenceRow.Arrow, as key: SequenceQueue.ArrowKey, for event: TraceEvent,
        marked marks: [SequenceRow.Mark], arrives: Bool
    ) {
        guard arrives else {
            queue.interrupt(event.device)
            let row = SequenceRow(
                time: event.time, event: event.number, body: .arrow(arrow), marks: marks)
            return queue.depart(row, as: key)
        }
        guard !queue.arrive(key, at: event.time, marked: marks) else {
            return queue.endFolds(of: event.device)
        }
        var arrow = arrow
        arrow.part = .arrival
        queue.interrupt(event.device)
        add(.arrow(arrow), for: event, marked: marks)
    }
}
