import DeviceLink

/// An event or an answer is read and written inside the smallest frame that carries one; these are
/// the bytes of such a frame before it, without the length.
private let grantHead: [UInt8] = [0x02] + [UInt8](repeating: 0, count: 12)
private let answersHead: [UInt8] = [0x84] + [UInt8](repeating: 0, count: 4)

func frame(_ body: [UInt8]) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) } + body
}

func grant(_ event: [UInt8]) -> [UInt8] { frame(grantHead + event) }
func answers(_ answer: [UInt8]) -> [UInt8] { frame(answersHead + answer) }

func readOrchestrator(_ bytes: [UInt8]) throws(LinkError) -> OrchestratorFrame? {
    var reader = FrameReader()
    reader.append(bytes)
    return try reader.nextOrchestratorFrame()
}

func readDevice(_ bytes: [UInt8]) throws(LinkError) -> DeviceFrame? {
    var reader = FrameReader()
    reader.append(bytes)
    return try reader.nextDeviceFrame()
}

extension Sample {
    /// The bytes, as they stand in golden.txt.
    func encoded() throws(LinkError) -> [UInt8] {
        var out: [UInt8] = []
        switch self {
        case .orchestrator(let frame): try frame.encode(into: &out)
        case .device(let frame): try frame.encode(into: &out)
        case .event(let event):
            try OrchestratorFrame.grant(turn: 0, now: .zero, event).encode(into: &out)
            out.removeFirst(4 + grantHead.count)
        case .answer(let answer):
            try DeviceFrame.answers(turn: 0, [answer]).encode(into: &out)
            out.removeFirst(4 + answersHead.count)
        }
        return out
    }

    /// A sample of the same sort from its bytes.
    func decoded(from bytes: [UInt8]) throws(LinkError) -> Sample? {
        switch self {
        case .orchestrator: return try readOrchestrator(bytes).map { .orchestrator($0) }
        case .device: return try readDevice(bytes).map { .device($0) }
        case .event:
            guard case .grant(_, _, let event)? = try readOrchestrator(grant(bytes)) else {
                return nil
            }
            return .event(event)
        case .answer:
            guard case .answers(_, let all)? = try readDevice(answers(bytes)), all.count == 1
            else { return nil }
            return .answer(all[0])
        }
    }
}
