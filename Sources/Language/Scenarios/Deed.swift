import Basics
import DeviceLink
package import Vocabulary

/// A verb with its target and what stands beside it: what a step says, before ``Verb`` gives it types.
package struct Deed: Codable, Hashable, Sendable {
    /// What it is done to.
    package enum Target: Codable, Hashable, Sendable {
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

    /// What its step says but for the moment, in the order of the table, without what is so anyhow:
    /// `loss: [ben, lock], ratio: 1/2`.
    package var words: String {
        let beside = name.form.settings.compactMap { setting -> String? in
            guard let value = settings[setting.name], value != setting.standard else { return nil }
            return "\(setting.name.rawValue): \(value.written)"
        }
        return (["\(name.rawValue): \(target.written)"] + beside).joined(separator: ", ")
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

extension Verb {
    /// What a deed does.
    ///
    /// One that breaks its verb's row is a mistake of ours: the reader has looked at every file's.
    package init(_ deed: Deed) {
        guard let verb = try? deed.verb() else {
            preconditionFailure("this is no `\(deed.name.rawValue)`: \(deed)")
        }
        self = verb
    }
}

extension Deed {
    /// Its target or a setting is of another kind than the row of its verb says.
    private struct BreaksItsRow: Error {}

    /// What it does, by the row of its verb.
    fileprivate func verb() throws -> Verb {
        switch name {
        case .disconnect: try on(.disconnect(reason: UInt8(integer(.reason))))
        case .loss: try on(.loss(ratio(.ratio), duration: lasting))
        case .uwbLoss: try on(.uwbLoss(ratio(.ratio), duration: lasting))
        case .delay: try on(.delay(by: time(.by), duration: lasting))
        case .throttle: try on(.throttle(to: integer(.to), duration: lasting))
        case .hold: try on(PairVerb.hold)
        case .release: try on(PairVerb.release)
        case .partition:
            try on(.partition(oneWay: self[.oneWay] == .flag(true), duration: lasting))
        case .repair: try on(PairVerb.repair)
        case .move: try on(.move(to: place(.to), over: time(.over)))
        case .turn:
            try on(.turn(heading: angle(.to), pitch: angle(.pitch), over: time(.over)))
        case .rotate:
            try on(.rotate(isUpright: word(.to) == VerbSetting.Orientation.portrait.rawValue))
        case .light: try on(.light(lux: UInt32(integer(.to))))
        case .obstruct: try on(.obstruct(on: true))
        case .clear: try on(.obstruct(on: false))
        case .refuseUWB:
            try on(.refuseUWB(count: integer(.count), status: UInt8(integer(.status))))
        case .kill: try on(.kill(afterAnswers: integer(.afterAnswers)))
        case .restart: try on(DeviceVerb.restart)
        case .freeze: try on(DeviceVerb.freeze)
        case .thaw: try on(DeviceVerb.thaw)
        case .busy: try on(.busy(by: time(.by), duration: lasting))
        case .garble: try spoiling(.garbage)
        case .truncate: try spoiling(.truncate(to: integer(.to)))
        case .extend: try spoiling(.extend(by: integer(.by)))
        case .corrupt: try spoiling(.flip)
        case .background, .foreground, .lock, .unlock, .suspend, .resume, .allow, .deny,
            .bluetoothOff, .bluetoothOn, .bluetoothReset, .terminate, .jetsam, .launch,
            .deleteApp, .start, .stop, .invalidate, .peerEnded, .forgetBond, .changeAddress,
            .exhaust, .replenish, .findMy, .leaveFindMy, .blockMain, .unblockMain, .command:
            try command()
        }
    }

    private func on(_ verb: PairVerb) throws -> Verb {
        guard case .pair(let pair) = target else { throw BreaksItsRow() }
        return .pair(pair, verb)
    }

    private func on(_ verb: DeviceVerb) throws -> Verb {
        guard case .device(let device) = target else { throw BreaksItsRow() }
        return .device(device, verb)
    }

    private func spoiling(_ corruption: Corruption) throws -> Verb {
        try on(.corrupt(message: word(.message), corruption, count: integer(.count)))
    }

    /// The command that a device gets.
    private func command() throws -> Verb {
        guard var command = name.form.command else {
            guard let name = word(.name), case .pairs(let pairs) = self[.arguments] else {
                throw BreaksItsRow()
            }
            return try on(.command(name: name, arguments: pairs))
        }
        for setting in [VerbSetting.Name.peer, .error] {
            guard let word = word(setting) else { continue }
            command.arguments.append(Pair(setting.rawValue, word))
        }
        return try on(.command(name: command.name, arguments: command.arguments))
    }
}

// What stands beside a verb, or holds where it does not.
extension Deed {
    private subscript(setting: VerbSetting.Name) -> VerbSetting.Value? {
        settings[setting] ?? name.form[setting]?.standard
    }

    private func integer(_ setting: VerbSetting.Name) throws -> Int {
        guard case .integer(let number) = self[setting] else { throw BreaksItsRow() }
        return Int(number)
    }

    private func time(_ setting: VerbSetting.Name) throws -> Nanoseconds {
        guard case .duration(let time) = self[setting] else { throw BreaksItsRow() }
        return time
    }

    private func angle(_ setting: VerbSetting.Name) throws -> Int32 {
        guard case .angle(let angle) = self[setting] else { throw BreaksItsRow() }
        return angle
    }

    private func ratio(_ setting: VerbSetting.Name) throws -> Ratio {
        guard case .ratio(let ratio) = self[setting] else { throw BreaksItsRow() }
        return ratio
    }

    private func place(_ setting: VerbSetting.Name) throws -> Position {
        guard case .place(let x, let y, let z) = self[setting] else { throw BreaksItsRow() }
        return Position(x: x, y: y, z: z)
    }

    private func word(_ setting: VerbSetting.Name) -> String? {
        if case .word(let word) = self[setting] { word } else { nil }
    }

    /// How long it lasts; nil for to the end.
    private var lasting: Nanoseconds? {
        if case .duration(let time) = self[.lasting] { time } else { nil }
    }
}
