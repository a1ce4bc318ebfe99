import AccessoryFirmware
import AppleDevice
import DeviceKit
import DeviceLink
import Testing
import Vocabulary

/// The catalogue held against the devices themselves.
struct AgreementTests {
    private typealias Known = Catalogue

    @Test func bothEndsOfEveryRangeAreAcceptedAndNothingBeyond() throws {
        for kind in [Known.Kind.appleDevice, .accessory] {
            for parameter in Known.parameters(of: kind) {
                let (inside, outside) = samples(of: parameter.values)
                for value in inside {
                    #expect(throws: Never.self) { try set(parameter.name, to: value, of: kind) }
                }
                for value in outside {
                    #expect(throws: Refusal.self, "\(parameter.name): \(value)") {
                        try set(parameter.name, to: value, of: kind)
                    }
                }
            }
        }
    }

    /// Values that a device accepts, and values just beyond.
    private func samples(of values: Known.Values) -> (inside: [String], outside: [String]) {
        switch values {
        case .duration(let range):
            let below = range.lowerBound > 0 ? [String(range.lowerBound - 1)] : []
            return (
                [String(range.lowerBound), String(range.upperBound)],
                below + [String(range.upperBound + 1), "x"]
            )
        case .length(let range), .number(let range):
            return (
                [String(range.lowerBound), String(range.upperBound)],
                [String(range.lowerBound - 1), String(range.upperBound + 1), "x"]
            )
        case .choice(let words): return (words, ["x"])
        case .flag: return (["true", "false"], ["x"])
        case .text, .devices: return (["x"], [])
        }
    }

    private func set(
        _ name: String, to value: String, of kind: Known.Kind
    ) throws(Refusal) {
        // The smallest interval may not be above the largest, so both are set.
        let isInterval = name == "connection-interval-min" || name == "connection-interval-max"
        let names = isInterval ? ["connection-interval-min", "connection-interval-max"] : [name]
        var reset = Reset(name: "it", model: kind == .accessory ? "qorvo" : "iPhone12,1")
        reset.parameters = names.map { Pair($0, value) }
        // The timeout has to be more than twice the interval.
        if name == "connection-interval" {
            reset.parameters.append(Pair("connection-timeout", "32000000000"))
        }
        if kind == .accessory {
            _ = try AccessoryParameters.read(reset)
        } else {
            let app = AppParameter.allCases.map(\.rawValue)
            let settings = try SystemSettings.read(reset, appParameters: app, appDefects: [])
            _ = try AppSettings.read(settings.appLaunch)
        }
    }
}
