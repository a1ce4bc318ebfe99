internal import DeviceLink
internal import Promises

extension Topology {
    /// The topology that the bytes of a file say; `file` is what messages call it.
    package init(parsing bytes: [UInt8], name: String, file: String) throws(TopologyError) {
        self = try YAMLReader.read(bytes, of: file) { document throws(Problem) in
            try Topology(document: document, name: name)
        }
    }

    private init(document: YAMLNode, name: String) throws(Problem) {
        let mapping = try YAMLMapping(document, of: "a topology", keys: TopologyKeys.topology)
        let length = try mapping["length"]?.duration(
            "length", in: Nanoseconds.milliseconds(1)...TopologyLimits.length)
        self.init(name: name, length: length ?? Topology.standardLength)
        about = try mapping["about"]?.text("about", expected: "a sentence") ?? ""
        let node = try mapping.required("devices", expected: "at least one device")
        let reader = try DevicesReader(node, length: self.length)
        devices = reader.devices
        if let node = mapping["air"] { air = try Air(node) }
        try readScript(mapping, reader.cast)
    }

    private mutating func readScript(_ mapping: YAMLMapping, _ cast: Cast) throws(Problem) {
        if let node = mapping["links"] { links = try LinkSpec.all(node, cast) }
        if let node = mapping["steps"] { steps = try StepsReader(cast: cast).steps(node) }
        if let node = mapping["faults"] {
            randomFaults = try FaultsReader(cast: cast).faults(node)
        }
        properties = try PropertySet(ofTopology: mapping, cast)
        if let node = mapping["expect"] {
            let reader = try ExpectationsReader(node, cast, own: properties)
            properties.properties += reader.properties
            expectations = reader.expectations
            mustViolate = reader.mustViolate
        }
        properties.keepNeededFluents()
    }
}
