import Basics

/// The row of a parameter: what it can be, what it is where a file is silent, and what it does.
package struct ParameterForm: Equatable, Sendable {
    /// What a parameter is where a file is silent.
    package enum Standard: Equatable, Sendable {
        /// A number in the unit that is handed over: nanoseconds, millimetres, or as many as it counts.
        case number(UInt64)
        /// One of the words.
        case word(String)
        /// `true` or `false`.
        case flag(Bool)
        /// Something that no value says, in words.
        case described(String)
    }

    /// What it can be.
    package var values: Catalogue.Values
    /// What it is where a file is silent.
    package var standard: Standard
    /// What it does, in a sentence.
    package var explanation: String

    init(_ values: Catalogue.Values, standard: Standard, _ explanation: String) {
        self.values = values
        self.standard = standard
        self.explanation = explanation
    }

    /// A parameter whose words are the raw values of an enum, in this sequence.
    init<Choice: CaseIterable & RawRepresentable<String>>(
        choice standard: Choice, of choices: [Choice] = Array(Choice.allCases),
        _ explanation: String
    ) {
        self.init(
            .choice(choices.map(\.rawValue)), standard: .word(standard.rawValue), explanation)
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

/// The parameters of a kind of device; the raw value is the name that a file has.
package protocol ParameterName: CaseIterable, RawRepresentable<String>, Sendable {
    /// Everything else about it.
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

    /// The default of a flag.
    package func standard() -> Bool {
        guard case .flag(let flag) = form.standard else {
            preconditionFailure("\(rawValue) is no flag")
        }
        return flag
    }

    /// The default of a choice.
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
            name.rawValue, form.values, standard: standard ?? form.standardText, form.explanation)
    }
}
