import Artifacts
import Basics
import Campaigns
import UV

/// Histories of several folders become one.
package struct SoakMerge {
    private let out: String
    private let parts: Int
    private var campaigns = 0
    private var known = 0

    /// - Throws: `WrongUse` where one is missing, `HistoryRefusal` where two do not fit.
    package init(of parts: [String], into out: String) throws {
        (self.out, self.parts) = (out, parts.count)
        let files = parts.map { InputFile.isFolder($0) ? SoakSitting.history(in: $0) : $0 }
        for (part, file) in zip(parts, files) where !InputFile.exists(file) {
            throw WrongUse(
                "\(part): there is no history; expected the folder of a soak, or its history")
        }
        try OutputTree.prepare(out)
        let file = SoakSitting.history(in: out)
        let lock = try FileLock("\(out)/.soak.lock", for: file)
        defer { lock.release() }
        let history = try History(file: file)
        for part in files {
            let (taken, there) = try history.merge(part)
            campaigns += taken
            known += there
        }
    }

    package var text: String {
        "\(parts.counted("history", plural: "histories")) joined in \(out): "
            + "\(campaigns.counted("part")) taken, \(known) known already"
    }
}
