import Basics

/// Cuts a stream of bytes, in whatever pieces it comes, into frames.
///
/// A frame is a 32-bit length and as many bytes: its type and its payload.
public struct FrameReader: Sendable {
    /// The memory, of which the first `filled` bytes are the stream's.
    private var buffer: [UInt8] = []
    private var filled = 0
    private var consumed = 0
    /// The place in the stream of `buffer[0]`.
    private var origin: UInt64 = 0
    private let fence: ObservationFence

    /// A reader at the beginning of a stream; a device may observe what `fence` admits.
    public init(fence: ObservationFence = .open) { self.fence = fence }

    /// The number of bytes of the stream that whole frames have taken so far.
    public var offset: UInt64 { origin + UInt64(consumed) }

    /// The bytes that no whole frame has taken.
    public var unread: ArraySlice<UInt8> { buffer[consumed..<filled] }

    /// Takes the next bytes of the stream.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        dropConsumed()
        let end = filled + bytes.count
        if end > buffer.count {
            buffer.append(contentsOf: repeatElement(0, count: end - buffer.count))
        }
        buffer.withUnsafeMutableBytes { memory in
            UnsafeMutableRawBufferPointer(rebasing: memory[filled..<end]).copyMemory(from: bytes)
        }
        filled = end
    }

    /// Takes the next bytes of the stream.
    public mutating func append(_ bytes: some Collection<UInt8>) {
        Array(bytes).withUnsafeBytes { append($0) }
    }

    /// The next frame from the orchestrator, or nil as long as it is not all there.
    public mutating func nextOrchestratorFrame() throws(LinkError) -> OrchestratorFrame? {
        guard var reader = try nextFrame() else { return nil }
        return try OrchestratorFrame(from: &reader)
    }

    /// The next frame from a device, or nil as long as it is not all there.
    public mutating func nextDeviceFrame() throws(LinkError) -> DeviceFrame? {
        guard var reader = try nextFrame() else { return nil }
        return try DeviceFrame(from: &reader, fence)
    }

    /// Says that the stream has ended, which is an error within a frame.
    public func finish() throws(LinkError) {
        guard consumed == filled else {
            let missing = try wholeLength().map { "\($0) bytes of a frame" } ?? "a frame's length"
            throw LinkError(
                .truncated, at: offset, expected: missing,
                found: "the end of the stream after \(filled - consumed)")
        }
    }

    /// The next whole frame without its length.
    ///
    /// An error leaves the stream where it is: there is no way to find the next frame behind a
    /// broken length.
    private mutating func nextFrame() throws(LinkError) -> FrameFields? {
        guard let length = try wholeLength(), filled - consumed >= length else { return nil }
        let body = (consumed + 4)..<(consumed + length)
        consumed += length
        return FrameFields(buffer, in: body, origin: origin)
    }

    /// The length of the next frame with its length bytes; nil where these are not all there.
    private func wholeLength() throws(LinkError) -> Int? {
        guard filled - consumed >= 4 else { return nil }
        let length = buffer.withUnsafeBytes {
            UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: consumed, as: UInt32.self))
        }
        guard 1...UInt32(LinkLimits.frame) ~= length else { throw badLength(length) }
        return Int(length) + 4
    }

    private func badLength(_ length: UInt32) -> LinkError {
        let bytes = hexadecimal(buffer[consumed..<(consumed + 4)])
        return LinkError(
            length == 0 ? .truncated : .overlong, at: offset,
            expected: "a frame of 1 to \(LinkLimits.frame) bytes",
            found: "a length of \(length) (\(bytes))")
    }

    /// How much may be kept that nobody needs: moving the rest to the front costs something.
    private static let keptBytes = 1 << 14

    /// Forgets what frames have taken: at once where nothing else is left, which is the usual case and
    /// keeps to the same few bytes of memory, and else many frames at a time.
    private mutating func dropConsumed() {
        guard consumed == filled || consumed > Self.keptBytes else { return }
        origin += UInt64(consumed)
        if consumed < filled { buffer.removeSubrange(..<consumed) }
        filled -= consumed
        consumed = 0
    }
}
