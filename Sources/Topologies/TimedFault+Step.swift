internal import Scenarios
internal import Vocabulary

extension TimedFault {
    /// Its step, as keys and values; nil for a verb that no random fault has.
    var entries: [(key: String, value: Written)]? {
        guard let deed else { return nil }
        return [("at", .word(Self.text(start)))] + deed
            + (length > 0 ? [("for", .word(Self.text(length)))] : [])
    }

    /// A value of a step.
    enum Written {
        case word(String)
        case pair(DevicePair)
    }

    private var deed: [(key: String, value: Written)]? {
        switch verb {
        case .disconnect(let pair, _): [("disconnect", .pair(pair))]
        case .partition(let pair, _, _): [("partition", .pair(pair))]
        case .hold(let pair): [("hold", .pair(pair))]
        case .loss(let pair, let ratio, _):
            [
                ("loss", .pair(pair)),
                ("ratio", .word("\(ratio.numerator)/\(ratio.denominator)")),
            ]
        case .uwbLoss(let pair, let ratio, _):
            [
                ("uwb-loss", .pair(pair)),
                ("ratio", .word("\(ratio.numerator)/\(ratio.denominator)")),
            ]
        case .delay(let pair, let by, _): [("delay", .pair(pair)), ("by", .word(Self.text(by)))]
        case .throttle(let pair, let count, _):
            [("throttle", .pair(pair)), ("to", .word("\(count)"))]
        case .busy(let device, let by, _):
            [("busy", .word(device)), ("by", .word(Self.text(by)))]
        case .refuseUWB(let device, 1): [("refuse-uwb", .word(device))]
        case .freeze(let device): [("freeze", .word(device))]
        case .kill(let device, let answers):
            [("kill", .word(device))]
                + (answers > 0 ? [("after-answers", .word("\(answers)"))] : [])
        case .corrupt(let device, _, .flip, _): [("corrupt", .word(device))]
        case .command(let device, "bluetooth", _): [("bluetooth-off", .word(device))]
        case .command(let device, let name, _) where VerbForm.named(name) != nil:
            [(name, .word(device))]
        default: nil
        }
    }
}
