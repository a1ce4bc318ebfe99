/// What a device may still write into its log in one run; the rest is read and thrown away, so that the
/// device neither waits for us nor fails.
final class LogBudget {
    /// 16 MiB, as DEVICE-LINK.md says.
    static let bytes = 16 << 20
    private static let end = Array("\n(the log ends here: 16 MiB in one run)\n".utf8)
    private var left = LogBudget.bytes

    /// Hands `bytes` to `write` as far as there is room, then once the line that says that there is none.
    func spend(
        _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        guard left > 0 else { return }
        let kept = min(left, bytes.count)
        left -= kept
        try write(UnsafeRawBufferPointer(rebasing: bytes[..<kept]))
        if left == 0 { try Self.end.withUnsafeBytes { try write($0) } }
    }
}
