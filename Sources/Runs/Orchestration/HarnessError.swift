package import UV

/// An error of ours, or of the machine we run on, and of no device.
package struct HarnessError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension HarnessError {
    /// A device could not be started, or joined to us, for a reason of the system.
    init(launching device: String, _ error: UVError) {
        self.init(starting: device, error, aside: ", which is no fault of the device")
    }

    /// Something could not be started for a reason of the system.
    package init(starting thing: String, _ error: UVError, aside: String = "") {
        let remedy = Self.remedy(for: error.code).map { ". \($0)" } ?? ""
        self.init("\(thing) could not be started\(aside): \(error)\(remedy)")
    }

    /// What to do about a limit of the system; nil where it is none.
    private static func remedy(for code: UVError.Code) -> String? {
        switch code {
        case .tooManyDescriptors:
            "This process may have \(ThisProcess.descriptorLimit) descriptors and needs three to five "
                + "for each device: raise the limit (ulimit -n), or use fewer --jobs or devices"
        case .systemTooManyDescriptors:
            "The whole system is out of descriptors: end other programs, or raise fs.file-max"
        case .tryAgain:
            "No more processes may be started: raise the limit (ulimit -u, or that of the container), "
                + "or use fewer --jobs or devices"
        case .noMemory: limits
        case .nameTooLong:
            "The path of a socket has at most 107 bytes: give a shorter folder with --sockets, or in "
                + "TMPDIR"
        case .addressInUse:
            "Another run uses this socket: give each a folder of its own with --sockets"
        default: nil
        }
    }

    /// What to do where memory may be short.
    static let limits =
        "Memory may be short: raise the limit (ulimit -v, or that of the container), or use fewer "
        + "--jobs or devices"
}
