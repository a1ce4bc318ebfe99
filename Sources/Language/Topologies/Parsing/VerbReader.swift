import DeviceLink
import PromiseLibrary
import Scenarios
import Vocabulary
import YAML

/// Reads what a step does: one verb, its devices and what stands beside it.
struct VerbReader {
    let mapping: YAMLMapping
    let form: VerbForm
    let cast: Cast
    private let target: YAMLNode

    /// A deed for one choice of devices, and its words for the trace.
    struct Spoken {
        var deed: Deed
        var text: String
    }

    /// The one verb among the keys of a step.
    init(_ mapping: YAMLMapping, with cast: Cast) throws(Problem) {
        let forms = mapping.keys.compactMap(VerbForm.named)
        guard let form = forms.first, let target = mapping[form.name.rawValue] else {
            throw Problem(
                "nothing says what this step does", at: mapping.node.position,
                expected: "a verb: \(VerbName.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if forms.count > 1, let node = mapping.keyNode(forms[1].name.rawValue) {
            throw node.problem(
                "a step does one thing: `\(form.name.rawValue)` or `\(forms[1].name.rawValue)`",
                expected: "a step for each")
        }
        self.mapping = mapping
        self.form = form
        self.cast = cast
        self.target = target
        try checkModifiers()
    }

    private func checkModifiers() throws(Problem) {
        for key in mapping.keys
        where VerbSetting.Name(rawValue: key) != nil && !form.modifiers.contains(key) {
            guard let node = mapping.keyNode(key) else { continue }
            throw node.problem(
                "`\(form.name.rawValue)` takes no `\(key)`",
                expected: form.modifiers.isEmpty
                    ? "nothing beside it" : form.modifiers.joined(separator: ", "))
        }
        for key in form.required where mapping[key] == nil {
            throw Problem(
                "`\(form.name.rawValue)` needs `\(key)`",
                at: mapping.keyNode(form.name.rawValue)?.position,
                length: form.name.rawValue.count, expected: "`\(key):` beside it")
        }
    }

    /// What is done, once for each device that `every` stands for.
    func deeds() throws(Problem) -> [Spoken] {
        var targets: [Deed.Target] = []
        switch form.target {
        case .pair:
            targets = try cast.pairs(target, for: form.name.rawValue).map { .pair($0) }
        case .device, .command:
            targets = try cast.devices(target, for: form.name.rawValue).map { .device($0) }
        }
        var deeds: [Spoken] = []
        for target in targets {
            if case .command(let kinds) = form.target, case .device(let name) = target {
                try checkCommand(to: name, for: kinds)
            }
            let deed = Deed(form.name, at: target, with: try settings())
            deeds.append(Spoken(deed: deed, text: text(of: target)))
        }
        return deeds
    }

    private func text(of target: Deed.Target) -> String {
        var words = ["\(form.name.rawValue): \(target.written)"]
        for key in mapping.keys where form.modifiers.contains(key) {
            guard let node = mapping[key], key != "for" || form.following == nil else { continue }
            words.append("\(key): \(node.flowText)")
        }
        return words.joined(separator: ", ")
    }
}

// What stands beside the verb.
extension VerbReader {
    private func settings() throws(Problem) -> [VerbSetting.Name: VerbSetting.Value] {
        var settings: [VerbSetting.Name: VerbSetting.Value] = [:]
        for setting in form.settings {
            // What `for:` lets follow is a step of its own.
            if setting.name == .lasting, form.following != nil { continue }
            guard let node = mapping[setting.name.rawValue] else { continue }
            settings[setting.name] = try value(node, of: setting)
        }
        return settings
    }

    private func value(
        _ node: YAMLNode, of setting: VerbSetting
    ) throws(Problem) -> VerbSetting.Value {
        let name = setting.name.rawValue
        switch setting.values {
        case .ratio: return .ratio(try node.ratio(name))
        case .duration(let range): return .duration(try node.duration(name, in: range))
        case .integer(let range): return .integer(try node.integer(name, in: range))
        case .flag: return .flag(try node.flag(name))
        case .choice(let words): return .word(try node.choice(name, of: words))
        case .angle(let range):
            let (low, high) = (Int64(range.lowerBound), Int64(range.upperBound))
            return .angle(try node.angle(name, in: low...high))
        case .place:
            let place = try Position(node, for: name)
            return .place(x: place.x, y: place.y, z: place.z)
        case .device: return .word(try cast.device(node, for: name))
        case .command: return .word(try node.text(name, expected: "the name of a command"))
        case .pairs:
            var pairs: [Pair] = []
            for entry in try node.entries(name, expected: "a mapping of names to values") {
                pairs.append(Pair(entry.key, try entry.value.plainText(entry.key)))
            }
            return .pairs(pairs)
        }
    }

    private func checkCommand(to name: String, for kinds: [Catalogue.Kind]) throws(Problem) {
        guard let kind = cast.kind(of: name), kind == .foreign || kinds.contains(kind) else {
            throw target.problem(
                "`\(name)` does not understand `\(form.name.rawValue)`",
                expected: kinds.map(\.rawValue).joined(separator: " or "))
        }
        if kind == .accessory, let node = mapping.keyNode("peer") {
            throw node.problem("an accessory's `\(form.name.rawValue)` takes no `peer`")
        }
    }
}

extension YAMLNode {
    /// The node in one line, as it could be written.
    var flowText: String {
        switch content {
        case .text(let text, _): text
        case .list(let items): "[" + items.map(\.flowText).joined(separator: ", ") + "]"
        case .mapping(let entries):
            "{" + entries.map { "\($0.key): \($0.value.flowText)" }.joined(separator: ", ") + "}"
        }
    }
}
