package import Choices
package import Orchestration
import Reports
import Simulation
import Traces
import Vocabulary

/// Names for the events of a run, from its trace.
package struct EventWords {
    /// For each event, by its text, its step; looked up only.
    private let steps: [String: Int]
    package let study: Study
    /// For each step the event of the trace that says most; looked up only.
    private let telling: [Int: TraceEvent]
    /// The events of the trace of each step; looked up only.
    private let traced: [Int: [TraceEvent]]
    /// Who was linked with whom.
    private let linked: Set<[String]>
    /// The step of each event, by its number; looked up only.
    private let orders: [UInt64: Int]
    /// For each event, by its number, the steps of what came to be pending in it; looked up only.
    private let effects: [UInt64: [Int]]

    /// What the faults have done: of each kind of fault, and of the death of each device, how often.
    ///
    /// A fault that is planned and does not strike, or strikes a device that is dead already, is missing.
    let strikes: [String: Int]

    init(_ study: Study) {
        self.study = study
        strikes = study.events.reduce(into: [:]) { strikes, event in
            let isStrike =
                event.kind?.family == "fault" || event.kind == .deviceDied
                || event.kind == .deviceFrozen
            if isStrike { strikes["\(event.name) \(event.device)", default: 0] += 1 }
        }
        orders = Dictionary(
            study.steps.enumerated().map { ($0.element.order, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        effects = Dictionary(grouping: study.steps.indices) { study.steps[$0].cause }
        steps = Dictionary(
            study.steps.enumerated().map { ($0.element.event, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        traced = Dictionary(
            grouping: study.events.filter { $0.step > 0 }, by: { Int($0.step) - 1 })
        linked = Set(
            study.events.compactMap { event in
                event.text("peer").map { [event.device, $0].sorted() }
            })
        telling = study.events.reduce(into: [:]) { telling, event in
            guard event.step > 0 else { return }
            let step = Int(event.step) - 1
            if telling[step].map({ Self.rank($0) < Self.rank(event) }) ?? true {
                telling[step] = event
            }
        }
    }

    /// Messages say more than what carries them.
    private static let ranks = [
        "device", "air", "att", "uwb", "gatt", "link", "queue", "app", "ni", "fault", "user",
        "script", "msg",
    ]

    /// What only carries something, or shows that somebody is there: no event is about that.
    private static let carriers = ["att.", "device.", "air.advertising", "air.scanning"]

    private static func isTelling(_ event: TraceEvent) -> Bool {
        !carriers.contains(where: event.name.hasPrefix)
    }

    private static func rank(_ event: TraceEvent) -> Int {
        let family = event.name.prefix { $0 != "." }
        return ranks.firstIndex { $0 == family } ?? 0
    }

    /// The step of an event, from 0; nil where it does not happen.
    func step(of event: EventID) -> Int? { steps[event.text] }

    func event(at step: Int) -> EventID? { EventID(study.steps[step].event) }

    /// An event in the words of the trace: `msg.initialize.received (ben → lock)`.
    ///
    /// If the trace is silent, the name of its channel; if that is not what it is about, what it leads to or
    /// follows from.
    package func words(_ event: EventID) -> String {
        guard let step = step(of: event) else { return ChannelWords(event).words }
        let channel = ChannelWords(event)
        // The words name what a timer brings about, and that it is the timer.
        let timer = channel.isTimer && telling[step] != nil ? "\(channel.words): " : ""
        let own = timer + (telling[step].map(words) ?? channel.words)
        return switch subject(of: step) {
        case .effect(let other): "\(own) that leads to \(shown(other))"
        case .cause(let other): "\(own) after \(shown(other))"
        case .itself, nil: own
        }
    }

    /// An event in words that are true of another run as well: where it says something else there, what its channel
    /// is called comes first.
    package func words(_ event: EventID, andIn other: EventWords) -> String {
        let own = words(event)
        guard let step = step(of: event), other.step(of: event) != nil, other.words(event) != own
        else { return own }
        let channel = ChannelWords(event).words
        return telling[step].map { "\(channel), here with \(words($0))" } ?? channel
    }

    /// All that an event is, as far as it concerns one of these devices: the kinds of what the trace says of it, of
    /// what it is about, and of what it brings about at once, and what its channel is called.
    func kinds(of event: EventID, concerning devices: [String]) -> [String] {
        let channel = ChannelWords(event)
        let silent = devices.contains(where: channel.concerns) ? [channel.kind] : []
        let shown = (happens(with: event) + about(event)).filter { event in
            devices.contains { concerns(event, device: $0) }
        }
        return shown.map(\.name) + silent
    }

    /// What the trace has of what an event is about, and of what it brings about at once.
    private func about(_ event: EventID) -> [TraceEvent] {
        guard let step = step(of: event) else { return [] }
        let about: Int? =
            switch subject(of: step) {
            case .effect(let other), .cause(let other): other
            // What a step of the script does is its effect.
            case .itself where telling[step]?.kind == .scriptStep: effects(of: step).first
            case .itself, nil: nil
            }
        return ([about].compactMap(\.self) + atOnce(of: step)).flatMap { traced[$0] ?? [] }
    }

    private func happens(with event: EventID) -> [TraceEvent] {
        step(of: event).flatMap { traced[$0] } ?? []
    }

    /// What a step brings about while no time passes.
    private func atOnce(of step: Int) -> [Int] {
        var (all, last) = ([Int](), [step])
        for _ in 0..<Self.depth {
            last = last.flatMap(effects(of:)).filter {
                study.steps[$0].time == study.steps[step].time
            }
            all += last
        }
        return all
    }

    /// Whether an event of the trace happens to a device, or to one that it was linked with: to that one with
    /// nobody else.
    func concerns(_ event: TraceEvent, device: String) -> Bool {
        let others = event.others
        if event.device == device || others.contains(device) { return true }
        return others.isEmpty
            && (event.device.isEmpty || linked.contains([event.device, device].sorted()))
    }

    /// Who was linked with a device.
    func partners(of device: String) -> [String] {
        linked.filter { $0.contains(device) }.flatMap(\.self).filter { $0 != device }.sorted()
    }

    /// Which share of the pairs of events up to a step would pass for the two sides of a race.
    func chance(of race: Catalogue.Race, concerning devices: [String], upTo last: Int) -> Double {
        let sides = study.steps.indices.prefix(last + 1).compactMap { event(at: $0) }.map {
            race.sides(of: kinds(of: $0, concerning: devices))
        }
        guard sides.count > 1 else { return 0 }
        let (one, other, both) = (
            sides.count { $0.one && !$0.other }, sides.count { $0.other && !$0.one },
            sides.count { $0.one && $0.other }
        )
        let pairs = one * other + both * (one + other) + both * (both - 1) / 2
        return Double(pairs) / Double(sides.count * (sides.count - 1) / 2)
    }

    // MARK: What an event is about

    /// Where the trace shows what an event is about.
    private enum Subject {
        case itself
        case effect(Int)
        case cause(Int)
    }

    /// How many effects of effects, and causes of causes, are looked at.
    private static let depth = 4

    /// Itself, unless the trace says no more than that something came; then its first effect that does, or its
    /// last cause.
    private func subject(of step: Int) -> Subject? {
        if isExplicit(step) { return .itself }
        var (effects, cause) = ([step], step)
        for _ in 0..<Self.depth {
            effects = effects.flatMap(self.effects(of:)).sorted()
            if let explicit = effects.first(where: isExplicit) { return .effect(explicit) }
        }
        for _ in 0..<Self.depth {
            guard let next = orders[study.steps[cause].cause] else { return nil }
            if isExplicit(next) { return .cause(next) }
            cause = next
        }
        return nil
    }

    /// What is periodic brings its next time about, which is no effect of this one.
    private func effects(of step: Int) -> [Int] {
        let channel = event(at: step)?.channel
        return (effects[study.steps[step].order] ?? []).filter { effect in
            channel == nil || event(at: effect)?.channel != channel
        }
    }

    /// Whether the trace says of a step what it is about.
    private func isExplicit(_ step: Int) -> Bool {
        telling[step].map(Self.isTelling) ?? false
    }

    private func shown(_ step: Int) -> String { telling[step].map(words) ?? "" }

    private func words(_ event: TraceEvent) -> String {
        if let step = event.text("step"), event.device.isEmpty { return "the step \"\(step)\"" }
        guard !event.device.isEmpty else { return event.name }
        guard let peer = event.text("peer") else { return "\(event.name) (\(event.device))" }
        let arrives = event.name.hasSuffix(".received")
        let (from, to) = arrives ? (peer, event.device) : (event.device, peer)
        return "\(event.name) (\(from) → \(to))"
    }

    /// Whether a step comes of one of others, however far back.
    func comes(_ step: Int, of others: ClosedRange<Int>) -> Bool {
        var cause = orders[study.steps[step].cause]
        while let known = cause, !others.contains(known) {
            cause = orders[study.steps[known].cause]
        }
        return cause != nil
    }

    // MARK: Other pictures

    /// Something that happened to a device.
    struct Happening {
        /// In which event of the run.
        let id: EventID
        let event: TraceEvent
        let words: String
        /// Its words, the link and session it is about, and which of these it is.
        let name: String

        /// The step of the run, from 0.
        var step: Int { Int(event.step) - 1 }
    }

    /// What comes again and again, or says once more what has come.
    private static let repetitions = [
        "ni.didUpdate", "link.updated", "uwb.round", "app.received", "fault.command",
        "user.start", "user.stop",
    ]

    /// What happened to a device, in sequence, repeats removed.
    func happenings(at device: String) -> [Happening] {
        var counts: [String: Int] = [:]
        return study.events.filter {
            $0.step > 0 && $0.device == device && Self.isTelling($0)
                && !Self.repetitions.contains($0.name)
        }.compactMap { event in
            guard let id = self.event(at: Int(event.step) - 1) else { return nil }
            let words = words(event)
            let about = ["link", "session", "ni-session"].compactMap { key in
                event.number(key).map { "\(key) \($0)" }
            }
            let name = ([words] + about).joined(separator: ", ")
            counts[name, default: 0] += 1
            return Happening(
                id: id, event: event, words: words, name: "\(name) #\(counts[name, default: 0])")
        }
    }

    /// The two events at which this run and another one part, if they come at one time (within a nanosecond)
    /// and in another sequence: the one that is first here and later or never there, and the one that is
    /// first there and later here.
    func firstTurnedRound(in other: EventWords) -> (EventID, EventID)? {
        let (here, there) = (study.steps, other.study.steps)
        let same = zip(here, there).prefix { $0.event == $1.event }.count
        guard same < min(here.count, there.count), let first = event(at: same),
            let second = other.event(at: same), step(of: second) != nil,
            other.step(of: first).map({ $0 > same }) ?? true
        else { return nil }
        let times = [here[same], there[same]].map(\.time.nanoseconds)
        return times[0].distance(to: times[1]).magnitude <= 1 ? (first, second) : nil
    }

    /// An event of this run, in words that are true of another one as well.
    func moment(_ event: EventID, andIn other: EventWords? = nil) -> Explanation.Moment {
        Explanation.Moment(
            event: event, words: other.map { words(event, andIn: $0) } ?? words(event),
            time: step(of: event).map { study.steps[$0].time.nanoseconds },
            happens: happens(with: event).map(Explanation.Happening.init),
            about: about(event).map(Explanation.Happening.init),
            inPassing: other.map { other in
                (other.happens(with: event) + other.about(event)).map(Explanation.Happening.init)
            })
    }

    /// Where another run parts from this one; a nanosecond by which a step was moved does not count.
    func parting(from passing: EventWords) -> Explanation.Parting? {
        let (here, there) = (study.steps, passing.study.steps)
        let common = zip(here, there).prefix { one, other in
            one.event == other.event
                && one.time.nanoseconds.distance(to: other.time.nanoseconds).magnitude <= 1
        }.count
        guard common < max(here.count, there.count) else { return nil }
        return Explanation.Parting(
            step: common + 1, failing: picture(common), passing: passing.picture(common))
    }

    func shows(_ step: Int) -> Bool { telling[step] != nil }

    /// A step: its event, its time, and what the trace says of it.
    func picture(_ step: Int) -> String {
        guard study.steps.indices.contains(step) else { return "the end of the run" }
        let record = study.steps[step]
        let trace = telling[step].map { ", \(words($0))" } ?? ""
        return "\(Console.milliseconds(record.time.nanoseconds))  \(record.event)\(trace)"
    }
}

extension TraceEvent {
    /// The other devices that take part in it.
    fileprivate var others: [String] { ["peer", "between", "and"].compactMap(text) }
}

extension Explanation.Happening {
    init(_ event: TraceEvent) {
        self.init(
            number: event.number, kind: event.name,
            devices: [event.device].filter { !$0.isEmpty } + event.others,
            pdu: event.text("pdu"))
    }
}
