import Foundation
import Orchestration
import Reports

/// A history in a file: SQLite in write-ahead mode, so that a killed process loses nothing that was taken.
///
/// A loss of power may take the last second with it, and never more: what was written is made safe once a second.
/// Where the disk is full, whoever writes waits until there is room.
final class History {
    let file: String
    let database: Database
    /// The row of the campaign that is played.
    var campaign: Int?
    let clock = ContinuousClock()
    /// When everything was safe from a loss of power last.
    var safe: ContinuousClock.Instant
    /// Wall-clock seconds that were spent in it.
    private(set) var spent = 0.0

    /// Opens a file, which is made where there is none.
    ///
    /// - Throws: `HistoryRefusal` where it is no history, or one of a newer version.
    init(file: String) throws {
        self.file = file
        safe = clock.now
        database = try Self.waitingForRoom(for: file) { try Self.open(file) }
    }

    private static func open(_ file: String) throws -> Database {
        let database = try Database(file: file)
        do {
            try database.run(
                "PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        } catch {
            guard error.isNoDatabase else { throw error }
            throw HistoryRefusal(
                "\(file) is no history; expected one that anechoic soak has written")
        }
        try Schema.adopt(database, in: file)
        return database
    }

    /// Uses the database, and counts how long that takes.
    func using<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let begin = clock.now
        defer { spent += (clock.now - begin) / .seconds(1) }
        return try Self.waitingForRoom(for: file) { try body(database) }
    }

    /// The disk is full: nothing is handed out until there is room, because this does not return before.
    private static func waitingForRoom<Value>(
        for file: String, _ body: () throws -> Value
    ) throws -> Value {
        var isWaiting = false
        while true {
            do {
                let value = try body()
                if isWaiting { printError("\(file): there is room again; the soak goes on") }
                return value
            } catch let error as DatabaseError where error.isLackOfRoom {
                if !isWaiting {
                    printError(
                        "\(file): the disk is full; the soak pauses, and goes on when there is room (Ctrl-C ends "
                            + "it, and --resume goes on later)")
                }
                isWaiting = true
                sleep(1)
                HangWatch.beat()
                try Interruption.check()
            } catch let error as DatabaseError {
                throw HistoryRefusal("\(file): \(error.message)")
            }
        }
    }
}

/// Why a history cannot do something, in words for its user.
package struct HistoryRefusal: Error, CustomStringConvertible {
    package let description: String

    init(_ reason: String) { description = reason }
}
