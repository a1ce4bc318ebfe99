import DeviceLink
import PromiseLibrary
import Promises
import Scenarios
package import YAML

extension Topology {
    /// The topology that the bytes of a file say; `file` is what messages call it.
    package init(parsing bytes: [UInt8], name: String, file: String) throws(DocumentError) {
        self = try YAMLReader.read(bytes, of: file) { document throws(Problem) in
            try Topology(document: document, name: name)
        }
    }

    private init(document: YAMLNode, name: String) throws(Problem) {
        var mistakes = Mistakes()
        let mapping = try YAMLMapping(
            document, of: "a topology", keys: TopologyKeys.topology, noting: &mistakes)
        let length = mistakes.attempt { () throws(Problem) in
            try mapping["length"]?.duration(
                "length", in: Nanoseconds.milliseconds(1)...TopologyLimits.length)
        }
        // A length that is wrong is one mistake, not one more at each moment of the file.
        self.init(
            name: name,
            length: length.map { $0 ?? Topology.standardLength } ?? TopologyLimits.length)
        mistakes.attempt { () throws(Problem) in
            about = try mapping["about"]?.text("about", expected: "a sentence") ?? ""
        }
        mistakes.attempt { () throws(Problem) in
            if let node = mapping["air"] { air = try Air(node) }
        }
        mistakes.attempt { () throws(Problem) in
            if let node = mapping["walls"] { walls = try Wall.all(node) }
        }
        let reader = mistakes.attempt { () throws(Problem) in
            let node = try mapping.required("devices", expected: "at least one device")
            return try DevicesReader(node, length: self.length)
        }
        // Without devices every name in the rest would be wrong.
        if let reader {
            mistakes.add(reader.mistakes)
            devices = reader.devices
            mistakes.attempt { () throws(Problem) in
                if let node = mapping["services"] { try readServices(node) }
                if let node = mapping["devices"] { try checkOwnServices(node) }
            }
            readScript(mapping, with: reader.cast, noting: &mistakes)
        }
        try mistakes.check()
    }

    private mutating func readScript(
        _ mapping: YAMLMapping, with cast: Cast, noting mistakes: inout Mistakes
    ) {
        mistakes.attempt { () throws(Problem) in
            if let node = mapping["links"] { links = try LinkSpec.all(node, with: cast) }
        }
        mistakes.attempt { () throws(Problem) in
            if let node = mapping["steps"] { steps = try StepsReader(cast: cast).steps(node) }
        }
        mistakes.attempt { () throws(Problem) in
            if let node = mapping["faults"] {
                randomFaults = try FaultsReader(cast: cast).faults(node)
            }
        }
        var own = Mistakes()
        properties = PropertySet(ofTopology: mapping, cast, noting: &own)
        mistakes.add(own)
        mistakes.attempt { () throws(Problem) in
            guard let node = mapping["expect"] else { return }
            let reader = try ExpectationsReader(
                node, with: cast, own: properties, knowsAllPromises: own.isEmpty)
            properties.properties += reader.properties
            expectedProperties = reader.properties.count
            expectations = reader.expectations
            mustViolate = reader.mustViolate
            sideEffects = reader.sideEffects
        }
        properties.keepNeededFluents()
    }
}
