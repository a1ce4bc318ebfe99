package import AccessoryProtocol
package import Captures
import Foundation
package import Traces
import YAML

/// A capture of HCI that somebody gave us: btsnoop, PacketLogger or pcapng.
package final class CaptureInput {
    private let path: String
    private var trace: CaptureTrace
    /// The same before its first event.
    private let beginning: CaptureTrace
    /// A capture is held in memory while it is read.
    private static let longest = 1 << 30

    /// Whether a file begins as a capture does.
    ///
    /// - Throws: `InputError` where it cannot be read.
    package static func isCapture(_ path: String) throws(InputError) -> Bool {
        guard !InputFile.isFolder(path) else { return false }
        let head = try ByteSource(path, expected: expected).next() ?? Data()
        return CaptureFile.format(of: Array(head.prefix(CaptureFile.headLength))) != nil
    }

    private static let expected =
        "a trace.jsonl, the folder of a run, or a capture (btsnoop, PacketLogger, pcapng)"

    /// Reads a capture; messages may go over these services as well.
    ///
    /// - Throws: `InputError` where it cannot be read, `DocumentError` where it is none.
    package init(_ path: String, services: [MessageService] = []) throws {
        self.path = path
        let source = try ByteSource(path, expected: Self.expected)
        var bytes: [UInt8] = []
        while let chunk = try source.next() {
            bytes += chunk
            guard bytes.count <= Self.longest else {
                throw DocumentError(
                    in: path, "this capture is longer than 1 GiB",
                    expected: "a part of it (Wireshark's editcap cuts captures)")
            }
        }
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        do throws(CaptureError) {
            beginning = try CaptureTrace(bytes, named: name, services: services)
            trace = beginning
        } catch {
            throw DocumentError(in: path, "\(error)")
        }
    }

    package func rewind() { trace = beginning }

    /// Who has taken part, as far as it has been read.
    package var devices: [CapturedDevice] { trace.devices }

    /// The ATT MTU that each device wants, by its name; looked up only.
    package var mtus: [String: Int] { trace.mtus }

    /// What it lacks, as far as it has been read.
    package var gaps: CaptureGaps { trace.gaps }

    /// What is to be said of it beside its verdict, a sentence each.
    package var remarks: [String] {
        let inferred = devices.filter { !$0.isHost }.map(\.name)
        let ends =
            inferred.isEmpty
            ? []
            : [
                "the capture has nothing of the host of \(inferred.joined(separator: ", ")): all of it "
                    + "is inferred from what its links carried"
            ]
        return ends + gaps.sentences
    }

    /// Reads all events.
    ///
    /// - Throws: `DocumentError` that says where the capture is not as its format says, or what `undone` says
    ///   where it has no LE connection.
    package func eachEvent(orElse undone: String, _ take: (TraceEvent) throws -> Void) throws {
        while true {
            let events: [TraceEvent]?
            do throws(CaptureError) { events = try trace.next() } catch {
                throw DocumentError(
                    in: path, "this is no \(trace.format.rawValue) capture of HCI: \(error)")
            }
            guard let events else { break }
            for event in events { try take(event) }
        }
        guard devices.isEmpty else { return }
        throw DocumentError(
            in: path, "there is no LE connection in this capture, so \(undone)",
            expected: "a capture that begins before the phone connects to the accessory")
    }
}
