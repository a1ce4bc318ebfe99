import Basics
import DeviceLink

/// The row of a parameter: what it can be, what it is where a file is silent, and what it does.
package struct ParameterForm: Equatable, Sendable {
    /// What a parameter is where a file is silent.
    package enum Standard: Equatable, Sendable {
        /// A number in the unit that is handed over: nanoseconds, millimetres, or as many as it counts.
        case number(UInt64)
        case word(String)
        case flag(Bool)
        /// Something that no value says, in words.
        case described(String)
    }

    package let explanation: String
    package let values: Catalogue.Values
    package let standard: Standard

    private init(_ explanation: String, _ values: Catalogue.Values, _ standard: Standard) {
        (self.explanation, self.values, self.standard) = (explanation, values, standard)
    }

    /// A number of this parameter, as written in a file.
    func text(of number: UInt64) -> String {
        switch values {
        case .duration: Quantity.duration.text(of: Int64(clamping: number))
        case .length: Quantity.length.text(of: Int64(clamping: number))
        case .number, .choice, .flag, .text, .devices: String(number)
        }
    }

    /// A value of this parameter that is handed over, as written in a file.
    func text(handedOver value: String) -> String {
        UInt64(value).map { text(of: $0) } ?? value
    }

    /// The default, as written in a file.
    package var standardText: String {
        switch standard {
        case .number(let number): text(of: number)
        case .word(let word), .described(let word): word
        case .flag(let flag): String(flag)
        }
    }
}

// The rows of each sort.
extension ParameterForm {
    static func number(
        _ explanation: String, _ range: ClosedRange<Int64>, standard: UInt64
    ) -> Self { Self(explanation, .number(range), .number(standard)) }

    static func duration(
        _ explanation: String, _ range: ClosedRange<Nanoseconds>, standard: Nanoseconds
    ) -> Self { Self(explanation, .duration(range), .number(standard)) }

    /// In millimetres.
    static func length(
        _ explanation: String, _ range: ClosedRange<Int64>, standard: UInt64
    ) -> Self { Self(explanation, .length(range), .number(standard)) }

    static func flag(_ explanation: String, standard: Bool) -> Self {
        Self(explanation, .flag, .flag(standard))
    }

    static func choice(_ explanation: String, _ words: [String], standard: String) -> Self {
        Self(explanation, .choice(words), .word(standard))
    }

    /// One whose words are the raw values of an enum, in this sequence.
    static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ explanation: String, _ standard: Choice, of choices: [Choice] = Array(Choice.allCases)
    ) -> Self { .choice(explanation, choices.map(\.rawValue), standard: standard.rawValue) }

    /// `standard` says in words what it is.
    static func text(_ explanation: String, standard: String) -> Self {
        Self(explanation, .text, .described(standard))
    }

    /// `standard` says in words which.
    static func devices(_ explanation: String, standard: String) -> Self {
        Self(explanation, .devices, .described(standard))
    }
}

/// The parameters of a kind of device; the raw value is the name that a file has.
package protocol ParameterName: CaseIterable, RawRepresentable<String>, Sendable {
    var form: ParameterForm { get }
}

// What a device reads of a row. It asks each row for what that row is; a mistake stops every start of it.
extension ParameterName {
    /// The smallest and the largest number, in the unit that is handed over.
    package var range: ClosedRange<UInt64> {
        switch form.values {
        case .duration(let range): return range
        case .length(let range), .number(let range):
            return UInt64(range.lowerBound)...UInt64(range.upperBound)
        case .choice, .flag, .text, .devices: preconditionFailure("\(rawValue) is no number")
        }
    }

    /// The default of a number, in the unit that is handed over.
    package func standard<Number: FixedWidthInteger>() -> Number {
        guard case .number(let number) = form.standard else {
            preconditionFailure("\(rawValue) is no number")
        }
        return Number(number)
    }

    package func standard() -> Bool {
        guard case .flag(let flag) = form.standard else {
            preconditionFailure("\(rawValue) is no flag")
        }
        return flag
    }

    package func standard<Choice: RawRepresentable<String>>() -> Choice {
        guard case .word(let word) = form.standard, let choice = Choice(rawValue: word) else {
            preconditionFailure("\(rawValue) is no such choice")
        }
        return choice
    }

    /// The default of a choice whose words stand for something.
    package func standard<Choice>(of choices: [(String, Choice)]) -> Choice {
        guard case .word(let word) = form.standard,
            let choice = choices.first(where: { $0.0 == word })
        else { preconditionFailure("\(rawValue) is no such choice") }
        return choice.1
    }
}

extension Catalogue.Parameter {
    /// A parameter as its row has it; `standard` where the default depends on more than the row.
    init(_ name: some ParameterName, standard: String? = nil) {
        let form = name.form
        self.init(
            name: name.rawValue, values: form.values, standard: standard ?? form.standardText,
            explanation: form.explanation)
    }
}
