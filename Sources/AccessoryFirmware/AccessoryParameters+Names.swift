import AccessoryProtocol
import DeviceKit

extension AccessoryParameters {
    /// The name of a parameter, as a topology writes it.
    package enum Name: String, CaseIterable, Sendable {
        /// `qnis` or `nus`.
        case service
        /// Bytes, 23 … 517.
        case mtu
        /// Phones at once, 1 … 8.
        case links
        /// `1.0`, `1.1` or `2.0`.
        case uwbVersion = "uwb-version"
        /// `automatic`, `infrequent` or `user-interactive`.
        case updateRate = "update-rate"
        /// `initiator` or `responder`.
        case rangingRole = "ranging-role"
        /// A flag.
        case multipleConfiguration = "multiple-configuration"
        /// 20 ms … 10.24 s.
        case fastInterval = "advertising-fast-interval"
        /// 0 … 600 s.
        case fastTime = "advertising-fast-time"
        /// 20 ms … 10.24 s.
        case slowInterval = "advertising-slow-interval"
        /// 0 … 10 s.
        case handlingTime = "handling-time"
        /// 0 … 10 s.
        case handlingSlack = "handling-slack"
        /// `radio` or `accepted`.
        case acknowledge
        /// 0 … 60 s.
        case startDelay = "start-delay"
        /// `none`, `at-once` or `later`.
        case startFailure = "start-failure"
        /// 0 … 1 000 000.
        case startFailures = "start-failures"
        /// Millimetres, 0 … 25 500.
        case notifyDistance = "notify-distance"
        /// 0 … 60 s.
        case requestDelay = "connection-request-delay"
        /// 1 s … 600 s.
        case requestRetry = "connection-request-retry"
        /// 7.5 ms … 4 s.
        case minimumInterval = "connection-interval-min"
        /// 7.5 ms … 4 s.
        case maximumInterval = "connection-interval-max"
        /// Events, 0 … 499.
        case latency = "connection-latency"
        /// 100 ms … 32 s.
        case supervisionTimeout = "connection-timeout"
    }

    /// Sets one parameter.
    ///
    /// - Throws: `Refusal` where the value is none of its range.
    mutating func set(_ name: Name, _ pair: Pair) throws(Refusal) {
        switch name {
        case .service, .uwbVersion, .updateRate, .rangingRole, .multipleConfiguration,
            .acknowledge, .startFailure:
            try setChoice(name, pair.value)
        case .mtu: mtu = Int(try number(pair, 23...517))
        case .links: links = Int(try number(pair, 1...8))
        case .startFailures: failingStarts = try number(pair, 0...1_000_000)
        case .notifyDistance: notifyDistance = UInt32(try number(pair, 0...25_500))
        case .latency: latency = UInt16(try number(pair, 0...499))
        default: try setDuration(name, pair)
        }
    }

    private mutating func setChoice(_ name: Name, _ value: String) throws(Refusal) {
        switch name {
        case .service: service = try choice(name, value, Service.allCases.map { ($0.rawValue, $0) })
        case .acknowledge:
            acknowledgement = try choice(
                name, value, Acknowledgement.allCases.map { ($0.rawValue, $0) })
        case .startFailure:
            startFailure = try choice(name, value, StartFailure.allCases.map { ($0.rawValue, $0) })
        case .uwbVersion:
            version = try choice(name, value, UWBVersion.allCases.map { ($0.rawValue, $0) })
        case .updateRate:
            updateRate = try choice(
                name, value,
                [
                    ("automatic", .automatic), ("infrequent", .infrequent),
                    ("user-interactive", .userInteractive),
                ])
        case .rangingRole:
            isInitiator = try choice(name, value, [("initiator", true), ("responder", false)])
        case .multipleConfiguration:
            hasMultipleConfiguration = try choice(name, value, [("true", true), ("false", false)])
        default: preconditionFailure("\(name.rawValue) is not a choice")
        }
    }

    private mutating func setDuration(_ name: Name, _ pair: Pair) throws(Refusal) {
        let advertising = Nanoseconds.milliseconds(20)...Nanoseconds.milliseconds(10_240)
        let interval = Nanoseconds.microseconds(7_500)...Nanoseconds.seconds(4)
        switch name {
        case .fastInterval: fastInterval = try number(pair, advertising)
        case .fastTime: fastTime = try number(pair, 0...Nanoseconds.seconds(600))
        case .slowInterval: slowInterval = try number(pair, advertising)
        case .handlingTime: handlingTime = try number(pair, 0...Nanoseconds.seconds(10))
        case .handlingSlack: handlingSlack = try number(pair, 0...Nanoseconds.seconds(10))
        case .startDelay: startDelay = try number(pair, 0...Nanoseconds.seconds(60))
        case .requestDelay: requestDelay = try number(pair, 0...Nanoseconds.seconds(60))
        case .requestRetry:
            requestRetry = try number(pair, Nanoseconds.seconds(1)...Nanoseconds.seconds(600))
        case .minimumInterval: minimumInterval = try number(pair, interval)
        case .maximumInterval: maximumInterval = try number(pair, interval)
        case .supervisionTimeout:
            supervisionTimeout = try number(
                pair, Nanoseconds.milliseconds(100)...Nanoseconds.seconds(32))
        default: preconditionFailure("\(name.rawValue) is not a duration")
        }
    }
}

/// The number that a pair holds.
private func number(_ pair: Pair, _ range: ClosedRange<UInt64>) throws(Refusal) -> UInt64 {
    guard let number = UInt64(pair.value), range.contains(number) else {
        throw Refusal(
            "the parameter \"\(pair.name)\" is \"\(pair.value)\", but a whole number from "
                + "\(range.lowerBound) to \(range.upperBound) was expected")
    }
    return number
}

/// What the word of a choice stands for.
private func choice<Value>(
    _ name: AccessoryParameters.Name, _ word: String, _ choices: [(String, Value)]
) throws(Refusal) -> Value {
    guard let chosen = choices.first(where: { $0.0 == word }) else {
        throw Refusal(
            "the parameter \"\(name.rawValue)\" is \"\(word)\", but one of "
                + "\(choices.map(\.0).joined(separator: ", ")) was expected")
    }
    return chosen.1
}
