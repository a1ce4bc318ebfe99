import CDevice
import Glibc

/// How a device reaches its orchestrator: the value of the environment variable `ANECHOIC_LINK`.
enum Transport: Equatable {
    /// `pipes:3,4`: one descriptor to read from, one to write to.
    case pipes(input: Int32, output: Int32)
    /// `socket:3`: one descriptor both ways.
    case socket(Int32)
    /// `unix:/path`: a unix socket on which the orchestrator listens.
    case unix(path: String)

    /// The name of the environment variable.
    static let variable = "ANECHOIC_LINK"

    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let place = text[text.index(after: colon)...]
        switch text[..<colon] {
        case "pipes":
            let ends = place.split(separator: ",", omittingEmptySubsequences: false)
            guard ends.count == 2, let input = Self.descriptor(ends[0]),
                let output = Self.descriptor(ends[1])
            else { return nil }
            self = .pipes(input: input, output: output)
        case "socket":
            guard let descriptor = Self.descriptor(place) else { return nil }
            self = .socket(descriptor)
        case "unix" where !place.isEmpty: self = .unix(path: String(place))
        default: return nil
        }
    }

    static func fromEnvironment() throws(ProcessFailure) -> Transport {
        guard let value = getenv(variable) else { throw .noLink }
        let text = String(cString: value)
        guard let transport = Transport(text) else { throw .badLink(text) }
        return transport
    }

    private static func descriptor(_ text: Substring) -> Int32? {
        guard let number = Int32(text), number >= 0 else { return nil }
        return number
    }

    /// The open link; a unix socket is connected now.
    func open() throws(ProcessFailure) -> DescriptorLink {
        switch self {
        case .pipes(let input, let output): return DescriptorLink(input: input, output: output)
        case .socket(let descriptor): return DescriptorLink(input: descriptor, output: descriptor)
        case .unix(let path):
            let descriptor = cdevice_connect(path)
            guard descriptor >= 0 else {
                throw .brokenLink("connect to \(path)", errno: errno)
            }
            return DescriptorLink(input: descriptor, output: descriptor)
        }
    }
}
