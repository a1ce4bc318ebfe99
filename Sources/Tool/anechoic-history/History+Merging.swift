import GRDB
import HistoryRecords

extension History {
    /// Takes the campaigns of another file, in any order and any number of times.
    ///
    /// A campaign is known by its name; lots of it that both have are the same runs.
    ///
    /// - Throws: `Refusal` where both have a campaign of one name with another plan or version.
    func merge(_ file: String) throws -> (campaigns: Int, known: Int) {
        // Opened once by itself, so that it is checked and of this version.
        _ = try History(file: file)
        return try queue.writeWithoutTransaction { db in
            try db.execute(sql: "ATTACH DATABASE ? AS other", arguments: [file])
            defer { try? db.execute(sql: "DETACH DATABASE other") }
            var (taken, known) = (0, 0)
            try db.inTransaction {
                for row in try Row.fetchAll(db, sql: "SELECT * FROM other.campaign ORDER BY id") {
                    let isKnown = try Self.take(row, into: db)
                    if isKnown { known += 1 } else { taken += 1 }
                }
                return .commit
            }
            return (taken, known)
        }
    }

    /// Takes one campaign; whether it had nothing new.
    private static func take(_ row: Row, into db: Database) throws -> Bool {
        let name: String = row["name"]
        let theirs: Int64 = row["id"]
        let known = try Row.fetchOne(
            db, sql: "SELECT * FROM main.campaign WHERE name = ?", arguments: [name])
        if let known {
            guard known["plan"] as String == row["plan"], known["tool"] as String == row["tool"]
            else {
                throw Refusal(
                    "campaign \(name) is in both with different plans or versions of anechoic; "
                        + "expected parts of one campaign, played by one version")
            }
        } else {
            try db.execute(
                sql: """
                    INSERT INTO main.campaign(name, plan, tool, machine, begun, seconds, ended)
                    SELECT name, plan, tool, machine, begun, seconds, ended FROM other.campaign
                    WHERE id = ?
                    """, arguments: [theirs])
        }
        let ours: Int64 = known?["id"] ?? db.lastInsertedRowID
        return try copyLots(of: theirs, to: ours, in: db) == 0 && known != nil
    }

    /// Copies what is not there yet; gives how many lots.
    private static func copyLots(of theirs: Int64, to ours: Int64, in db: Database) throws -> Int {
        let arguments: StatementArguments = ["theirs": theirs, "ours": ours]
        let missing = """
            FROM other.lot l WHERE l.campaign = :theirs AND NOT EXISTS
            (SELECT 1 FROM main.lot m WHERE m.campaign = :ours AND m.number = l.number)
            """
        let count =
            try Int.fetchOne(db, sql: "SELECT COUNT(*) \(missing)", arguments: arguments) ?? 0
        guard count > 0 else { return 0 }
        // Sums of a part are of lots that are all new, or have been taken before: a part is taken whole.
        let all =
            try Int.fetchOne(
                db, sql: "SELECT COUNT(*) FROM other.lot WHERE campaign = ?", arguments: [theirs])
            ?? 0
        guard all == count else {
            throw Refusal(
                "a part of a campaign has some of its lots in common with what is there; merge parts "
                    + "of one campaign, each as --shard has played it, into an empty history")
        }
        for sql in [
            """
            INSERT INTO main.promise SELECT :ours, name, occasions, runs, broken FROM other.promise
            WHERE campaign = :theirs ON CONFLICT(campaign, name) DO UPDATE SET
            occasions = occasions + excluded.occasions, runs = runs + excluded.runs,
            broken = broken + excluded.broken
            """,
            """
            INSERT OR IGNORE INTO main.coverage
            SELECT :ours, kind, hash, runs FROM other.coverage WHERE campaign = :theirs
            """,
            """
            INSERT INTO main.sample SELECT :ours, seconds, runs, covered, whole FROM other.sample
            WHERE campaign = :theirs
            """,
            """
            INSERT OR IGNORE INTO main.finding SELECT :ours, fingerprint, document FROM other.finding
            WHERE campaign = :theirs
            """,
            """
            INSERT OR IGNORE INTO main.note SELECT :ours, name, text FROM other.note
            WHERE campaign = :theirs
            """,
            """
            INSERT OR IGNORE INTO main.failure
            SELECT :ours, lot, run, arm, strand, seed, fingerprint, whole FROM other.failure
            WHERE campaign = :theirs
            """,
            """
            INSERT INTO main.lot SELECT :ours, number, arm, topology, seed, runs, failing, undecided,
            simulated \(missing)
            """,
        ] { try db.execute(sql: sql, arguments: arguments) }
        return count
    }
}
