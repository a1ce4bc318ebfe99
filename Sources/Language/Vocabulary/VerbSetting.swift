package import Basics
package import DeviceLink

/// What stands beside a verb: `ratio: 1/2`.
package struct VerbSetting: Equatable, Sendable {
    /// The keys, each of which means the same to every verb that takes it.
    package enum Name: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
        case reason, ratio
        case lasting = "for"
        case by, to
        case oneWay = "one-way"
        case pitch, over, count
        case afterAnswers = "after-answers"
        case message, peer, error, name, arguments, status

        /// All of them, as steps have them.
        package static let words = allCases.map(\.rawValue)
    }

    /// What can stand behind a key.
    package enum Values: Equatable, Sendable {
        /// A part of something, 0 … 1.
        case ratio
        /// A time within a range.
        case duration(ClosedRange<Nanoseconds>)
        /// A whole number within a range.
        case integer(ClosedRange<Int64>)
        /// `true` or `false`.
        case flag
        /// One of these words.
        case choice([String])
        /// An angle in hundredths of a degree, within a range.
        case angle(ClosedRange<Int32>)
        /// A place in the room.
        case place
        /// A device of the topology.
        case device
        /// The name of a command, which devices know.
        case command
        /// Names and values.
        case pairs
    }

    /// One value.
    package enum Value: Codable, Hashable, Sendable {
        /// A part of something.
        case ratio(Ratio)
        /// A time.
        case duration(Nanoseconds)
        /// A whole number.
        case integer(Int64)
        /// `true` or `false`.
        case flag(Bool)
        /// A word or a name.
        case word(String)
        /// An angle, in hundredths of a degree.
        case angle(Int32)
        /// A place in the room, in millimetres.
        case place(x: Int64, y: Int64, z: Int64)
        /// Names and values.
        case pairs([Pair])
    }

    /// The key.
    package var name: Name
    /// What can stand behind it.
    package var values: Values
    /// What holds where it does not stand there; nil where nothing does.
    package var standard: Value?
    /// Whether it has to stand there.
    package var isRequired = false
    /// What it says, in a sentence.
    package var explanation: String

    private init(
        _ name: Name, _ values: Values, standard: Value? = nil, isRequired: Bool = false,
        _ explanation: String
    ) {
        self.name = name
        self.values = values
        self.standard = standard
        self.isRequired = isRequired
        self.explanation = explanation
    }
}

// The settings of all verbs.
extension VerbSetting {
    /// How much a packet, or what is posted to a queue, may be late: a bound of zero would leave the scheduler
    /// no choice and the host no time.
    package static let delays: ClosedRange<Nanoseconds> = 1...Nanoseconds.seconds(10)
    /// How many L2CAP frames a connection event can carry.
    package static let eventCapacities: ClosedRange<Int64> = 1...1_000

    static let reason = VerbSetting(
        .reason, .integer(1...0x45), standard: .integer(0x13), "A reason of HCI; 0x13 by default.")
    static let ratio = VerbSetting(.ratio, .ratio, isRequired: true, "How much of it.")
    static let lasting = VerbSetting(
        .lasting, .duration(1...Quantity.longestDuration),
        "How long it lasts; to the end by default.")
    static let late = VerbSetting(.by, .duration(delays), isRequired: true, "How much longer.")
    static let longer = VerbSetting(.by, .integer(1...512), isRequired: true, "How many bytes.")
    static let capacity = VerbSetting(
        .to, .integer(eventCapacities), isRequired: true, "How many frames.")
    static let shorter = VerbSetting(.to, .integer(0...512), isRequired: true, "How many bytes.")
    static let place = VerbSetting(.to, .place, isRequired: true, "Where.")
    static let heading = VerbSetting(
        .to, .angle(-36_000...36_000), isRequired: true,
        "Where it looks then, clockwise from ahead.")
    static let pitch = VerbSetting(
        .pitch, .angle(-9_000...9_000), standard: .angle(0),
        "How far up it looks then; level by default.")
    /// How a device can be held.
    package enum Orientation: String, CaseIterable, Sendable {
        case portrait, landscape

        /// Both, as steps and devices have them.
        package static let words = allCases.map(\.rawValue)
    }
    /// How bright it can be, in lux.
    package static let lights: ClosedRange<Int64> = 0...200_000
    static let orientation = VerbSetting(
        .to, .choice(Orientation.words), isRequired: true, "How it is held then.")
    static let lux = VerbSetting(.to, .integer(lights), isRequired: true, "How bright, in lux.")
    static let oneWay = VerbSetting(
        .oneWay, .flag, standard: .flag(false), "Whether only what the first sends is lost.")
    static let over = VerbSetting(
        .over, .duration(0...Quantity.longestDuration), standard: .duration(0),
        "How long that takes.")
    static let count = VerbSetting(
        .count, .integer(1...1_000_000), standard: .integer(1), "How many; 1 by default.")
    static let status = VerbSetting(
        .status, .integer(1...255), standard: .integer(1),
        "The status of UCI; 1 by default, STATUS_REJECTED.")
    static let afterAnswers = VerbSetting(
        .afterAnswers, .integer(0...1_000), standard: .integer(0),
        "After so many answers of a turn.")
    static let message = VerbSetting(
        .message, .choice(Catalogue.messages), "Which message; the next by default.")
    static let peer = VerbSetting(.peer, .device, "Which session; all by default.")
    static let error = VerbSetting(
        .error, .choice(Catalogue.sessionErrors), "The error; sessionFailed by default.")
    static let command = VerbSetting(
        .name, .command, isRequired: true, "The name of the command.")
    static let arguments = VerbSetting(
        .arguments, .pairs, standard: .pairs([]), "The arguments of the command.")
}

extension VerbSetting.Value {
    /// As a step has it.
    package var written: String {
        switch self {
        case .ratio(let ratio): "\(ratio.numerator)/\(ratio.denominator)"
        case .duration(let time): Quantity.duration.text(of: Int64(clamping: time))
        case .integer(let number): String(number)
        case .flag(let flag): String(flag)
        case .word(let word): word
        case .angle(let angle): Quantity.angle.text(of: Int64(angle))
        case .place(let x, let y, let z): "[\(x)mm, \(y)mm, \(z)mm]"
        case .pairs(let pairs):
            "{" + pairs.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + "}"
        }
    }
}
