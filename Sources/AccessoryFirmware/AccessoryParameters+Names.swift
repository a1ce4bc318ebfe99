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
        /// `true` or `false`.
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

    /// Sets a parameter to what a pair says.
    ///
    /// - Throws: `Refusal` where the value is none of its range.
    mutating func set(_ name: Name, to pair: Pair) throws(Refusal) {
        let interval = Nanoseconds.microseconds(7_500)...Nanoseconds.seconds(4)
        let advertising = Nanoseconds.milliseconds(20)...Nanoseconds.milliseconds(10_240)
        let handling = 0...Nanoseconds.seconds(10)
        let delay = 0...Nanoseconds.seconds(60)
        switch name {
        case .service: service = try pair.choice()
        case .mtu: mtu = Int(try pair.number(in: 23...517))
        case .links: links = Int(try pair.number(in: 1...8))
        case .uwbVersion: version = try pair.choice()
        case .updateRate:
            updateRate = try pair.choice(of: [
                ("automatic", .automatic), ("infrequent", .infrequent),
                ("user-interactive", .userInteractive),
            ])
        case .rangingRole:
            isInitiator = try pair.choice(of: [("initiator", true), ("responder", false)])
        case .multipleConfiguration:
            hasMultipleConfiguration = try pair.choice(of: [("true", true), ("false", false)])
        case .fastInterval: fastInterval = try pair.number(in: advertising)
        case .fastTime: fastTime = try pair.number(in: 0...Nanoseconds.seconds(600))
        case .slowInterval: slowInterval = try pair.number(in: advertising)
        case .handlingTime: handlingTime = try pair.number(in: handling)
        case .handlingSlack: handlingSlack = try pair.number(in: handling)
        case .acknowledge: acknowledgement = try pair.choice()
        case .startDelay: startDelay = try pair.number(in: delay)
        case .startFailure: startFailure = try pair.choice()
        case .startFailures: failingStarts = try pair.number(in: 0...1_000_000)
        case .notifyDistance: notifyDistance = UInt32(try pair.number(in: 0...25_500))
        case .requestDelay: requestDelay = try pair.number(in: delay)
        case .requestRetry:
            requestRetry = try pair.number(in: Nanoseconds.seconds(1)...Nanoseconds.seconds(600))
        case .minimumInterval: minimumInterval = try pair.number(in: interval)
        case .maximumInterval: maximumInterval = try pair.number(in: interval)
        case .latency: latency = UInt16(try pair.number(in: 0...499))
        case .supervisionTimeout:
            supervisionTimeout = try pair.number(
                in: Nanoseconds.milliseconds(100)...Nanoseconds.seconds(32))
        }
    }
}

extension Pair {
    /// The whole number that the value is.
    fileprivate func number(in range: ClosedRange<UInt64>) throws(Refusal) -> UInt64 {
        guard let number = UInt64(value), range.contains(number) else {
            throw Refusal(
                "the parameter \"\(name)\" is \"\(value)\", but a whole number from "
                    + "\(range.lowerBound) to \(range.upperBound) was expected")
        }
        return number
    }

    /// The case whose raw value the value is.
    fileprivate func choice<Choice: CaseIterable & RawRepresentable<String>>() throws(Refusal)
        -> Choice
    {
        try choice(of: Choice.allCases.map { ($0.rawValue, $0) })
    }

    /// What the word stands for that the value is.
    fileprivate func choice<Choice>(of choices: [(String, Choice)]) throws(Refusal) -> Choice {
        guard let chosen = choices.first(where: { $0.0 == value }) else {
            throw Refusal(
                "the parameter \"\(name)\" is \"\(value)\", but one of "
                    + "\(choices.map(\.0).joined(separator: ", ")) was expected")
        }
        return chosen.1
    }
}
