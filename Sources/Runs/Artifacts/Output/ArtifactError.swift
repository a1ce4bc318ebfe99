import Glibc

/// A file or folder that could not be written.
package struct ArtifactError: Error, Equatable, CustomStringConvertible {
    /// The sentence for the user: what could not be done, why, and what to do about it.
    package let description: String
    /// Whether another place was named than can be meant: a file where a folder is made, or a folder as a file.
    package let isWrongPlace: Bool

    /// An error with a sentence of its own.
    package init(_ sentence: String) { (description, isWrongPlace) = (sentence, false) }

    /// What the system refused; `isBegun` where some of the file was written before, which stays.
    ///
    /// `option` names what chooses another place.
    package init(
        cannot verb: String, _ path: String, code: Int32, isBegun: Bool = false,
        option: String = "--out"
    ) {
        isWrongPlace = [ENOTDIR, EISDIR].contains(code)
        let kept = isBegun ? "; what was written so far is kept" : ""
        description =
            "cannot \(verb) \(path): \(String(cString: strerror(code)))\(kept); "
            + Self.advice(for: code, option: option)
    }

    private static func advice(for code: Int32, option: String) -> String {
        switch code {
        case ENOSPC, EDQUOT: "make room there, or choose another place with \(option)"
        case EFBIG: "raise the limit of a file's size (ulimit -f)"
        case EMFILE, ENFILE: "raise the limit of open files (ulimit -n)"
        default: "choose another place with \(option)"
        }
    }
}
