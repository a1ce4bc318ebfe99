import Foundation
import GRDB
import HistoryRecords

/// Answers requests with the history that was opened.
final class Keeper {
    private var history: History?
    private var file = ""

    /// The answer to a line; what a disk or a file does wrong is told, and ends nothing.
    func answer(line: String) -> HistoryAnswer {
        do {
            return try answer(HistoryLine.value(HistoryRequest.self, in: Data(line.utf8)))
        } catch let refusal as History.Refusal {
            return .refused(refusal.reason)
        } catch let error as DatabaseError {
            return error.isLackOfRoom
                ? .full : .refused("\(file): \(error.message ?? "\(error.resultCode)")")
        } catch {
            return .refused("\(error)")
        }
    }

    private func answer(_ request: HistoryRequest) throws -> HistoryAnswer {
        if case .open(let file) = request {
            self.file = file
            history = try History(file: file)
            return .done
        }
        guard let history else { return .refused("no history was opened") }
        switch request {
        case .open: break
        case .begin(let campaign): try history.begin(campaign)
        case .resume: return .resumed(try history.resume())
        case .lot(let lot): try history.take(lot)
        case .sample(let sample): try history.take(sample)
        case .finding(let finding): try history.take(finding)
        case .note(let name, let text): try history.note(name, text)
        case .end(let seconds, let word): try history.end(after: seconds, as: word)
        case .groups(let name): return .groups(try history.groups(before: name))
        case .campaign(let name): return .campaign(try history.campaign(named: name))
        case .merge(let file):
            let (campaigns, known) = try history.merge(file)
            return .merged(campaigns: campaigns, known: known)
        case .thin: try history.thin()
        }
        return .done
    }
}

extension DatabaseError {
    /// Whether there is no room for what was to be written: SQLite tells some of it as an error of the disk.
    fileprivate var isLackOfRoom: Bool {
        resultCode == .SQLITE_FULL || (resultCode == .SQLITE_IOERR && errno == ENOSPC)
    }
}
