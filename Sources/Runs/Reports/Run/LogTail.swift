/// The end of a log: the last 32 lines, or where one of them says why a program dies, that one with what follows it.
package struct LogTail {
    private var bytes: [UInt8] = []

    package init() {}

    /// A stack is long: what stands above it is kept as well.
    package mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
        if bytes.count > 131_072 { bytes.removeFirst(bytes.count - 65_536) }
    }

    /// How many lines are shown: without dying words; with them, of what follows them, and of the very end.
    private static let (plain, head, end) = (32, 8, 3)

    /// The lines, the latest last; one says how many are left out.
    package var lines: [String] {
        let all = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        guard let words = DyingWords.place(in: all) else { return all.suffix(Self.plain) }
        let left = all.count - words - Self.head - Self.end
        guard left > 1 else { return all.suffix(Self.head + Self.end + 1) }
        // What is indented is no dying word.
        return Array(all[words...].prefix(Self.head)) + ["  … \(left) more lines"]
            + all.suffix(Self.end)
    }
}
