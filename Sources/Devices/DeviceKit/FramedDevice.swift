import Glibc

/// An `InlineDevice` that is granted its turns in frames, whatever carries these.
struct FramedDevice {
    private let device: InlineDevice
    private var reader = FrameReader()
    private var output: [UInt8] = []
    private var wasReset = false
    /// Whether it leaves a second reset to somebody else.
    private let hasOneLife: Bool
    /// What it has left to somebody else: a reset, and all that came behind it.
    private(set) var rest: [UInt8] = []

    init(_ device: InlineDevice, hasOneLife: Bool = false) {
        self.device = device
        self.hasOneLife = hasOneLife
    }

    /// Takes the next bytes that the orchestrator says.
    mutating func hear(_ bytes: UnsafeRawBufferPointer) { reader.append(bytes) }

    /// Does what the frames say that are all there.
    ///
    /// - Parameter say: Takes the bytes of a frame that the device says; false where nobody hears them any more.
    /// - Throws: `ProcessFailure` where a frame, or what the device answers, is none of the contract.
    /// - Returns: False where there is nothing more to do: after a farewell, where nobody hears, or where the rest is
    ///   somebody else's.
    mutating func serve(
        _ say: ([UInt8]) throws(ProcessFailure) -> Bool
    ) throws(ProcessFailure) -> Bool {
        while let frame = try nextFrame() {
            if case .reset = frame, wasReset, hasOneLife {
                do { try frame.encode(into: &rest) } catch { throw .badFrame(error) }
                rest += reader.unread
                return false
            }
            guard let reply = try reply(to: frame), try say(bytes(of: reply)) else { return false }
        }
        return true
    }

    /// Takes what comes over a link and replies over it, until there is nothing more to do.
    mutating func serve(on link: DescriptorLink) throws(ProcessFailure) {
        var link = link
        repeat {
            let goesOn = try serve { bytes throws(ProcessFailure) in try link.write(bytes) }
            guard goesOn else { return }
        } while try link.read { hear($0) }
        do { try reader.finish() } catch { throw .badFrame(error) }
    }

    private mutating func bytes(of frame: DeviceFrame) throws(ProcessFailure) -> [UInt8] {
        output.removeAll(keepingCapacity: true)
        do { try frame.encode(into: &output) } catch { throw .badAnswers(error) }
        return output
    }

    private mutating func nextFrame() throws(ProcessFailure) -> OrchestratorFrame? {
        do { return try reader.nextOrchestratorFrame() } catch { throw .badFrame(error) }
    }

    /// What the device says to a frame; nil to a farewell.
    private mutating func reply(to frame: OrchestratorFrame) throws(ProcessFailure) -> DeviceFrame?
    {
        switch frame {
        case .farewell: return nil
        case .reset(let reset):
            wasReset = true
            let refusal = device.reset(reset)
            // What the device's author printed belongs to the run that is over.
            fflush(nil)
            return refusal.map { .refused($0.reason) } ?? .ready
        case .grant(let turn, let now, let event):
            return .answers(turn: turn, try answers(to: event, at: now))
        }
    }

    private func answers(
        to event: DeviceEvent, at moment: VirtualTime
    ) throws(ProcessFailure) -> [Answer] {
        guard wasReset else {
            throw .badFrame(
                LinkError(
                    .outOfOrder, at: reader.offset, expected: "a reset before it",
                    found: "a grant"))
        }
        // The orchestrator may send a grant before it has read that the reset was refused.
        return device.isReset ? device.turn(at: moment, event) : []
    }
}

extension DeviceFrame {
    var bytes: [UInt8] {
        get throws(ProcessFailure) {
            var bytes: [UInt8] = []
            do { try encode(into: &bytes) } catch { throw .badAnswers(error) }
            return bytes
        }
    }
}
