internal import DeviceLink
internal import PromiseLibrary
internal import Scenarios
internal import Vocabulary
internal import YAML

/// Reads what a step does: one verb, its devices and what stands beside it.
struct VerbReader {
    let mapping: YAMLMapping
    let form: VerbForm
    let cast: Cast
    private let target: YAMLNode

    /// A verb for one choice of devices, and its words for the trace.
    struct Deed {
        var verb: Verb
        var text: String
        /// The same devices, for the verb that undoes it.
        var target: String
    }

    /// The one verb among the keys of a step.
    init(_ mapping: YAMLMapping, _ cast: Cast) throws(Problem) {
        let forms = mapping.keys.compactMap(VerbForm.named)
        guard let form = forms.first, let target = mapping[form.name] else {
            throw Problem(
                "nothing says what this step does", at: mapping.node.position,
                expected: "a verb: \(VerbForm.all.map(\.name).joined(separator: ", "))")
        }
        if forms.count > 1, let node = mapping.keyNode(forms[1].name) {
            throw node.problem(
                "a step does one thing: `\(form.name)` or `\(forms[1].name)`",
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
        where VerbForm.allModifiers.contains(key) && !form.modifiers.contains(key) {
            guard let node = mapping.keyNode(key) else { continue }
            throw node.problem(
                "`\(form.name)` takes no `\(key)`",
                expected: form.modifiers.isEmpty
                    ? "nothing beside it" : form.modifiers.joined(separator: ", "))
        }
        for key in form.required where mapping[key] == nil {
            throw Problem(
                "`\(form.name)` needs `\(key)`", at: mapping.keyNode(form.name)?.position,
                length: form.name.count, expected: "`\(key):` beside it")
        }
    }

    /// What is done, once for each device that `every` stands for.
    func deeds() throws(Problem) -> [Deed] {
        switch form.target {
        case .pair:
            var deeds: [Deed] = []
            for pair in try cast.pairs(target, form.name) {
                let words = "[\(pair.first), \(pair.second)]"
                deeds.append(deed(try verb(pair), words))
            }
            return deeds
        case .device: return try perDevice { (name) throws(Problem) in try verb(name) }
        case .command(let kinds):
            return try perDevice { (name) throws(Problem) in try command(name, kinds) }
        }
    }

    private func perDevice(
        _ make: (String) throws(Problem) -> Verb
    ) throws(Problem) -> [Deed] {
        var deeds: [Deed] = []
        for name in try cast.devices(target, form.name) { deeds.append(deed(try make(name), name)) }
        return deeds
    }

    private func deed(_ verb: Verb, _ target: String) -> Deed {
        var words = ["\(form.name): \(target)"]
        for key in mapping.keys where form.modifiers.contains(key) {
            guard let node = mapping[key], key != "for" || form.undo == nil else { continue }
            words.append("\(key): \(node.flowText)")
        }
        return Deed(verb: verb, text: words.joined(separator: ", "), target: target)
    }

    /// The deed that undoes `deed`.
    func undoing(_ deed: Deed, by name: String) throws(Problem) -> Deed {
        guard let verb = deed.verb.undo else {
            preconditionFailure("`\(form.name)` has an undo `\(name)` but no verb for it")
        }
        return Deed(verb: verb, text: "\(name): \(deed.target)", target: deed.target)
    }
}

extension VerbReader {
    private func verb(_ pair: DevicePair) throws(Problem) -> Verb {
        switch form.name {
        case "disconnect":
            let reason = try mapping["reason"]?.integer("reason", in: 1...0x45) ?? 0x13
            return .disconnect(pair, reason: UInt8(reason))
        case "loss":
            return .loss(pair, try required("ratio").ratio("ratio"), duration: try lasting())
        case "uwb-loss":
            return .uwbLoss(pair, try required("ratio").ratio("ratio"), duration: try lasting())
        case "delay":
            let by = try required("by").duration("by", in: Air.delays)
            return .delay(pair, by: by, duration: try lasting())
        case "throttle":
            return .throttle(
                pair, to: try required("to").eventCapacity("to"), duration: try lasting())
        case "hold": return .hold(pair)
        case "release": return .release(pair)
        case "partition":
            let oneWay = try mapping["one-way"]?.flag("one-way") ?? false
            return .partition(pair, oneWay: oneWay, duration: try lasting())
        case "repair": return .repair(pair)
        case "obstruct": return .obstruct(pair, on: true)
        case "clear": return .obstruct(pair, on: false)
        default: preconditionFailure("`\(form.name)` is listed as a verb for two devices")
        }
    }

    private func verb(_ name: String) throws(Problem) -> Verb {
        switch form.name {
        case "move":
            let over = try mapping["over"]?.duration("over") ?? 0
            return .move(name, to: try Position(required("to"), "to"), over: over)
        case "kill":
            let answers = try mapping["after-answers"]?.integer("after-answers", in: 0...1_000) ?? 0
            return .kill(name, afterAnswers: Int(answers))
        case "restart": return .restart(name)
        case "freeze": return .freeze(name)
        case "thaw": return .thaw(name)
        case "busy":
            let by = try required("by").duration("by", in: Air.delays)
            return .busy(name, by: by, duration: try lasting())
        case "refuse-uwb": return .refuseUWB(name, count: try count())
        case "garble": return try corrupt(name, .garbage)
        case "truncate":
            let length = try required("to").integer("to", in: 0...512)
            return try corrupt(name, .truncate(to: Int(length)))
        case "extend":
            let length = try required("by").integer("by", in: 1...512)
            return try corrupt(name, .extend(by: Int(length)))
        case "corrupt": return try corrupt(name, .flip)
        default: preconditionFailure("`\(form.name)` is listed as a verb for a device")
        }
    }

    private func corrupt(_ name: String, _ corruption: Corruption) throws(Problem) -> Verb {
        let message = try mapping["message"]?.choice("message", of: Catalogue.messages)
        return .corrupt(name, message: message, corruption, count: try count())
    }

    private func count() throws(Problem) -> Int {
        Int(try mapping["count"]?.integer("count", in: 1...1_000_000) ?? 1)
    }

    private func required(_ key: String) throws(Problem) -> YAMLNode {
        try mapping.required(key, expected: "`\(key):` beside `\(form.name)`")
    }

    private func lasting() throws(Problem) -> Nanoseconds? {
        try mapping["for"]?.duration("for", in: 1...TopologyLimits.length)
    }
}

extension VerbReader {
    private func command(_ name: String, _ kinds: [Catalogue.Kind]) throws(Problem) -> Verb {
        guard let kind = cast.kind(of: name), kind == .foreign || kinds.contains(kind) else {
            throw target.problem(
                "`\(name)` does not understand `\(form.name)`",
                expected: kinds.map(\.rawValue).joined(separator: " or "))
        }
        if kind == .accessory, let node = mapping.keyNode("peer") {
            throw node.problem("an accessory's `\(form.name)` takes no `peer`")
        }
        let (command, arguments) = try commandWords()
        return .command(name, name: command, arguments: arguments)
    }

    /// The command that a verb gives, as devices know it.
    private func commandWords() throws(Problem) -> (String, [Pair]) {
        guard let command = form.command else {
            let name = try required("name").text("name", expected: "the name of a command")
            return (name, try arguments())
        }
        let peer = try mapping["peer"].read("peer", cast.device)
        let error = try mapping["error"]?.choice("error", of: Catalogue.sessionErrors)
        let more = [peer.map { Pair("peer", $0) }, error.map { Pair("error", $0) }]
        return (command.name, command.arguments + more.compactMap { $0 })
    }

    private func arguments() throws(Problem) -> [Pair] {
        guard let node = mapping["arguments"] else { return [] }
        var arguments: [Pair] = []
        for entry in try node.entries("arguments", expected: "a mapping of names to values") {
            arguments.append(Pair(entry.key, try entry.value.plainText(entry.key)))
        }
        return arguments
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
