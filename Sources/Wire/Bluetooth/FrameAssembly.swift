/// Puts L2CAP frames together from the fragments in which HCI carries them (Core Specification Vol 3 Part A
/// 7.2.1).
package struct FrameAssembly: Sendable {
    private var bytes: [UInt8] = []

    package init() {}

    /// Takes a fragment; gives the frame that it completes.
    ///
    /// A fragment that continues nothing is left out: a capture may begin behind its beginning. What goes on
    /// beyond the length that the frame gave is no frame.
    package mutating func take(_ fragment: [UInt8], isFirst: Bool) -> [UInt8]? {
        if isFirst { bytes = fragment } else if !bytes.isEmpty { bytes += fragment }
        guard bytes.count >= 4 else { return nil }
        let length = 4 + (Int(bytes[0]) | Int(bytes[1]) << 8)
        guard bytes.count >= length else { return nil }
        defer { bytes = [] }
        return bytes.count == length ? bytes : nil
    }
}
