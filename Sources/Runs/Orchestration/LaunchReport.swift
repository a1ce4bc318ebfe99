import Foundation
import UV

/// What our launcher tells on its way to become somebody else's program: a byte when it is about to, and a
/// second one, the error, where it cannot.
///
/// By it a limit of the system is told from a device that dies.
struct LaunchReport {
    private var bytes: [UInt8] = []

    enum Outcome: Equatable {
        /// It ended while it was still our launcher.
        case neverTried
        /// It became the program.
        case begun
        /// The program is none that can be run.
        case noProgram(String)
        /// The system would not have it.
        case refused(UVError)
    }

    mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    var outcome: Outcome {
        guard !bytes.isEmpty else { return .neverTried }
        guard bytes.count > 1 else { return .begun }
        let error = Int32(bytes[1])
        if [ENOENT, EACCES, ENOEXEC, ENOTDIR, ELOOP].contains(error) {
            return .noProgram(String(cString: strerror(error)))
        }
        return .refused(UVError(UVError.Code(rawValue: -error), in: "exec"))
    }

    static func tell(_ byte: UInt8, to descriptor: Int32) {
        _ = withUnsafeBytes(of: byte) { write(descriptor, $0.baseAddress, 1) }
    }
}
