import Foundation

/// The environment variables of a device: as few as programs need to start, so that nothing of ours (a
/// token of a build server) reaches a firmware.
struct DeviceEnvironment {
    /// What every device gets, where we have it ourselves.
    static let shared = [
        "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "PATH", "TMPDIR", "TZ",
    ]
    /// What those get besides that are built with a sanitizer.
    private static let sanitizers = ["ASAN", "LSAN", "TSAN", "UBSAN"].map { "\($0)_OPTIONS" }
    /// What our own programs get besides: where a profile goes.
    private static let ours = ["LLVM_PROFILE_FILE"]

    private(set) var variables: [String: String] = [:]

    /// What a device gets of `inherited`, our own variables; `more` is what the topology adds: `NAME` is
    /// taken over, `NAME=VALUE` is set.
    init(isForeign: Bool, more: [String], from inherited: [String: String]) {
        let names = Self.shared + Self.sanitizers + (isForeign ? [] : Self.ours)
        for name in names { variables[name] = inherited[name] }
        for item in more {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            variables[name] = parts.count == 2 ? String(parts[1]) : inherited[name]
        }
    }

    subscript(name: String) -> String? {
        get { variables[name] }
        set { variables[name] = newValue }
    }
}
