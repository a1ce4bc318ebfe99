extension Catalogue {
    /// First the system's, then the app's; `launch` is the system's, but stands where people look for it.
    static let appleParameters =
        SystemParameter.allCases.filter { $0 != .launch }.map { Parameter($0) }
        + AppParameter.allCases.flatMap { parameter in
            (parameter == .autoStart ? [Parameter(SystemParameter.launch)] : [])
                + [Parameter(parameter)]
        }

    /// Whether a parameter of the Apple device is the system's, so that it means the same whatever app
    /// runs there.
    package static func isOfTheSystem(_ parameter: String) -> Bool {
        SystemParameter(rawValue: parameter) != nil
    }

    static let appleDefects = AppDefect.terms + SystemDefect.terms

    /// The defects that let a device crash; a reference device without one never does.
    package static let crashingDefects = [AppDefect.crashesOnUnknownMessage.rawValue]

    /// The names of NIError's codes, which `invalidate` can bring about.
    package static let sessionErrors = [
        "unsupportedPlatform", "invalidConfiguration", "sessionFailed", "resourceUsageTimeout",
        "activeSessionsLimitExceeded", "userDidNotAllow", "invalidARConfiguration",
        "accessoryPeerDeviceUnavailable", "incompatiblePeerDevice",
        "activeExtendedDistanceSessionsLimitExceeded",
    ]
}
