internal import DeviceLink
internal import Notation
package import Vocabulary

/// A verb with its target and what stands beside it: what a step says, before ``Verb`` gives it types.
package struct Deed: Equatable, Sendable {
    /// What it is done to.
    package enum Target: Equatable, Sendable {
        case pair(DevicePair)
        case device(String)
    }

    package var name: VerbName
    /// What it is done to.
    package var target: Target
    /// What stands beside it; what does not is as the table of verbs says.
    package var settings: [VerbSetting.Name: VerbSetting.Value]

    /// A verb that is done to somebody; its target and settings are of the kinds that its row says.
    package init(
        _ name: VerbName, at target: Target,
        with settings: [VerbSetting.Name: VerbSetting.Value] = [:]
    ) {
        self.name = name
        self.target = target
        self.settings = settings
    }

    /// The keys and values of its step but for the moment, in the order of the table, without what is so
    /// anyhow.
    package var entries: [(key: String, value: String)] {
        let form = name.form
        return [(name.rawValue, target.written)]
            + form.settings.compactMap { setting in
                guard let value = settings[setting.name], value != setting.standard else {
                    return nil
                }
                return (setting.name.rawValue, value.written)
            }
    }
}

extension Deed.Target {
    /// As a step has it: `[ben, lock]`.
    package var written: String {
        switch self {
        case .pair(let pair): "[\(pair.first), \(pair.second)]"
        case .device(let device): device
        }
    }
}

// What a verb takes.
extension Deed {
    /// A deed that breaks its verb's row is a mistake of ours: the reader has looked at every file's.
    private func mistake() -> Never {
        preconditionFailure("this is no `\(name.rawValue)`: \(self)")
    }

    private subscript(setting: VerbSetting.Name) -> VerbSetting.Value? {
        settings[setting] ?? name.form[setting]?.standard
    }

    fileprivate var pair: DevicePair {
        guard case .pair(let pair) = target else { mistake() }
        return pair
    }

    fileprivate var device: String {
        guard case .device(let device) = target else { mistake() }
        return device
    }

    fileprivate func integer(_ setting: VerbSetting.Name) -> Int {
        guard case .integer(let number) = self[setting] else { mistake() }
        return Int(number)
    }

    fileprivate func time(_ setting: VerbSetting.Name) -> UInt64 {
        guard case .duration(let time) = self[setting] else { mistake() }
        return time
    }

    fileprivate func angle(_ setting: VerbSetting.Name) -> Int32 {
        guard case .angle(let angle) = self[setting] else { mistake() }
        return angle
    }

    fileprivate var ratio: Ratio {
        guard case .ratio(let ratio) = self[.ratio] else { mistake() }
        return ratio
    }

    fileprivate var isOneWay: Bool { self[.oneWay] == .flag(true) }

    fileprivate var place: Position {
        guard case .place(let x, let y, let z) = self[.to] else { mistake() }
        return Position(x: x, y: y, z: z)
    }

    /// How long it lasts; nil for to the end.
    fileprivate var lasting: UInt64? {
        if case .duration(let time) = self[.lasting] { time } else { nil }
    }

    fileprivate func word(_ setting: VerbSetting.Name) -> String? {
        if case .word(let word) = self[setting] { word } else { nil }
    }

    /// The command that a device gets.
    fileprivate var command: VerbForm.Command {
        guard var command = name.form.command else {
            guard let name = word(.name), case .pairs(let pairs) = self[.arguments] else {
                mistake()
            }
            return VerbForm.Command(name: name, arguments: pairs)
        }
        for setting in [VerbSetting.Name.peer, .error] {
            guard let word = word(setting) else { continue }
            command.arguments.append(Pair(setting.rawValue, word))
        }
        return command
    }
}

extension Verb {
    /// What a deed does.
    package init(_ deed: Deed) {
        switch deed.name {
        case .disconnect: self = .disconnect(deed.pair, reason: UInt8(deed.integer(.reason)))
        case .loss: self = .loss(deed.pair, deed.ratio, duration: deed.lasting)
        case .uwbLoss: self = .uwbLoss(deed.pair, deed.ratio, duration: deed.lasting)
        case .delay: self = .delay(deed.pair, by: deed.time(.by), duration: deed.lasting)
        case .throttle: self = .throttle(deed.pair, to: deed.integer(.to), duration: deed.lasting)
        case .hold: self = .hold(deed.pair)
        case .release: self = .release(deed.pair)
        case .partition:
            self = .partition(deed.pair, oneWay: deed.isOneWay, duration: deed.lasting)
        case .repair: self = .repair(deed.pair)
        case .move: self = .move(deed.device, to: deed.place, over: deed.time(.over))
        case .turn:
            self = .turn(
                deed.device, heading: deed.angle(.to), pitch: deed.angle(.pitch),
                over: deed.time(.over))
        case .rotate:
            self = .rotate(
                deed.device, isUpright: deed.word(.to) == VerbSetting.Orientation.portrait.rawValue)
        case .light: self = .light(deed.device, lux: UInt32(deed.integer(.to)))
        case .obstruct: self = .obstruct(deed.pair, on: true)
        case .clear: self = .obstruct(deed.pair, on: false)
        case .refuseUWB:
            self = .refuseUWB(
                deed.device, count: deed.integer(.count), status: UInt8(deed.integer(.status)))
        case .kill: self = .kill(deed.device, afterAnswers: deed.integer(.afterAnswers))
        case .restart: self = .restart(deed.device)
        case .freeze: self = .freeze(deed.device)
        case .thaw: self = .thaw(deed.device)
        case .busy: self = .busy(deed.device, by: deed.time(.by), duration: deed.lasting)
        case .garble: self.init(spoiling: deed, .garbage)
        case .truncate: self.init(spoiling: deed, .truncate(to: deed.integer(.to)))
        case .extend: self.init(spoiling: deed, .extend(by: deed.integer(.by)))
        case .corrupt: self.init(spoiling: deed, .flip)
        case .background, .foreground, .lock, .unlock, .suspend, .resume, .allow, .deny,
            .bluetoothOff, .bluetoothOn, .bluetoothReset, .terminate, .jetsam, .launch,
            .deleteApp, .start, .stop, .invalidate, .peerEnded, .forgetBond, .changeAddress,
            .exhaust, .replenish,
            .findMy, .leaveFindMy, .blockMain, .unblockMain, .command:
            let command = deed.command
            self = .command(deed.device, name: command.name, arguments: command.arguments)
        }
    }

    private init(spoiling deed: Deed, _ corruption: Corruption) {
        self = .corrupt(
            deed.device, message: deed.word(.message), corruption, count: deed.integer(.count))
    }
}
