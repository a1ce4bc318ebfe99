internal import DeviceLink
internal import Topologies

/// What the script keeps of a verb: whether it is a fault, how long it lasts, and what undoes it.
extension Verb {
    /// Commands that start a disturbance, and the one that ends it.
    private static let disturbances: [(begin: String, end: String)] = [
        ("background", "foreground"), ("lock", "unlock"), ("suspend", "resume"),
        ("terminate", "launch"),
    ]

    /// Whether it is something we do to a run on purpose so that it goes wrong.
    var isFault: Bool {
        switch self {
        case .move, .obstruct: false
        case .command(_, let name, _): name != "start" && name != "stop"
        default: true
        }
    }

    /// Whether the disturbance goes on until something ends it.
    var isLasting: Bool {
        switch self {
        case .loss(_, let ratio, _): ratio.numerator > 0
        case .delay(_, let delay, _): delay > 0
        case .throttle, .hold, .partition, .kill, .freeze, .corrupt, .refuseUWB: true
        case .command(_, let name, let arguments):
            Self.disturbances.contains { $0.begin == name }
                || arguments.contains { $0 == Pair("power", "off") || $0 == Pair("on", "true") }
        case .disconnect, .release, .repair, .restart, .thaw, .move, .obstruct: false
        }
    }

    /// The verb whose disturbance this one ends; nil where it ends none.
    var ended: Verb? {
        switch self {
        case .release, .repair, .restart, .thaw: self
        case .loss(_, let ratio, _): ratio.numerator == 0 ? self : nil
        case .delay(_, let delay, _): delay == 0 ? self : nil
        case .command(_, let name, let arguments):
            Self.disturbances.contains { $0.end == name }
                || arguments.contains { $0 == Pair("power", "on") || $0 == Pair("on", "false") }
                ? self : nil
        default: nil
        }
    }

    /// Whether `other` ends the disturbance that this verb began.
    func isEnded(by other: Verb) -> Bool {
        switch (self, other) {
        case (.hold(let mine), .release(let theirs)): mine == theirs
        case (.partition(let mine, _, _), .repair(let theirs)),
            (.partition(let mine, _, _), .partition(let theirs, _, _)):
            mine.isSame(as: theirs)
        case (.loss(let mine, _, _), .loss(let theirs, _, _)),
            (.delay(let mine, _, _), .delay(let theirs, _, _)),
            (.throttle(let mine, _, _), .throttle(let theirs, _, _)):
            mine.isSame(as: theirs)
        case (.kill(let mine, _), .restart(let theirs)), (.freeze(let mine), .thaw(let theirs)):
            mine == theirs
        case (.refuseUWB(let mine, _), .refuseUWB(let theirs, _)): mine == theirs
        case (.corrupt, .corrupt), (.kill, .kill), (.freeze, .freeze), (.hold, .hold): self == other
        case (.command(let mine, let begin, _), .command(let theirs, let end, _)):
            mine == theirs
                && (begin == end
                    || Self.disturbances.contains { $0.begin == begin && $0.end == end })
        default: false
        }
    }

    /// How long the disturbance lasts by itself.
    var duration: UInt64? {
        switch self {
        case .loss(_, _, let duration), .delay(_, _, let duration), .throttle(_, _, let duration),
            .partition(_, _, let duration):
            duration
        default: nil
        }
    }

    /// What undoes a disturbance with a duration.
    var reverse: Verb? {
        switch self {
        case .loss(let pair, _, _): .loss(pair, .zero, duration: nil)
        case .delay(let pair, _, _): .delay(pair, by: 0, duration: nil)
        case .throttle(let pair, _, _): .throttle(pair, to: 4, duration: nil)
        case .partition(let pair, _, _): .repair(pair)
        case .freeze(let device): .thaw(device)
        case .kill(let device, _): .restart(device)
        case .hold(let pair): .release(pair)
        case .command(let device, let name, let arguments):
            Self.reverse(of: name, arguments).map { .command(device, name: $0.0, arguments: $0.1) }
        default: nil
        }
    }

    private static func reverse(of name: String, _ arguments: [Pair]) -> (String, [Pair])? {
        if let pair = disturbances.first(where: { $0.begin == name }) { return (pair.end, []) }
        if arguments == [Pair("power", "off")] { return (name, [Pair("power", "on")]) }
        if arguments == [Pair("on", "true")] { return (name, [Pair("on", "false")]) }
        return nil
    }

    /// The device it is done to; nil for a pair.
    var target: String? {
        switch self {
        case .move(let device, _, _), .kill(let device, _), .restart(let device),
            .freeze(let device),
            .thaw(let device), .corrupt(let device, _, _, _), .refuseUWB(let device, _),
            .command(let device, _, _):
            device
        default: nil
        }
    }

    /// The kind of its event in the trace.
    var kind: String {
        switch self {
        case .disconnect: "fault.disconnect"
        case .loss: "fault.loss"
        case .delay: "fault.delay"
        case .throttle: "fault.throttle"
        case .hold: "fault.hold"
        case .release: "fault.release"
        case .partition: "fault.partition"
        case .repair: "fault.repair"
        case .move: "fault.move"
        case .obstruct: "fault.obstruct"
        case .kill: "fault.kill"
        case .restart: "fault.restart"
        case .freeze: "fault.freeze"
        case .thaw: "fault.thaw"
        case .corrupt: "fault.corrupt"
        case .refuseUWB: "fault.refuse-uwb"
        case .command: "fault.command"
        }
    }

    /// The fields of its event in the trace.
    var fields: [Field] {
        switch self {
        case .disconnect(let pair, let reason):
            pair.fields + [Field("reason", .number(Int64(reason)))]
        case .loss(let pair, let ratio, _):
            pair.fields + [Field("ratio", .text("\(ratio.numerator)/\(ratio.denominator)"))]
        case .delay(let pair, let delay, _): pair.fields + [Field("by", .number(Int64(delay)))]
        case .throttle(let pair, let count, _): pair.fields + [Field("to", .number(Int64(count)))]
        case .hold(let pair), .release(let pair), .repair(let pair), .obstruct(let pair, _):
            pair.fields
        case .partition(let pair, let oneWay, _): pair.fields + [Field("one-way", .flag(oneWay))]
        case .kill(_, let answers): [Field("after-answers", .number(Int64(answers)))]
        case .corrupt(_, let message, _, let count):
            [Field("message", .text(message ?? "any")), Field("count", .number(Int64(count)))]
        case .refuseUWB(_, let count): [Field("count", .number(Int64(count)))]
        case .command(_, let name, let arguments):
            [Field("command", .text(name))] + arguments.map { Field($0.name, .text($0.value)) }
        case .move, .restart, .freeze, .thaw: []
        }
    }
}

extension DevicePair {
    /// Whether the same two devices are meant, in any order.
    func isSame(as other: DevicePair) -> Bool {
        self == other || self == DevicePair(other.second, other.first)
    }

    fileprivate var fields: [Field] {
        [Field("between", .text(first)), Field("and", .text(second))]
    }
}
