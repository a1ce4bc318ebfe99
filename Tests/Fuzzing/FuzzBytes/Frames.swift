import DeviceLink

/// Bytes of a device, in one piece and in crumbs: both give the same frames and the same error, and what
/// can be read is written the same way.
func playDeviceFrames(_ bytes: UnsafeRawBufferPointer) {
    var input = InputReader(bytes)
    let crumb = 1 + input.below(8)
    let stream = framed(&input, head: [0x84, 0, 0, 0, 0])
    let frames = sameFrames(stream, crumb) { (reader: inout FrameReader) throws(LinkError) in
        try reader.nextDeviceFrame()
    }
    var written: [UInt8] = []
    for frame in frames {
        // Of a later hello only what is known is kept.
        if case .hello(let hello) = frame, hello.minor > Hello.currentMinor { return }
        rewrite { () throws(LinkError) in try frame.encode(into: &written) }
    }
    demand(stream.starts(with: written), "what was read is written in another way")
}

/// As ``playDeviceFrames(_:)``, the other way.
func playOrchestratorFrames(_ bytes: UnsafeRawBufferPointer) {
    var input = InputReader(bytes)
    let crumb = 1 + input.below(8)
    let stream = framed(&input, head: [0x02] + Array(repeating: 0, count: 12))
    let frames = sameFrames(stream, crumb) { (reader: inout FrameReader) throws(LinkError) in
        try reader.nextOrchestratorFrame()
    }
    var written: [UInt8] = []
    for frame in frames { rewrite { () throws(LinkError) in try frame.encode(into: &written) } }
    demand(stream.starts(with: written), "what was read is written in another way")
}

private func rewrite(_ body: () throws(LinkError) -> Void) {
    do throws(LinkError) { try body() } catch { fatalError("read, but not written: \(error)") }
}

/// The input as a stream: as it stands, as the inside of one frame, or as the inside of the one answer
/// or event of a frame, because lengths are hard to guess.
private func framed(_ input: inout InputReader, head: [UInt8]) -> [UInt8] {
    switch input.below(3) {
    case 0: return input.rest
    case 1: return withLength(input.rest)
    default:
        let type = input.byte()
        return withLength(head + [type] + withLength(input.rest))
    }
}

/// Bytes behind their number.
func withLength(_ bytes: [UInt8]) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
}

private func sameFrames<Frame: Equatable>(
    _ stream: [UInt8], _ crumb: Int, _ next: (inout FrameReader) throws(LinkError) -> Frame?
) -> [Frame] {
    let whole = read(stream, pieces: max(1, stream.count), next)
    let crumbs = read(stream, pieces: crumb, next)
    demand(whole.frames == crumbs.frames, "the frames depend on the pieces they come in")
    demand(whole.error == crumbs.error, "the error depends on the pieces")
    return whole.frames
}

private func read<Frame>(
    _ stream: [UInt8], pieces: Int, _ next: (inout FrameReader) throws(LinkError) -> Frame?
) -> (frames: [Frame], error: LinkError?) {
    var reader = FrameReader()
    var frames: [Frame] = []
    do throws(LinkError) {
        for start in stride(from: 0, to: stream.count, by: pieces) {
            reader.append(stream[start..<min(stream.count, start + pieces)])
            while let frame = try next(&reader) { frames.append(frame) }
        }
        try reader.finish()
        return (frames, nil)
    } catch {
        return (frames, error)
    }
}
