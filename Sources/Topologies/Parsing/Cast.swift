internal import Notation
internal import YAML

/// The devices of a topology by name, as all that is read after them may name them.
struct Cast {
    /// A device and what is known about its program.
    struct Member {
        var name: String
        var kind: Catalogue.Kind
    }

    /// In the file's order.
    private(set) var members: [Member] = []
    /// Names of devices that were made by `count`, by the name they share.
    private(set) var groups: [(name: String, members: [String])] = []
    /// The length of the run.
    let length: UInt64

    init(length: UInt64) { self.length = length }

    /// The names, in the file's order.
    var names: [String] { members.map(\.name) }

    /// Adds a device.
    mutating func add(_ member: Member) { members.append(member) }

    /// Adds a group.
    mutating func addGroup(_ name: String, members: [String]) { groups.append((name, members)) }

    /// What plays a device; nil where there is none of that name.
    func kind(of name: String) -> Catalogue.Kind? { members.first { $0.name == name }?.kind }

    /// The members of a group; nil where there is none of that name.
    func group(_ name: String) -> [String]? { groups.first { $0.name == name }?.members }
}

extension Cast {
    /// The device that `node` names.
    func device(_ node: YAMLNode, _ what: String) throws(Problem) -> String {
        let name = try node.text(what, expected: "the name of a device")
        guard names.contains(name) else { throw unknown(name, node) }
        return name
    }

    /// The devices that `node` names: one, or `every GROUP`.
    func devices(_ node: YAMLNode, _ what: String) throws(Problem) -> [String] {
        let text = try node.text(what, expected: "the name of a device, or `every` and a group")
        guard text.hasPrefix("every ") else { return [try device(node, what)] }
        return try members(ofGroup: String(text.dropFirst(6)), node)
    }

    /// The devices that a list names, in its order.
    func deviceList(_ node: YAMLNode, _ what: String) throws(Problem) -> [String] {
        var found: [String] = []
        for item in try node.list(what, expected: "a list of devices, like [ben, lock]") {
            for name in try devices(item, what) {
                guard !found.contains(name) else {
                    throw item.problem("`\(name)` stands twice in `\(what)`")
                }
                found.append(name)
            }
        }
        return found
    }

    /// The pairs that a list of two names; more than one where it says `every`.
    func pairs(_ node: YAMLNode, _ what: String) throws(Problem) -> [DevicePair] {
        let expected = "two devices, like [ben, lock]"
        let items = try node.list(what, expected: expected)
        guard items.count == 2 else {
            throw node.problem(
                "`\(what)` has \(items.count == 1 ? "one device" : "\(items.count) devices")",
                expected: expected)
        }
        var pairs: [DevicePair] = []
        let seconds = try devices(items[1], what)
        for first in try devices(items[0], what) {
            pairs += seconds.filter { $0 != first }.map { DevicePair(first, $0) }
        }
        guard !pairs.isEmpty else {
            throw node.problem("`\(what)` has the same device twice", expected: expected)
        }
        return pairs
    }

    /// The members of a group that `node` names somewhere.
    func members(ofGroup name: String, _ node: YAMLNode) throws(Problem) -> [String] {
        guard let members = group(name) else {
            let known = groups.map(\.name)
            throw node.problem(
                "there is no group of devices `\(name)`",
                expected: known.isEmpty
                    ? "a device made with `count:`" : known.joined(separator: ", "),
                suggestion: Suggestion.nearest(to: name, among: known))
        }
        return members
    }

    /// The problem that nobody has this name.
    func unknown(_ name: String, _ node: YAMLNode) -> Problem {
        if group(name) != nil {
            return node.problem(
                "`\(name)` is a group of devices", expected: "every \(name), or \(name)-1")
        }
        return node.problem(
            "there is no device `\(name)`", expected: names.joined(separator: ", "),
            suggestion: Suggestion.nearest(to: name, among: names))
    }

    /// A moment of the script, which must lie within the run.
    func moment(_ node: YAMLNode, _ what: String) throws(Problem) -> UInt64 {
        let time = try node.duration(what)
        guard time <= length else { throw afterEnd(node, what) }
        return time
    }

    /// The problem that a time lies after the end.
    func afterEnd(_ node: YAMLNode, _ what: String) -> Problem {
        node.problem(
            "`\(what)` is after the run's length", expected: "at most \(YAMLNode.written(length))")
    }
}
