package import DeviceLink

/// What a draw is for.
///
/// Together with the channel and the ordinal it is the decision's identity.
package enum Purpose: UInt64, CaseIterable, Sendable {
    /// How long after its earliest moment a picked event happens.
    case delay = 1
    /// How strongly an event wants to be the next one, at one look of the random scheduler.
    case pick
    /// Whether a connection event, an advertisement or a ranging round is lost.
    case loss
    /// The 0–10 ms that every advertising event is late (Core Spec Vol 6 Part B 4.4.2.2).
    case advertisingDelay
    /// Where in its interval a periodic thing begins: connection anchor, advertising, ranging.
    case phase
    /// Which of several initiators gets the connection.
    case initiator
    /// The error of a measured distance.
    case noise
    /// The key of a device's randomness, and of a bond.
    case key
    /// The bytes that spoil a message.
    case spoil
    /// Whether, when and how long a random fault happens.
    case fault
    /// The priority of a channel, or of a chain of events.
    case priority
    /// Where a schedule by priorities, or by few delays, changes its mind.
    case changePoint
    /// Whether the events of a schedule take the time that they have.
    case spread
    case clog
    /// How long devices are starved, and which.
    case starvation
    /// Whether the events that reach a device are selected.
    case selection
    /// How much longer than the straight line the way around an obstacle is.
    case detour
    /// Whether a radio hears that its peer ends the session.
    case end
    /// Whether a round misses because the devices are far apart.
    case fading

    /// Whether it is a matter of who happens when, which a schedule says by itself.
    var isOfTheOrder: Bool {
        switch self {
        case .delay, .pick, .priority, .changePoint, .spread, .clog, .starvation, .selection: true
        case .loss, .advertisingDelay, .phase, .initiator, .noise, .key, .spoil, .fault,
            .detour, .end, .fading:
            false
        }
    }
}

/// One decision as it is recorded: which it was, and its value where that is not the plainest.
package struct RecordedDecision: Hashable, Sendable {
    /// `CHANNEL #ORDINAL PURPOSE`, for example `link ben/0-lock/0 1 to ben #12 delay`, and for a pick
    /// how often the event was looked at before, unless never.
    package var identity: String
    /// The value; 0 is the plainest, and of a key the seed's own.
    package var value: UInt64

    /// A recorded decision.
    package init(identity: String, value: UInt64) {
        self.identity = identity
        self.value = value
    }
}

extension RecordedDecision {
    /// Whether it is a matter of who happens when.
    package var isOfTheOrder: Bool { DecisionID(identity)?.purpose.isOfTheOrder ?? false }
}

/// Where every drawn value comes from: a function of the seed and the decision's identity, unless a
/// recording says otherwise.
package struct Decisions: Sendable {
    /// Who is deciding: the name of a channel and its key.
    package struct Owner: Sendable {
        /// The name of the channel.
        package let label: String
        /// Its key, whatever the seed.
        package let key: Keyed

        package init(_ label: String) {
            self.label = label
            key = Keyed(0).with(label)
        }
    }

    /// Which decisions are kept for a recording.
    package enum Recording: Sendable {
        case nothing, everything
        /// What a schedule does not say by itself.
        case besideTheOrder

        func keeps(_ purpose: Purpose) -> Bool {
            switch self {
            case .nothing: false
            case .everything: true
            case .besideTheOrder: !purpose.isOfTheOrder
            }
        }
    }

    /// What became of a recorded value.
    private enum Use {
        /// Nobody asked for it.
        case none
        /// It stands for the plainest one.
        case plain
        case told
    }

    private let seed: Keyed
    /// The seed of the keys, by which devices are who they are.
    private let keySeed: Keyed
    /// Values that a recording fixes, and what became of them; looked up only.
    private var fixed: [DecisionID: (value: UInt64, use: Use)] = [:]
    /// The recording's own words for them.
    private let replaying: [(decision: RecordedDecision, id: DecisionID?)]
    /// Whether a recording is complete: what it does not mention is the plainest.
    private let isComplete: Bool
    /// Whether that is not so for decisions of the order.
    private let drawsOrder: Bool
    package var recording: Recording
    /// What was decided so far other than plainly, in order.
    package private(set) var recorded: [RecordedDecision] = []
    /// The names of channels by their keys, where decisions are recorded; looked up only.
    private var labels: [Keyed: String] = [:]

    /// Decisions of a seed.
    ///
    /// - Parameters:
    ///   - seed: The seed of the run.
    ///   - keySeed: The seed of the keys, where that is another one.
    ///   - replaying: Values that hold instead of the seed's own.
    ///   - isComplete: Whether every decision not in `replaying` is the plainest, as in a full recording:
    ///     0, and of a key the seed's own, because a device with another key is another device.
    ///   - drawsOrder: Whether a full recording leaves out who happens when, which is drawn.
    ///   - records: Whether to keep what is decided.
    package init(
        seed: UInt64, keySeed: UInt64? = nil, replaying: [RecordedDecision] = [],
        isComplete: Bool = false, drawsOrder: Bool = false, records: Bool = false
    ) {
        self.seed = Keyed(seed)
        self.keySeed = Keyed(keySeed ?? seed)
        self.drawsOrder = drawsOrder
        self.isComplete = isComplete
        self.replaying = replaying.map { ($0, DecisionID($0.identity)) }
        recording = records ? .everything : .nothing
        for case (let decision, let id?) in self.replaying { fixed[id] = (decision.value, .none) }
    }

    /// Decisions of the recording that never came up, sorted: it belongs to another run.
    package var unusedIdentities: [String] {
        replaying.filter { use(of: $0.id) == .none }.map(\.decision.identity).sorted()
    }

    /// The decisions of the recording without which a complete one gives the same run: they never came
    /// up, or there was nothing to decide.
    package var idle: [RecordedDecision] {
        replaying.filter { use(of: $0.id) != .told }.map(\.decision)
    }

    private func use(of id: DecisionID?) -> Use { id.flatMap { fixed[$0]?.use } ?? .none }

    /// Whether the names of channels are needed, because decisions are recorded.
    package var keepsNames: Bool { recording != .nothing }

    /// Remembers the name of a channel whose events are decided about.
    package mutating func learn(_ owner: Owner) { labels[owner.key] = owner.label }

    /// A value below `bound`; 0 for a bound of 0.
    package mutating func below(
        _ bound: UInt64, _ owner: Owner, _ ordinal: UInt64, _ purpose: Purpose
    ) -> UInt64 {
        decide(bound, DecisionID(owner.key, ordinal, purpose)) { _ in owner.label }
    }

    /// A value below `bound` about an event that could happen now, at the present look at it.
    package mutating func below(_ bound: UInt64, of head: Head, _ purpose: Purpose) -> UInt64 {
        let look = purpose == .pick ? UInt64(head.looks) : 0
        let id = DecisionID(head.owner, head.ordinal, purpose, look: look)
        return decide(bound, id, id.drawn(seed).with(look)) { $0.labels[head.owner] ?? "?" }
    }

    /// A value below `bound` about the channel of an event that could happen now.
    package mutating func below(
        _ bound: UInt64, channelOf head: Head, _ ordinal: UInt64, _ purpose: Purpose
    ) -> UInt64 {
        decide(bound, DecisionID(head.owner, ordinal, purpose)) { $0.labels[head.owner] ?? "?" }
    }

    /// A value below `bound` about the device that an event reaches.
    package mutating func below(
        _ bound: UInt64, deviceOf head: Head, _ ordinal: UInt64, _ purpose: Purpose
    ) -> UInt64 {
        decide(bound, DecisionID(Keyed(UInt64(head.device)), ordinal, purpose)) { _ in
            "\(DecisionID.device)\(head.device)"
        }
    }

    /// Values below `recordedFrom` mean the same as 0, and are not recorded.
    private mutating func decide(
        _ bound: UInt64, _ id: DecisionID, _ drawn: Keyed? = nil, recordedFrom: UInt64 = 1,
        _ label: (Decisions) -> String
    ) -> UInt64 {
        guard bound > 1 else { return 0 }
        if id.purpose == .key { return key(bound, id, label) }
        let isPlain = isComplete && !(drawsOrder && id.purpose.isOfTheOrder)
        var value = isPlain ? 0 : (drawn ?? id.drawn(seed)).below(bound)
        if !fixed.isEmpty, let place = fixed.index(forKey: id) {
            value = min(fixed.values[place].value, bound - 1)
            fixed.values[place].use = value >= recordedFrom ? .told : .plain
        }
        if value >= recordedFrom, recording.keeps(id.purpose) {
            let text = "\(label(self)) #\(id.ordinal) \(id.purpose)"
            recorded.append(
                RecordedDecision(
                    identity: id.look == 0 ? text : "\(text) \(id.look)", value: value))
        }
        return value
    }

    /// A key is the seed's own, unless a recording says otherwise; only then it is recorded.
    private mutating func key(
        _ bound: UInt64, _ id: DecisionID, _ label: (Decisions) -> String
    ) -> UInt64 {
        let own = id.drawn(keySeed).below(bound)
        guard let place = fixed.index(forKey: id) else { return own }
        let value = min(fixed.values[place].value, bound - 1)
        fixed.values[place].use = value == own ? .plain : .told
        if value != own, recording.keeps(.key) {
            recorded.append(
                RecordedDecision(
                    identity: "\(label(self)) #\(id.ordinal) \(id.purpose)", value: value))
        }
        return value
    }

    /// Whether something of this probability happens.
    ///
    /// Decision 0 is that it does not.
    package mutating func happens(
        _ numerator: UInt64, outOf denominator: UInt64, _ owner: Owner, _ ordinal: UInt64,
        _ purpose: Purpose
    ) -> Bool {
        guard numerator > 0 else { return false }
        let first = denominator - min(numerator, denominator)
        return decide(
            denominator, DecisionID(owner.key, ordinal, purpose), recordedFrom: max(first, 1)
        ) { _ in owner.label } >= first
    }

    /// A number with all 64 bits drawn.
    package mutating func number(_ owner: Owner, _ ordinal: UInt64, _ purpose: Purpose) -> UInt64 {
        below(.max, owner, ordinal, purpose)
    }
}

/// Which decision it is: of whom, of which of its events, what for, and at which look.
private struct DecisionID: Hashable {
    let owner: Keyed
    let ordinal: UInt64
    let purpose: Purpose
    let look: UInt64

    init(_ owner: Keyed, _ ordinal: UInt64, _ purpose: Purpose, look: UInt64 = 0) {
        (self.owner, self.ordinal, self.purpose, self.look) = (owner, ordinal, purpose, look)
    }

    /// How the name of a device begins that decides as a whole.
    static let device = "device "

    /// From the text of a recording; nil where it is none.
    init?(_ identity: String) {
        var words = identity.split(separator: " ", omittingEmptySubsequences: false)[...]
        look = words.last.flatMap { UInt64($0) } ?? 0
        if look > 0 { words.removeLast() }
        guard words.count > 2, let purpose = Purpose.named[String(words.removeLast())],
            let mark = words.popLast(), mark.first == "#", let ordinal = UInt64(mark.dropFirst())
        else { return nil }
        let label = words.joined(separator: " ")
        let device = words.count == 2 && label.hasPrefix(Self.device) ? UInt64(words[1]) : nil
        owner = device.map { Keyed($0) } ?? Keyed(0).with(label)
        (self.ordinal, self.purpose) = (ordinal, purpose)
    }

    func drawn(_ seed: Keyed) -> Keyed {
        seed.with(owner).with(ordinal << 5 | purpose.rawValue)
    }
}

extension Purpose {
    fileprivate static let named = Dictionary(
        uniqueKeysWithValues: allCases.map { ("\($0)", $0) })
}
