import DeviceLink
import Testing

/// No bytes may stop the reader, and there is only one way to write a frame.
@Suite struct MutationTests {
    @Test func whatCanBeReadIsWrittenTheSameWay() throws {
        for (name, golden) in try golden() {
            let whole =
                name.hasPrefix("event")
                ? grant(golden)
                : name.hasPrefix("answer") ? answers(golden) : golden
            for (draw, mutant) in mutants(of: whole, key: Keyed(1).with(name)).enumerated() {
                guard let written = try? rewritten(mutant) else { continue }
                #expect(hex(written) == hex(mutant), "\(name), mutant \(draw)")
            }
        }
    }

    /// The frame read and written again; throws where it cannot be read.
    private func rewritten(_ bytes: [UInt8]) throws -> [UInt8]? {
        var out: [UInt8] = []
        if bytes[4] < 0x80 {
            guard let frame = try readOrchestrator(bytes) else { return nil }
            try frame.encode(into: &out)
        } else {
            guard let frame = try readDevice(bytes) else { return nil }
            // Of a later hello only what is known is kept.
            if case .hello(let hello) = frame, hello.minor > Hello.currentMinor { return nil }
            try frame.encode(into: &out)
        }
        return out
    }

    /// 500 copies with one to three bytes changed behind the frame's length.
    private func mutants(of bytes: [UInt8], key: Keyed) -> [[UInt8]] {
        (UInt64(0)..<500).map { draw in
            var mutant = bytes
            for change in 0...key.with(draw).below(3) {
                let key = key.with(draw).with(change)
                let index = 4 + Int(key.with(0).below(UInt64(bytes.count - 4)))
                mutant[index] = UInt8(truncatingIfNeeded: key.with(1).value)
            }
            return mutant
        }
    }
}
