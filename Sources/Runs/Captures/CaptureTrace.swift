package import AccessoryProtocol
import Bluetooth
package import DeviceLink
package import Traces

/// The trace that a capture shows, read event by event.
package struct CaptureTrace: Sendable {
    private var file: CaptureFile
    private var air: CapturedAir
    private var isAtEnd = false

    /// A reader at the beginning of a capture.
    ///
    /// - Parameters:
    ///   - bytes: The whole capture.
    ///   - name: What it is called in the trace.
    ///   - services: Services that carry messages besides those that everybody knows.
    /// - Throws: `CaptureError` where it is none.
    package init(
        _ bytes: [UInt8], named name: String, services: [MessageService] = []
    ) throws(CaptureError) {
        file = try CaptureFile(bytes)
        air = CapturedAir(services: services, named: name)
    }

    package var format: CaptureFile.Format { file.format }
    /// Who has taken part so far.
    package var devices: [CapturedDevice] { air.devices }
    /// The ATT MTU that each device wants, by its name; looked up only.
    package var mtus: [String: Int] { air.mtus }
    /// What could not be shown so far.
    package var gaps: CaptureGaps {
        var gaps = air.gaps
        gaps.add(file.gaps)
        return gaps
    }
    /// The moment of the last packet so far, since the first one.
    package var end: VirtualTime { air.end }

    /// The next events, which happened together; nil at the end.
    ///
    /// - Throws: `CaptureError` where the capture is not as its format says.
    package mutating func next() throws(CaptureError) -> [TraceEvent]? {
        while air.events.isEmpty {
            guard !isAtEnd else { return nil }
            guard let packet = try file.next() else {
                air.finish()
                isAtEnd = true
                continue
            }
            do throws(MalformedBytes) { try air.take(packet, of: file.hosts) } catch {
                throw CaptureError(
                    at: error.offset, ofPacket: packet.number, expected: error.expected)
            }
        }
        defer { air.events.removeAll(keepingCapacity: true) }
        return air.events
    }
}
