import Glibc

/// Why a device's process ends other than asked for.
enum ProcessFailure: Error, Equatable {
    /// Nobody said how to reach an orchestrator.
    case noLink
    /// What was said about it is not understood.
    case badLink(String)
    /// The link cannot be opened, read or written: what was tried, and the system's error number.
    case brokenLink(String, errno: Int32)
    /// The system has no room for the process of a run.
    case noChild(errno: Int32)
    /// What the orchestrator sent is not the contract.
    case badFrame(LinkError)
    /// What the device did fits into no frame.
    case badAnswers(LinkError)

    /// The exit status, as in `sysexits.h`: usage, data, software, the system, input and output.
    var status: Int32 {
        switch self {
        case .noLink, .badLink: 64
        case .badFrame: 65
        case .badAnswers: 70
        case .noChild: 71
        case .brokenLink: 74
        }
    }

    var sentence: String {
        switch self {
        case .noLink:
            "this program is a simulated device; anechoic starts it, with \(Transport.variable) in "
                + "its environment."
        case .badLink(let text):
            "\(Transport.variable) is \"\(text)\"; expected pipes:IN,OUT or socket:DESCRIPTOR or "
                + "unix:/PATH."
        case .brokenLink(let action, let code):
            "cannot \(action): \(String(cString: strerror(code)))."
        case .noChild(let code):
            "cannot fork a process for this run: \(String(cString: strerror(code)))."
        case .badFrame(let error): "the orchestrator broke the contract at \(error)."
        case .badAnswers(let error): "the answers of this turn fit into no frame: at \(error)."
        }
    }
}
