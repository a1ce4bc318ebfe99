import ArgumentParser
import Basics
import Campaigns
import Conformance
import DeviceLink
import Foundation
import Orchestration
import Reports
import Schedules
import Topologies
import Traces

extension RunSettings.Hosting: ExpressibleByArgument {}
extension RunSettings.Clock: ExpressibleByArgument {}
extension ProcessHosting.Transport: ExpressibleByArgument {}
extension TopologyVariant.HostWay: ExpressibleByArgument {}

extension Strategy: ExpressibleByArgument {
    /// Reads `NAME` or `NAME:NUMBER`; nil for any other text.
    public init?(argument: String) { self.init(argument) }

    public static var allValueStrings: [String] { names }

    public var defaultValueDescription: String { name }
}

extension RunSettings.Defect: ExpressibleByArgument {
    /// Reads `DEVICE=NAME`; nil for any other text.
    public init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        self.init(device: String(parts[0]), name: String(parts[1]))
    }
}

extension TopologyVariant.Defect {
    /// Reads `NAME`, or `DEVICE=NAME`.
    init(argument: String) {
        let one = RunSettings.Defect(argument: argument)
        self.init(device: one?.device, name: one?.name ?? argument)
    }
}

extension RunSettings.ProgramPlace: ExpressibleByArgument {
    /// Reads `DEVICE=PATH`; nil for any other text.
    public init?(argument: String) {
        guard let defect = RunSettings.Defect(argument: argument) else { return nil }
        self.init(device: defect.device, path: defect.name)
    }
}

extension OutputFormat: ExpressibleByArgument {}

extension ResultShape: ExpressibleByArgument {}

extension ConformanceGate.Demand: ExpressibleByArgument {}

extension SearchBudget: ExpressibleByArgument {}

extension Topic: ExpressibleByArgument {}

extension FaultSource: ExpressibleByArgument {}

extension Search: ExpressibleByArgument {
    public static var allValueStrings: [String] { Strategy.names + ["exhaustive:N"] }
}

/// A whole number, at least 0.
func wholeNumber<Number: FixedWidthInteger>(_ text: String) throws -> Number {
    guard let number = Number(text), number >= 0 else {
        throw ValidationError("expected a whole number from 0 to \(Number.max)")
    }
    return number
}

/// What `read` makes of a text, which has to be what is expected.
func demanding<Value>(
    _ expected: String, _ read: @escaping @Sendable (String) -> Value?
) -> @Sendable (String) throws -> Value {
    { text in
        guard let value = read(text) else { throw ValidationError("expected \(expected)") }
        return value
    }
}

/// A range of seeds, both ends included, or one seed: `1..100` or `7`.
struct SeedRange {
    let seeds: ClosedRange<UInt64>
    private static let limit: UInt64 = 10_000_000

    init(_ text: String) throws {
        let parts = text.components(separatedBy: "..")
        guard parts.count <= 2, let first = UInt64(parts[0]),
            let last = UInt64(parts[parts.count - 1])
        else {
            throw ValidationError("expected FIRST..LAST, for example 1..100, or one seed")
        }
        guard first <= last else {
            throw ValidationError("the first seed is greater than the last")
        }
        guard last - first < Self.limit else {
            throw ValidationError("expected at most \(Self.limit) seeds")
        }
        seeds = first...last
    }
}

/// A time by the wall clock, written as durations in a topology are: `500ms`, `90s`, `10min` or `2h`.
struct WallTime: CustomStringConvertible {
    private let nanoseconds: UInt64

    init(seconds: UInt64) { nanoseconds = seconds * 1_000_000_000 }

    /// In the units of a topology, or in hours; `m` is no length here.
    init(_ text: String) throws {
        let number = text.dropLast()
        let value: Int64? =
            switch text.last {
            case "h":
                (try? Quantity.duration.value(of: number + "min"))
                    .map { $0.multipliedReportingOverflow(by: 60) }
                    .flatMap { $0.overflow ? nil : $0.partialValue }
            case "m": try? Quantity.duration.value(of: number + "min")
            default: try? Quantity.duration.value(of: text)
            }
        guard let value, value > 0 else {
            throw ValidationError("\(text): expected a time, for example 500ms, 90s, 10min or 2h")
        }
        nanoseconds = UInt64(value)
    }

    var seconds: Double { Double(nanoseconds) / 1e9 }

    var milliseconds: UInt64 { nanoseconds / 1_000_000 }

    var description: String { Quantity.duration.text(of: Int64(nanoseconds)) }
}

/// A number of bytes: `512MB`, `64KB` or `2GB`, in powers of 1024.
struct ByteCount {
    let bytes: UInt64

    init(_ text: String) throws {
        let units: [String: UInt64] = ["KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30]
        let number = text.prefix { $0.isASCII && $0.isNumber }
        guard let value = UInt64(number), value > 0,
            let unit = units[text.dropFirst(number.count).uppercased()],
            case (let bytes, false) = value.multipliedReportingOverflow(by: unit)
        else { throw ValidationError("\(text): expected a size, for example 512MB or 2GB") }
        self.bytes = bytes
    }
}

extension VirtualTime {
    /// Reads a moment of virtual time: `812.4ms` or `3s`.
    init(argument: String) throws {
        guard let value = try? Quantity.duration.value(of: argument), value >= 0 else {
            throw ValidationError(
                "expected a time in \(Quantity.duration.unitNames), for example 812.4ms")
        }
        self.init(nanoseconds: UInt64(value))
    }
}

extension EventPattern {
    /// `ni.didUpdate on ben with distance > 3m`.
    init(argument: String) throws {
        do throws(PatternError) { self = try EventPattern(parsing: argument) } catch {
            let expected = error.expected.isEmpty ? "" : "; expected \(error.expected)"
            throw ValidationError("\(error.message) at character \(error.column)\(expected)")
        }
    }
}
