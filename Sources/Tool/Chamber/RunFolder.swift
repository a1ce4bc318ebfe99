import Foundation
import Synchronization

/// A folder of one run, which goes with the run unless it is kept.
final class RunFolder: Sendable {
    let path: String
    private let isKept = Mutex(false)

    init() throws(ChamberError) {
        path =
            FileManager.default.temporaryDirectory
            .appending(path: "anechoic-\(UUID().uuidString)").path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw ChamberError("cannot make the folder \(path): \(error.localizedDescription)")
        }
    }

    deinit { if !isKept.withLock(\.self) { try? FileManager.default.removeItem(atPath: path) } }

    func keep() { isKept.withLock { $0 = true } }

    func write(_ text: String, to name: String) throws(ChamberError) -> String {
        do { try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)")) } catch {
            throw ChamberError("cannot write \(path)/\(name): \(error.localizedDescription)")
        }
        return "\(path)/\(name)"
    }

    /// The folder that the program has made in it for its one run; itself where there is none.
    var run: String {
        let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        let trace = "/trace.jsonl"
        return all.first { $0.hasSuffix(trace) }.map { "\(path)/\($0.dropLast(trace.count))" }
            ?? path
    }
}
