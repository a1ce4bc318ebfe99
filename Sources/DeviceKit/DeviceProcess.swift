internal import Glibc

/// A device at the end of a link: an `InlineDevice` that is granted its turns in frames.
struct DeviceProcess {
    private let device: InlineDevice
    private var link: DescriptorLink
    private var reader = FrameReader()
    private var output: [UInt8] = []
    private var wasReset = false

    init(_ type: any Device.Type, on link: DescriptorLink) {
        device = InlineDevice(type) { writeLine($0) }
        self.link = link
    }

    /// Says hello and does what the orchestrator says, until that says farewell or is gone.
    mutating func serve(_ hello: Hello) throws(DeviceFailure) {
        guard try say(.hello(hello)) else { return }
        repeat {
            while let frame = try nextFrame() {
                guard let reply = try reply(to: frame), try say(reply) else { return }
            }
        } while try link.read(into: &reader)
        do { try reader.finish() } catch { throw .badFrame(error) }
    }

    private mutating func nextFrame() throws(DeviceFailure) -> OrchestratorFrame? {
        do { return try reader.nextOrchestratorFrame() } catch { throw .badFrame(error) }
    }

    /// What the device says to a frame; nil to a farewell.
    private mutating func reply(to frame: OrchestratorFrame) throws(DeviceFailure) -> DeviceFrame? {
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
    ) throws(DeviceFailure) -> [Answer] {
        guard wasReset else {
            throw .badFrame(
                LinkError(
                    .outOfOrder, at: reader.offset, expected: "a reset before it",
                    found: "a grant"))
        }
        // The orchestrator may send a grant before it has read that the reset was refused.
        return device.isReset ? device.turn(at: moment, event) : []
    }

    private mutating func say(_ frame: DeviceFrame) throws(DeviceFailure) -> Bool {
        output.removeAll(keepingCapacity: true)
        do { try frame.encode(into: &output) } catch { throw .badAnswers(error) }
        return try link.write(output)
    }
}
