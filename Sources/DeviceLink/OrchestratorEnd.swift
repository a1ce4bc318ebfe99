/// The orchestrator's end of the link to one device: it writes frames, cuts the device's stream into
/// frames, and holds the device to the order of the contract.
///
/// The device says hello unasked; after that it speaks only when it is spoken to: one frame for each
/// reset, one for each grant.
public struct OrchestratorEnd: Sendable {
    private var reader = FrameReader()
    private var expectation = Expectation.hello

    /// What the device owes.
    fileprivate enum Expectation: Equatable {
        case hello
        case nothing
        case ready
        case answers(turn: UInt32)
    }

    /// The end of a link on which nothing was said yet.
    public init() {}

    /// What the device owes, as part of a sentence; nil where it is the orchestrator's turn to speak.
    public var awaited: String? {
        expectation == .nothing ? nil : expectation.description
    }

    /// The number of bytes of the device's stream that whole frames have taken so far.
    public var offset: UInt64 { reader.offset }

    /// Writes a frame behind what `out` holds and expects the device's reply from now on.
    ///
    /// The device must not owe anything (`awaited`): two grants at a time are a programming error.
    ///
    /// - Throws: `LinkError` where something is too long; `out` and the end are then as they were.
    public mutating func send(
        _ frame: OrchestratorFrame, into out: inout [UInt8]
    ) throws(LinkError) {
        demandSilence()
        try frame.encode(into: &out)
        switch frame {
        case .reset: expectation = .ready
        case .grant(let turn, _, _): expectation = .answers(turn: turn)
        case .farewell: expectation = .nothing
        }
    }

    /// Writes a grant: the same as `send(.grant(…))`, for the path that is taken at every turn.
    public mutating func grant(
        turn: UInt32, now: VirtualTime, _ event: DeviceEvent, into out: inout [UInt8]
    ) throws(LinkError) {
        demandSilence()
        try OrchestratorFrame.encodeGrant(turn: turn, now: now, event, into: &out)
        expectation = .answers(turn: turn)
    }

    private func demandSilence() {
        precondition(
            expectation == .nothing,
            "a frame was sent to a device that owes \(expectation.description)")
    }

    /// Takes the next bytes that came from the device.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) { reader.append(bytes) }

    /// Takes the next bytes that came from the device.
    public mutating func append(_ bytes: some Collection<UInt8>) { reader.append(bytes) }

    /// The device's next frame, or nil as long as it is not all there.
    ///
    /// - Throws: `LinkError` where it is malformed, not the one awaited, or answers another turn. The
    ///   link is then of no more use.
    public mutating func next() throws(LinkError) -> DeviceFrame? {
        let start = reader.offset
        guard let frame = try reader.nextDeviceFrame() else { return nil }
        try check(frame, at: start)
        expectation = .nothing
        return frame
    }

    /// Says that the device's stream has ended, which is an error within a frame.
    public func finish() throws(LinkError) { try reader.finish() }

    private func check(_ frame: DeviceFrame, at start: UInt64) throws(LinkError) {
        switch (expectation, frame) {
        case (.hello, .hello), (.ready, .ready), (.ready, .refused): return
        case (.answers(let granted), .answers(let answered, _)) where granted == answered: return
        case (.answers(let granted), .answers(let answered, _)):
            throw LinkError(
                .wrongTurn, at: start + UInt64(Self.turnOffset),
                expected: "answers of turn \(granted)", found: "answers of turn \(answered)")
        default:
            throw LinkError(
                .outOfOrder, at: start, expected: expectation.description, found: frame.kind)
        }
    }

    /// Where the turn stands in a frame of answers: behind length and type.
    private static let turnOffset = 5
}

extension OrchestratorEnd.Expectation {
    fileprivate var description: String {
        switch self {
        case .hello: "hello"
        case .nothing: "nothing before the next reset or grant"
        case .ready: "ready or refused"
        case .answers(let turn): "answers of turn \(turn)"
        }
    }
}

extension DeviceFrame {
    /// What kind of frame it is, as part of a sentence.
    fileprivate var kind: String {
        switch self {
        case .hello: "hello"
        case .ready: "ready"
        case .refused: "refused"
        case .answers(let turn, _): "answers of turn \(turn)"
        }
    }
}
