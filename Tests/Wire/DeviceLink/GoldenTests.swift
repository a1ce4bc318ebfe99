import DeviceLink
import Testing

@Suite struct GoldenTests {
    @Test func everySampleHasItsGoldenBytes() throws {
        #expect(try golden().map(\.name) == samples.map(\.name))
        for (entry, expected) in zip(samples, try golden()) {
            #expect(hex(try entry.sample.encoded()) == hex(expected.bytes), "\(entry.name)")
        }
    }

    @Test func goldenBytesMeanTheirSample() throws {
        for (entry, expected) in zip(samples, try golden()) {
            #expect(try entry.sample.decoded(from: expected.bytes) == entry.sample, "\(entry.name)")
        }
    }

    @Test func noTypeOfTheContractIsWithoutGoldenBytes() throws {
        let known = Set(
            try golden().map { entry in
                // A frame's type stands behind its length, an event's and an answer's comes first.
                entry.name.hasPrefix("frame") ? "frame \(entry.bytes[4])" : first(entry)
            })
        let understood = (UInt8.min...UInt8.max).flatMap { type in
            [
                isUnknown { try readDevice(frame([type])) }
                    && isUnknown { try readOrchestrator(frame([type])) } ? nil : "frame \(type)",
                isUnknown { try readOrchestrator(grant([type, 0, 0, 0, 0])) }
                    ? nil : "event \(type)",
                isUnknown { try readDevice(answers([type, 0, 0, 0, 0])) } ? nil : "answer \(type)",
            ]
        }
        #expect(known == Set(understood.compactMap(\.self)))
    }

    private func first(_ entry: (name: String, bytes: [UInt8])) -> String {
        "\(entry.name.prefix { $0 != "." }) \(entry.bytes[0])"
    }

    private func isUnknown(_ read: () throws -> Any?) -> Bool {
        do {
            _ = try read()
            return false
        } catch {
            return (error as? LinkError)?.problem == .unknownType
        }
    }
}
