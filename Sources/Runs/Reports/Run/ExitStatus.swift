/// How a run, or the command, ends.
package enum ExitStatus: Int32, CaseIterable, Codable, Sendable {
    /// Every promise and expectation held.
    case held = 0
    /// A promise or an expectation was broken.
    case violated = 1
    /// The run ended before something was decided.
    case inconclusive = 2
    /// A device crashed, hung or broke the contract.
    case deviceFailed = 3
    case wrongUse = 64
    case wrongFile = 65
    /// Something that the command needs is not installed.
    case unavailable = 69
    /// An error of the harness, or a run that did not repeat.
    case harnessError = 70
    /// Interrupted by the user.
    case interrupted = 130

    /// How grave a status is: several runs end with the gravest.
    private var weight: Int {
        switch self {
        case .held: 0
        case .inconclusive: 1
        case .violated: 2
        case .deviceFailed: 3
        case .wrongFile: 4
        case .wrongUse: 5
        case .unavailable: 6
        case .harnessError: 7
        case .interrupted: 8
        }
    }

    /// The graver of two statuses.
    package func combined(with other: ExitStatus) -> ExitStatus {
        weight >= other.weight ? self : other
    }

    /// One word for a table.
    package var word: String {
        switch self {
        case .held: "held"
        case .violated: "violated"
        case .inconclusive: "inconclusive"
        case .deviceFailed: "device failed"
        case .wrongUse: "wrong use"
        case .wrongFile: "wrong file"
        case .unavailable: "not installed"
        case .harnessError: "harness error"
        case .interrupted: "interrupted"
        }
    }
}
