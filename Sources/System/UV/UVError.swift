import CUV
import Glibc

/// A call of libuv or of the system that failed: which one, why, and about what.
///
/// It prints as `uv_spawn: no such file or directory (ENOENT): /path`.
package struct UVError: Error, Equatable, CustomStringConvertible {
    package let function: String
    package let code: Code
    /// What it was about, such as a path; nil where there is nothing to name.
    package let subject: String?

    package init(_ code: Code, in function: String, about subject: String? = nil) {
        self.function = function
        self.code = code
        self.subject = subject
    }

    /// The error of `errno`, after a call of the C library failed.
    package static func last(in function: String, about subject: String? = nil) -> UVError {
        UVError(Code(rawValue: -errno), in: function, about: subject)
    }

    /// The system's words for the code, without the function's name.
    package var message: String { code.message }

    package var description: String {
        "\(function): \(code.message) (\(code.name))" + (subject.map { ": \($0)" } ?? "")
    }
}

extension UVError {
    /// A reason for failure: libuv's number, which on Unix is the negative `errno`.
    package struct Code: RawRepresentable, Equatable, CustomStringConvertible {
        package let rawValue: Int32

        package init(rawValue: Int32) { self.rawValue = rawValue }

        package static let addressInUse = Code(UV_EADDRINUSE)
        package static let tryAgain = Code(UV_EAGAIN)
        package static let badDescriptor = Code(UV_EBADF)
        /// ECONNRESET: the peer of a socket died with bytes unread.
        package static let connectionReset = Code(UV_ECONNRESET)
        package static let invalidArgument = Code(UV_EINVAL)
        /// EMFILE: this process has as many descriptors as it may.
        package static let tooManyDescriptors = Code(UV_EMFILE)
        package static let nameTooLong = Code(UV_ENAMETOOLONG)
        /// ENFILE: the whole system has as many descriptors as it may.
        package static let systemTooManyDescriptors = Code(UV_ENFILE)
        /// ENOMEM: there is no memory left, or this process may not have more.
        package static let noMemory = Code(UV_ENOMEM)
        package static let notFound = Code(UV_ENOENT)
        package static let brokenPipe = Code(UV_EPIPE)

        private init(_ error: uv_errno_t) { self.init(rawValue: error.rawValue) }

        /// The constant's name, such as `ENOENT`.
        package var name: String {
            // Not uv_err_name: it leaks memory for numbers it does not know.
            Self.text { uv_err_name_r(rawValue, $0, $1) }
        }

        /// The reason in words, such as `no such file or directory`.
        package var message: String { Self.text { uv_strerror_r(rawValue, $0, $1) } }

        package var description: String { name }

        private static func text(
            _ fill: (UnsafeMutablePointer<CChar>?, Int) -> UnsafeMutablePointer<CChar>?
        ) -> String {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
                fill(buffer.baseAddress, buffer.count).map { String(cString: $0) } ?? ""
            }
        }
    }
}

/// Returns the result of a libuv call, or throws what a negative one stands for.
@discardableResult
func check(
    _ result: Int32, in function: StaticString, about subject: @autoclosure () -> String? = nil
) throws(UVError) -> Int32 {
    guard result < 0 else { return result }
    throw UVError(UVError.Code(rawValue: result), in: "\(function)", about: subject())
}
