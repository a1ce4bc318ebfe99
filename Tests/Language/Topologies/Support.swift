import Scenarios
import Testing
import Topologies
import YAML

/// The topology in a text.
func topology(_ text: String) throws(DocumentError) -> Topology {
    try Topology(parsing: Array(text.utf8), name: "t", file: "t.yaml")
}

/// What is printed for a file of these bytes.
func mistake(in bytes: [UInt8]) -> String {
    do {
        _ = try Topology(parsing: bytes, name: "t", file: "t.yaml")
        return "no mistake"
    } catch {
        return error.description
    }
}

/// A phone and a lock, with `rest` below.
func phoneAndLock(_ rest: String) -> String {
    "devices: {ben: {model: iPhone 15}, lock: {profile: qorvo}}\n" + rest
}
