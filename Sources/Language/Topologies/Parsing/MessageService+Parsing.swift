package import AccessoryProtocol
import Bluetooth
import DeviceLink
import Scenarios
import Vocabulary
package import YAML

extension MessageService {
    /// All of `services:`.
    package static func all(_ node: YAMLNode) throws(Problem) -> [MessageService] {
        let expected = "a list of services, like {service: UUID, receive: UUID, transmit: UUID}"
        var mistakes = Mistakes()
        var services: [MessageService] = []
        for item in try node.list("services", expected: expected) {
            mistakes.attempt { () throws(Problem) in
                let service = try MessageService(item)
                guard !services.contains(where: { $0.service == service.service }) else {
                    throw item.problem("the service \(service.service) stands twice")
                }
                services.append(service)
            }
        }
        try mistakes.check()
        guard services.count <= TopologyLimits.services else {
            throw node.problem(
                "there are too many services", expected: "at most \(TopologyLimits.services)")
        }
        return services
    }

    private init(_ node: YAMLNode) throws(Problem) {
        let mapping = try YAMLMapping(node, of: "a service", keys: TopologyKeys.service)
        func uuid(_ key: String) throws(Problem) -> BluetoothUUID {
            let expected = "a UUID of 4 or 32 hexadecimal digits"
            let node = try mapping.required(key, expected: expected)
            guard let uuid = BluetoothUUID(try node.text(key, expected: expected)) else {
                throw node.problem("`\(key)` is no UUID", expected: expected)
            }
            return uuid
        }
        self.init(
            service: try uuid("service"), receive: try uuid("receive"),
            transmit: try uuid("transmit"),
            numbers: try mapping["messages"].map(MessageNumbers.init) ?? .sample)
        guard receive != transmit else {
            throw node.problem(
                "`receive` and `transmit` are the same characteristic", expected: "two of them")
        }
    }

    /// The item of `services:` that says this.
    package var node: YAMLNode {
        var entries = [("service", service), ("receive", receive), ("transmit", transmit)].map {
            ($0.0, YAMLNode($0.1.description, style: .singleQuoted))
        }
        let own = numbers.named.map { ($0.name, YAMLNode(String($0.number))) }
        if !own.isEmpty { entries.append(("messages", YAMLNode(mapping: own, isInOneLine: true))) }
        return YAMLNode(mapping: entries, isInOneLine: true)
    }
}

extension MessageNumbers {
    /// The `messages` of a service: the numbers that differ from the sample app's.
    init(_ node: YAMLNode) throws(Problem) {
        let names = MessageID.allCases.map(\.name)
        let mapping = try YAMLMapping(node, of: "`messages`", keys: names)
        var numbers: [(id: MessageID, number: UInt8)] = []
        for id in MessageID.allCases {
            guard let node = mapping[id.name] else { continue }
            numbers.append((id, UInt8(try node.integer(id.name, in: 0...255))))
        }
        do { try self.init(numbers) } catch {
            throw node.problem("\(error)", expected: "a number of its own for each message")
        }
    }
}

extension Topology {
    /// Reads `services:`, and tells of them the reference apps, and the reference accessories that have the first.
    mutating func readServices(_ node: YAMLNode) throws(Problem) {
        services = try MessageService.all(node)
        guard let first = services.first else { return }
        let texts = services.map(\.description).joined(separator: ",")
        for place in devices.indices {
            switch devices[place].program {
            case .appleDevice:
                devices[place].parameters.append(Pair(MessageService.parameter, texts))
            case .accessory where devices[place].hasOwnService:
                devices[place].parameters.append(Pair(MessageService.parameter, first.description))
            case .accessory, .executable, .host, .dialsIn: break
            }
        }
    }

    /// Without `services:` there is none that an accessory could have.
    func checkOwnServices(_ devices: YAMLNode) throws(Problem) {
        guard services.isEmpty, self.devices.contains(where: \.hasOwnService) else { return }
        throw devices.problem(
            "a device has `service: own`, but there are no `services`",
            expected: "`services:` with the accessory's own")
    }
}

extension DeviceSpec {
    /// Whether it is a reference accessory with the first of `services`.
    fileprivate var hasOwnService: Bool {
        guard case .accessory = program else { return false }
        let own = Pair(
            AccessoryParameter.service.rawValue, AccessoryParameter.Service.own.rawValue)
        return parameters.contains(own)
    }
}
