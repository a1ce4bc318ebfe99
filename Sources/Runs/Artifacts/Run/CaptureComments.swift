import Basics
import Captures
import Foundation
import Traces

/// Comments for the capture of a run, each on the last packet that one of its events is about.
///
/// Which packet an event of the trace is about the trace tells, read once more; only a run that breaks a promise
/// pays for that.
struct CaptureComments {
    /// What is to be said, by the number of an event.
    let texts: [UInt64: [String]]

    /// Puts the comments into the capture in a run's folder.
    func write(into folder: String, devices: [PathName]) throws {
        let path = "\(folder)/run.pcapng"
        let comments = try landmarks(in: folder, devices: devices.map(\.description))
        let source = try ByteSource(path)
        let new = WholeFile.unfinishedFile(in: folder)
        do {
            let file = try OutputFile(new)
            var counter = Landmark.Counter()
            try Self.eachBlock(of: source) { block in
                let texts = Self.landmark(of: block, &counter).flatMap { comments[$0] } ?? []
                try file.append(
                    texts.isEmpty ? block : PcapngFile.block(block, commented: texts))
            }
            try file.close()
            if rename(new, path) != 0 {
                throw ArtifactError(cannot: "write", path, code: errno)
            }
        } catch {
            unlink(new)
            throw error
        }
    }

    /// The comments by the packets that they are on: for each text the last that has one.
    private func landmarks(
        in folder: String, devices: [String]
    ) throws -> [Landmark: [String]] {
        let trace = try TraceFileReader("\(folder)/trace.jsonl")
        var counter = Landmark.Counter()
        /// The ATT PDU that each device sent or received last: messages and attributes follow it.
        var latest: [Int: Landmark] = [:]
        /// Where each text stands, until a later packet proves the same.
        var places: [String: Landmark] = [:]
        var order: [String] = []
        while let event = try trace.next() {
            guard let host = devices.firstIndex(of: event.device) else { continue }
            var landmark: Landmark?
            if let sort = Landmark.Sort(event.kind) {
                landmark = counter.next(sort, of: host, at: event.time)
                if sort == .sent || sort == .received { latest[host] = landmark }
            } else if event.name.hasPrefix("msg.") || event.name.hasPrefix("gatt.") {
                landmark = latest[host]
            }
            guard let landmark else { continue }
            for text in texts[event.number] ?? [] {
                if places.updateValue(landmark, forKey: text) == nil { order.append(text) }
            }
        }
        return order.reduce(into: [:]) { comments, text in
            if let place = places[text] { comments[place, default: []].append(text) }
        }
    }

    private static func landmark(
        of block: [UInt8], _ counter: inout Landmark.Counter
    ) -> Landmark? {
        guard let content = PcapngFile.content(of: block),
            let sort = Landmark.Sort(content.packet)
        else { return nil }
        return counter.next(sort, of: content.host, at: content.time)
    }

    /// Hands over the blocks of a capture of ours, however long it is.
    private static func eachBlock(of source: ByteSource, _ take: ([UInt8]) throws -> Void) throws {
        var rest: [UInt8] = []
        while let chunk = try source.next() {
            rest += chunk
            var start = 0
            while rest.count - start >= 8,
                let length = PcapngFile.length(ofBlock: rest[start..<start + 8]),
                rest.count - start >= length
            {
                try take(Array(rest[start..<start + length]))
                start += length
            }
            rest.removeFirst(start)
        }
    }
}
