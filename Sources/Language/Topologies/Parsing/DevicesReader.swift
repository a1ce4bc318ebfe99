import DeviceLink
import PromiseLibrary
import Scenarios
import Traces
import Vocabulary
import YAML

/// Reads `devices:`, where an entry is one device or, with `count`, a group of them.
struct DevicesReader {
    private(set) var devices: [DeviceSpec] = []
    /// What is wrong with single devices; the others are read all the same.
    private(set) var mistakes = Mistakes()
    private(set) var cast: Cast
    /// What `bonded:` said, until all names are known.
    private var bonds: [(name: String, node: YAMLNode)] = []
    private var referring: [(index: Int, name: String, node: YAMLNode)] = []

    init(_ node: YAMLNode, length: Nanoseconds) throws(Problem) {
        cast = Cast(length: length)
        let entries = try node.entries("devices", expected: "a mapping of names to devices")
        guard !entries.isEmpty else {
            throw node.problem("`devices` is empty", expected: "at least one device")
        }
        for entry in entries {
            do throws(Problem) {
                try read(entry)
            } catch {
                mistakes.add(error)
                addUnread(entry)
            }
        }
        guard mistakes.isEmpty else { return }
        resolveBonds()
        resolveReferences()
    }

    /// A device that has a mistake is a device all the same: whoever names it is not wrong.
    private mutating func addUnread(_ entry: YAMLNode.Entry) {
        let name = entry.key
        guard cast.kind(of: name) == nil, cast.group(name) == nil else { return }
        let kind = ProgramReader.kind(ofUnread: entry.value)
        cast.add(Cast.Member(name: name, kind: kind, role: kind.role))
        cast.addGroup(name, members: [name])
    }

    private mutating func read(_ entry: YAMLNode.Entry) throws(Problem) {
        try Self.checkName(entry.keyNode)
        let reader = try DeviceReader(entry.value, length: cast.length)
        guard let count = try reader.count() else {
            return try add(entry.key, from: reader, number: 0, at: entry)
        }
        let names = (1...count).map { "\(entry.key)-\($0)" }
        guard cast.kind(of: entry.key) == nil else {
            throw Self.twice(entry.key, at: entry.keyNode)
        }
        for (number, name) in names.enumerated() {
            try add(name, from: reader, number: number, at: entry)
        }
        cast.addGroup(entry.key, members: names)
    }

    private mutating func add(
        _ name: String, from reader: DeviceReader, number: Int, at entry: YAMLNode.Entry
    ) throws(Problem) {
        guard cast.kind(of: name) == nil, cast.group(name) == nil else {
            throw Self.twice(name, at: entry.keyNode)
        }
        guard devices.count < TopologyLimits.devices else {
            throw entry.keyNode.problem(
                "there are too many devices", expected: "at most \(TopologyLimits.devices)")
        }
        let row = Position(x: Int64(devices.count) * 1_000, y: 0, z: 0)
        let device = try reader.device(name: name, number: number, inRow: row)
        if let node = reader.mapping["bonded"] { bonds.append((name, node)) }
        for (parameter, node) in reader.references {
            referring.append((devices.count, parameter, node))
        }
        devices.append(device)
        cast.add(Cast.Member(name: name, kind: reader.program.kind, role: device.role))
    }

    /// An accessory advertises its name, for which a scan response has 29 bytes.
    private static func checkName(_ node: YAMLNode) throws(Problem) {
        let name = try node.text("the name of a device")
        let isGood =
            name.first?.isLetter == true && name.utf8.count <= 29 && name != "every"
            && name.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
            }
        guard isGood else {
            throw node.problem(
                "`\(name)` cannot be the name of a device",
                expected: "at most 29 letters, digits, - and _, beginning with a letter")
        }
    }

    private static func twice(_ name: String, at node: YAMLNode) -> Problem {
        node.problem("there is a second device `\(name)`", expected: "another name")
    }
}

extension DevicesReader {
    /// Makes every bond known to both sides, in the order of the devices.
    private mutating func resolveBonds() {
        var bonded: [(String, String)] = []
        for (name, node) in bonds {
            do throws(Problem) {
                for peer in try partners(of: name, node) { bonded += [(name, peer), (peer, name)] }
            } catch {
                mistakes.add(error)
            }
        }
        for index in devices.indices {
            let own = bonded.filter { $0.0 == devices[index].name }.map(\.1)
            devices[index].bonded = cast.names.filter(own.contains)
        }
    }

    private func partners(of name: String, _ node: YAMLNode) throws(Problem) -> [String] {
        let kind = cast.kind(of: name)
        switch node.content {
        case .text("true", .plain):
            return cast.members.filter { $0.name != name && $0.kind != kind }.map(\.name)
        case .text("false", .plain): return []
        case .list:
            let names = try cast.deviceList(node, for: "bonded")
            guard !names.contains(name) else {
                throw node.problem("`\(name)` cannot be bonded with itself")
            }
            return names
        default:
            throw node.problem(
                "`bonded` cannot be \(node.described)", expected: "true, false or a list of devices"
            )
        }
    }

    /// Puts the names of devices into parameters that refer to them.
    private mutating func resolveReferences() {
        for (index, parameter, node) in referring {
            do throws(Problem) {
                let names = try referred(node, for: parameter, by: devices[index].name)
                let pair = Pair(parameter, names.joined(separator: ","))
                let place = devices[index].parameters.firstIndex { $0.name == parameter }
                if let place { devices[index].parameters[place] = pair }
            } catch {
                mistakes.add(error)
            }
        }
    }

    /// A list, a name, `every GROUP`, or `3 of GROUP`: the next three for each device of a group.
    private func referred(
        _ node: YAMLNode, for parameter: String, by name: String
    ) throws(Problem) -> [String] {
        if case .list = node.content { return try cast.deviceList(node, for: parameter) }
        let text = try node.text(
            parameter, expected: "a list of devices, `every GROUP` or `3 of GROUP`")
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 3, words[1] == "of", let share = Int(words[0]), share > 0 else {
            return try cast.devices(node, for: parameter)
        }
        let members = try cast.members(ofGroup: words[2], at: node)
        let number = cast.groups.lazy.compactMap { $0.members.firstIndex(of: name) }.first ?? 0
        let first = number * share
        guard first + share <= members.count else {
            throw node.problem(
                "`\(words[2])` has only \(members.count) devices, not \(share) for each",
                expected: "a greater `count`, or fewer for each")
        }
        return Array(members[first..<first + share])
    }
}

extension Catalogue.Kind {
    /// The role of all its devices; nil where nothing is known of them.
    fileprivate var role: DeviceRole? {
        switch self {
        case .appleDevice: .appleDevice
        case .accessory: .accessory
        case .foreign: nil
        }
    }
}
