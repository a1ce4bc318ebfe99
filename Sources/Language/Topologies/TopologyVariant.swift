package import AccessoryProtocol
import DeviceLink
import Scenarios
import Vocabulary
import YAML

/// A topology file with something changed: other programs play its devices, defects are off, or another one is on.
package struct TopologyVariant: Equatable, Sendable {
    /// A program that somebody else wrote.
    package struct Program: Equatable, Sendable {
        /// The path, absolute or from the working folder.
        package var path: String
        package var arguments: [String]
        /// How it reaches its controller, where it speaks HCI; nil where it speaks DeviceLink.
        package var way: HostWay?

        package init(_ path: String, arguments: [String] = [], way: HostWay? = nil) {
            self.path = path
            self.arguments = arguments
            self.way = way
        }

        /// The key and the value of a topology that say what it is.
        fileprivate var words: [(String, YAMLNode)] {
            guard let way else { return [("run", TopologyVariant.quoted(path))] }
            let hasChip = arguments.contains { $0.contains("{uci}") }
            return [
                ("hci", TopologyVariant.quoted(path)),
                (way.side, YAMLNode(way.transport, style: .plain)),
            ]
                + (hasChip ? [("uci", YAMLNode("true", style: .plain))] : [])
        }
    }

    /// Who waits for the other, a host or its controller, and where.
    package enum HostWay: String, CaseIterable, Sendable {
        case unix, tcp, pty
        case dialUnix = "dial-unix"
        case dialTCP = "dial-tcp"

        fileprivate var side: String { rawValue.hasPrefix("dial-") ? "dial" : "listen" }
        fileprivate var transport: String { rawValue.replacing("dial-", with: "") }
    }

    /// Which parameters of a reference device are handed to the program that plays it instead.
    package enum Parameters: Equatable, Sendable {
        case all
        /// Those of an Apple device's system, which mean the same whatever app runs there.
        case ofTheSystem
        case none
    }

    /// The program that plays every reference accessory.
    package var accessory: Program?
    /// The program that plays every reference Apple device.
    package var app: Program?
    /// How that program speaks: the reference app is one that fits it.
    package var manner = AccessoryManner()
    /// Which parameters these programs get.
    package var parameters = Parameters.all
    /// The profile of every reference accessory, or of the program that plays it; nil for the file's.
    package var profile: String?
    /// Whether defects are switched off, and nothing is expected to be broken.
    package var isHealthy = false
    package struct Defect: Equatable, Sendable {
        /// The name of the device, or of its group; nil for every reference device that can have it.
        package let device: String?
        package let name: String

        package init(device: String? = nil, name: String) {
            (self.device, self.name) = (device, name)
        }
    }

    /// Defects that are switched on.
    ///
    /// A device that is named has it if it is a program of somebody else's, who knows
    /// what it can have, or a reference device that can.
    package var defects: [Defect] = []
    /// Services for messages, besides those of the file.
    package var services: [MessageService] = []
    /// Whether expectations are dropped: they may be about the program that was replaced.
    package var expectsNothing = false

    package init() {}

    /// The text of a file with the change; a text that is no topology is left as it is, for its reader
    /// to say what is wrong.
    package func text(of text: String) -> String {
        // Checked by the careful reader before anything else reads it.
        guard let topology = try? Topology(parsing: Array(text.utf8), name: "", file: ""),
            var file = YAMLReader.tree(of: text)
        else { return text }
        for device in file["devices"]?.entries ?? [] {
            file["devices"]?[device.key] = changed(device.value, named: device.key, in: topology)
        }
        if !services.isEmpty {
            let all = topology.services + services.filter { !topology.services.contains($0) }
            file["services"] = YAMLNode(list: all.map(\.node))
        }
        if expectsNothing {
            file["expect"] = nil
        } else if isHealthy {
            file["expect"] = file["expect"].flatMap(Self.withoutViolations)
        }
        return file.document
    }

    /// Whether devices go by what the file says.
    ///
    /// What somebody else's program goes by nobody knows: both ends meet by Bluetooth then, as R4's service wants it
    /// (4.2.4).
    private var keepsTransport: Bool { accessory == nil && app == nil }

    private static let transport = AccessoryParameter.transport.rawValue

    private func changed(
        _ node: YAMLNode, named name: String, in topology: Topology
    ) -> YAMLNode {
        var device = node
        if device["bonded"]?.string == "true", let bonds = Self.bonds(of: name, in: topology) {
            device["bonded"] = bonds
        }
        if isHealthy { device["defects"] = nil }
        if !keepsTransport { device[Self.transport] = nil }
        let isAccessory = device["profile"] != nil
        let kind: Catalogue.Kind =
            isAccessory ? .accessory : device["model"] != nil ? .appleDevice : .foreign
        let known = Catalogue.defects(of: kind).map(\.name)
        switchOn(
            defects.filter { $0.device ?? name == name && known.contains($0.name) }, in: &device)
        if isAccessory, let profile { device["profile"] = YAMLNode(profile) }
        let given = Self.parameters(of: name, in: topology).filter {
            keepsTransport || $0.name != Self.transport
        }
        if isAccessory, let accessory {
            var played = Self.played(
                by: accessory, insteadOf: device, model: device["profile"]?.string,
                giving: parameters == .all ? given : [])
            // We pair on its behalf, unless it is told how to pair; a host behind HCI does so by itself.
            if parameters != .all, accessory.way == nil {
                for name in Self.security { played[name] = device[name] }
            }
            if let time = manner.answersWithin {
                played["answers-within"] = YAMLNode(YAMLNode.written(time))
            }
            return switchedOn(name, played)
        }
        if kind == .appleDevice, app == nil { fit(&device) }
        if let app, device["model"] != nil,
            ["run", "hci", "dials-in"].allSatisfy({ device[$0] == nil })
        {
            return switchedOn(
                name,
                Self.played(
                    by: app, insteadOf: device, model: device["model"]?.string,
                    giving: given.filter(isGiven)))
        }
        return kind == .foreign ? switchedOn(name, device) : device
    }

    /// Makes the reference app one for an accessory of this manner: it waits a second longer than an answer takes.
    private func fit(_ device: inout YAMLNode) {
        if !manner.asksFirst {
            device[AppParameter.asksFirst.rawValue] = YAMLNode("false", style: .plain)
        }
        let patience = (manner.answersWithin ?? 0) + .seconds(1)
        if patience > AppParameter.requestTimeout.standard() {
            device[AppParameter.requestTimeout.rawValue] = YAMLNode(YAMLNode.written(patience))
        }
    }

    /// A device that is a program of somebody else's, with the defects that it is said to have.
    private func switchedOn(_ name: String, _ program: YAMLNode) -> YAMLNode {
        var program = program
        switchOn(defects.filter { $0.device == name }, in: &program)
        return program
    }

    private func switchOn(_ defects: [Defect], in device: inout YAMLNode) {
        guard !defects.isEmpty else { return }
        device["defects"] = YAMLNode(list: defects.map { YAMLNode($0.name) })
    }

    /// Whether a defect is switched on in a text at all.
    package func switchesOn(_ defect: Defect, in text: String) -> Bool {
        var without = self
        without.defects.removeAll { $0 == defect }
        return without.text(of: text) != self.text(of: text)
    }

    private func isGiven(_ parameter: Pair) -> Bool {
        switch parameters {
        case .all: true
        case .ofTheSystem: Catalogue.isOfTheSystem(parameter.name)
        case .none: false
        }
    }

    /// The parameters of an entry of `devices:`, as they go over the link; of a group, those that all its
    /// members have.
    private static func parameters(of name: String, in topology: Topology) -> [Pair] {
        let members = members(of: name, in: topology)
        // An app of somebody else's knows its services.
        return (members.first?.parameters ?? []).filter { pair in
            pair.name != MessageService.parameter
                && members.allSatisfy { $0.parameters.contains(pair) }
        }
    }

    /// The devices of an entry: one, or those of a group.
    private static func members(of name: String, in topology: Topology) -> [DeviceSpec] {
        let single = topology.devices.filter { $0.name == name }
        guard single.isEmpty else { return single }
        return topology.devices.filter { device in
            device.name.hasPrefix(name + "-")
                && Int(device.name.dropFirst(name.count + 1)) != nil
        }
    }

    /// By name: `true` means all devices of the other kind, and a foreign program has no kind.
    private static func bonds(of name: String, in topology: Topology) -> YAMLNode? {
        let names = members(of: name, in: topology).first?.bonded ?? []
        return names.isEmpty ? nil : YAMLNode(list: names.map(quoted))
    }

    /// What a device keeps that somebody else's program plays: where it is, and whom it knows.
    private static let kept = [
        "count", "at", "grid", "heading", "orientation", "light", "path", "start", "bonded",
        "answers-within",
    ]

    private static let security = Catalogue.securityParameters.map(\.name)

    private static func played(
        by program: Program, insteadOf device: YAMLNode, model: String?, giving parameters: [Pair]
    ) -> YAMLNode {
        var played = YAMLNode(mapping: program.words)
        if !program.arguments.isEmpty {
            played["arguments"] = YAMLNode(list: program.arguments.map(quoted))
        }
        if let model { played["model"] = quoted(model) }
        if !parameters.isEmpty {
            played["parameters"] = YAMLNode(mapping: parameters.map { ($0.name, quoted($0.value)) })
        }
        for entry in device.entries ?? [] where kept.contains(entry.key) {
            played[entry.key] = entry.value
        }
        return played
    }

    private static func quoted(_ text: String) -> YAMLNode { YAMLNode(text, style: .singleQuoted) }

    /// Expectations but for those that a promise is broken; nil where none is left.
    private static func withoutViolations(_ node: YAMLNode) -> YAMLNode? {
        guard let list = node.items else { return node.isViolation ? nil : node }
        let kept = list.filter { !$0.isViolation && !$0.isSideEffect }
        return kept.isEmpty ? nil : YAMLNode(list: kept)
    }
}
