import Basics
package import Traces
package import Vocabulary
package import YAML

/// The devices of a topology by name, as all that is read after them may name them.
package struct Cast {
    /// A device and what is known about its program.
    package struct Member {
        package var name: String
        package var kind: Catalogue.Kind
        /// Nil where nothing says it.
        package var role: DeviceRole?

        package init(name: String, kind: Catalogue.Kind, role: DeviceRole?) {
            self.name = name
            self.kind = kind
            self.role = role
        }
    }

    /// In the file's order.
    package private(set) var members: [Member] = []
    /// Names of devices that were made by `count`, by the name they share.
    package private(set) var groups: [(name: String, members: [String])] = []
    /// The length of the run.
    package let length: UInt64

    package init(length: UInt64) { self.length = length }

    /// The names, in the file's order.
    package var names: [String] { members.map(\.name) }

    package mutating func add(_ member: Member) { members.append(member) }

    /// Adds a group: the devices that `count` made of one entry.
    package mutating func addGroup(_ name: String, members: [String]) {
        groups.append((name, members))
    }

    /// What plays a device; nil where there is none of that name.
    package func kind(of name: String) -> Catalogue.Kind? {
        members.first { $0.name == name }?.kind
    }

    /// What a device is in a session; nil where nothing says it.
    package func role(of name: String) -> DeviceRole? {
        members.first { $0.name == name }?.role
    }

    /// The members of a group; nil where there is none of that name.
    package func group(_ name: String) -> [String]? { groups.first { $0.name == name }?.members }
}

extension Cast {
    /// The device that `node` names.
    package func device(_ node: YAMLNode, for what: String) throws(Problem) -> String {
        let name = try node.text(what, expected: "the name of a device")
        guard names.contains(name) else { throw unknown(name, at: node) }
        return name
    }

    /// The devices that `node` names: one, or `every GROUP`.
    package func devices(_ node: YAMLNode, for what: String) throws(Problem) -> [String] {
        let text = try node.text(what, expected: "the name of a device, or `every` and a group")
        guard text.hasPrefix("every ") else { return [try device(node, for: what)] }
        return try members(ofGroup: String(text.dropFirst(6)), at: node)
    }

    /// The devices that a list names, in its order.
    package func deviceList(_ node: YAMLNode, for what: String) throws(Problem) -> [String] {
        var found: [String] = []
        for item in try node.list(what, expected: "a list of devices, like [ben, lock]") {
            for name in try devices(item, for: what) {
                guard !found.contains(name) else {
                    throw item.problem("`\(name)` stands twice in `\(what)`")
                }
                found.append(name)
            }
        }
        return found
    }

    /// The members of a group that `node` names somewhere.
    package func members(ofGroup name: String, at node: YAMLNode) throws(Problem) -> [String] {
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

    /// The problem that no device has this name.
    package func unknown(_ name: String, at node: YAMLNode) -> Problem {
        if group(name) != nil {
            return node.problem(
                "`\(name)` is a group of devices", expected: "every \(name), or \(name)-1")
        }
        return node.problem(
            "there is no device `\(name)`", expected: names.joined(separator: ", "),
            suggestion: Suggestion.nearest(to: name, among: names))
    }

    /// A moment of the script, which must lie within the run.
    package func moment(_ node: YAMLNode, for what: String) throws(Problem) -> UInt64 {
        let time = try node.duration(what)
        guard time <= length else { throw afterEnd(node, for: what) }
        return time
    }

    /// The problem that a time lies after the end.
    package func afterEnd(_ node: YAMLNode, for what: String) -> Problem {
        node.problem(
            "`\(what)` is after the run's length", expected: "at most \(YAMLNode.written(length))")
    }
}
