import Foundation
import GRDB
import HistoryRecords

/// A history in a file: SQLite in write-ahead mode, so that a killed process loses no request that was answered.
///
/// A loss of power may take the last second with it, and never more: what was written is made safe once a second.
final class History {
    let queue: DatabaseQueue
    /// The row of the campaign that is played.
    private var campaign: Int64?
    private var safe = ContinuousClock.now

    /// Opens a file, which is made where there is none.
    ///
    /// - Throws: `Refusal` where it is no history, or one of a newer version.
    init(file: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        }
        do { queue = try DatabaseQueue(path: file, configuration: configuration) } catch let error
            as DatabaseError where error.resultCode == .SQLITE_NOTADB
        {
            throw Refusal("\(file) is no history; expected one that anechoic soak has written")
        }
        try adopt(file)
        try Schema.migrator.migrate(queue)
    }

    /// Makes a new file a history, before it has tables: one that is killed meanwhile leaves no stranger behind.
    private func adopt(_ file: String) throws {
        try queue.writeWithoutTransaction { db in
            let id = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            let tables = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master") ?? 0
            guard id == Schema.applicationID || tables == 0 else {
                throw Refusal(
                    "\(file) is a database of another program; expected a history of anechoic soak")
            }
            guard try !Schema.migrator.hasBeenSuperseded(db) else {
                throw Refusal(
                    "\(file) was written by a newer anechoic; use that version, or begin another "
                        + "history with --out")
            }
            guard id != Schema.applicationID else { return }
            try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
        }
    }

    /// Why something cannot be done.
    struct Refusal: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }
}

// What a soak writes.
extension History {
    func begin(_ record: CampaignRecord) throws {
        campaign = try queue.write { db in
            guard try Self.campaign(named: record.name, in: db) == nil else {
                throw Refusal(
                    "there is a campaign \(record.name) already; go on with it by --resume, or choose another "
                        + "name")
            }
            try db.execute(
                sql:
                    "INSERT INTO campaign(name, plan, tool, machine, begun) VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    record.name, record.plan, record.tool, record.machine, record.begun,
                ])
            return db.lastInsertedRowID
        }
    }

    /// Keeps a lot; one that is there already changes nothing.
    func take(_ lot: LotRecord) throws {
        try writing { db, campaign in
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO lot
                    (campaign, number, arm, topology, seed, runs, failing, undecided, simulated)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    campaign, lot.number, lot.arm, lot.topology, Int64(bitPattern: lot.firstSeed),
                    lot.runs, lot.failures.count, lot.undecided, Int64(lot.simulated),
                ])
            guard db.changesCount == 1 else { return }
            for failure in lot.failures {
                try Self.insert(failure, of: lot, of: campaign, into: db)
            }
            for line in lot.occasions.split(separator: "\n") {
                let words = line.split(separator: " ")
                try Self.add(
                    words.dropFirst().compactMap { Int($0) }, to: String(words[0]), of: campaign,
                    in: db)
            }
            try Self.cover(lot, of: campaign, in: db)
        }
        try makeSafe()
    }

    private static func insert(
        _ failure: FailureRecord, of lot: LotRecord, of campaign: Int64, into db: Database
    ) throws {
        try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO failure VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            campaign, lot.number, failure.run, lot.arm, lot.strand, Int64(bitPattern: failure.seed),
            failure.fingerprint, failure.whole,
        ])
    }

    private static func add(
        _ counts: [Int], to promise: String, of campaign: Int64, in db: Database
    ) throws {
        guard counts.count == 3 else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO promise VALUES (?, ?, ?, ?, ?) ON CONFLICT(campaign, name) DO UPDATE SET
                occasions = occasions + excluded.occasions, runs = runs + excluded.runs,
                broken = broken + excluded.broken
                """
        ).execute(arguments: [campaign, promise, counts[0], counts[1], counts[2]])
    }

    private static func cover(
        _ lot: LotRecord, of campaign: Int64, in db: Database
    ) throws {
        guard !lot.coverage.isEmpty else { return }
        let runs =
            try Int.fetchOne(
                db, sql: "SELECT SUM(runs) FROM lot WHERE campaign = ?", arguments: [campaign]) ?? 0
        for (kind, hashes) in lot.coverage {
            for hash in hashes {
                try db.cachedStatement(
                    sql: "INSERT OR IGNORE INTO coverage VALUES (?, ?, ?, ?)"
                ).execute(arguments: [campaign, kind, Int64(bitPattern: hash), runs])
            }
        }
    }

    func take(_ sample: SampleRecord) throws {
        try writing { db, campaign in
            try db.execute(
                sql: "UPDATE campaign SET seconds = MAX(seconds, ?) WHERE id = ?",
                arguments: [sample.seconds, campaign])
            try db.execute(
                sql: "INSERT INTO sample VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    campaign, sample.seconds, sample.runs, sample.covered,
                    String(decoding: try HistoryLine.data(of: sample), as: UTF8.self),
                ])
        }
    }

    func take(_ finding: FindingRecord) throws {
        try writing { db, campaign in
            try db.execute(
                sql: "INSERT OR REPLACE INTO finding VALUES (?, ?, ?)",
                arguments: [campaign, finding.fingerprint, finding.document])
        }
    }

    func note(_ name: String, _ text: String) throws {
        try writing { db, campaign in
            try db.execute(
                sql: "INSERT OR REPLACE INTO note VALUES (?, ?, ?)",
                arguments: [campaign, name, text])
        }
    }

    func end(after seconds: Double, as word: String) throws {
        try writing { db, campaign in
            try db.execute(
                sql: "UPDATE campaign SET seconds = MAX(seconds, ?), ended = ? WHERE id = ?",
                arguments: [seconds, word, campaign])
        }
        try makeSafe(now: true)
    }

    /// Drops the runs of earlier campaigns that were kept whole, but for the first of each group, and gives the
    /// room back.
    func thin() throws {
        try writing { db, campaign in
            try db.execute(
                sql: """
                    UPDATE failure SET whole = NULL WHERE campaign != ?1 AND whole IS NOT NULL AND EXISTS
                    (SELECT 1 FROM failure f WHERE f.campaign = failure.campaign
                     AND f.fingerprint = failure.fingerprint AND f.whole IS NOT NULL
                     AND (f.lot, f.run) < (failure.lot, failure.run))
                    """, arguments: [campaign])
        }
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "VACUUM")
            _ = try db.checkpoint(.truncate)
        }
    }

    private func writing(_ body: (Database, Int64) throws -> Void) throws {
        guard let campaign else { throw Refusal("no campaign was begun") }
        try queue.write { try body($0, campaign) }
    }

    /// Copies what was written into the database, which makes it safe from a loss of power.
    private func makeSafe(now: Bool = false) throws {
        guard now || ContinuousClock.now - safe > .seconds(1) else { return }
        safe = .now
        _ = try queue.writeWithoutTransaction { try $0.checkpoint(.passive) }
    }
}

// What a soak reads.
extension History {
    /// Goes on with the latest campaign.
    func resume() throws -> ResumedCampaign {
        let resumed = try queue.read { db -> ResumedCampaign in
            guard let row = try Self.campaign(named: nil, in: db) else {
                throw Refusal("there is no campaign to go on with; begin one without --resume")
            }
            campaign = row["id"]
            return try Self.resumed(row, in: db)
        }
        try queue.write { db in
            try db.execute(
                sql: "UPDATE campaign SET ended = NULL WHERE id = ?", arguments: [campaign])
        }
        return resumed
    }

    func campaign(named name: String?) throws -> WholeCampaign {
        try queue.read { db in
            guard let row = try Self.campaign(named: name, in: db) else {
                throw Refusal(
                    name.map { "there is no campaign \($0)" } ?? "there is no campaign in it")
            }
            var whole = WholeCampaign(resumed: try Self.resumed(row, in: db), ended: row["ended"])
            let id: Int64 = row["id"]
            for row in try Row.fetchAll(
                db,
                sql:
                    "SELECT topology, SUM(runs) AS n FROM lot WHERE campaign = ? GROUP BY topology",
                arguments: [id])
            {
                whole.topologies[row["topology"]] = row["n"]
            }
            whole.lots = try Self.lots(of: id, in: db)
            return whole
        }
    }

    /// Campaigns that began before one, with what each has seen of each group.
    func groups(before name: String?) throws -> [GroupRecord] {
        try queue.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT c.name, c.begun, c.tool, f.fingerprint, COUNT(*) AS runs,
                    (SELECT SUM(runs) FROM lot WHERE campaign = c.id AND arm != 'canary') AS total
                    FROM campaign c JOIN failure f ON f.campaign = c.id
                    WHERE f.arm != 'canary' AND c.name IS NOT ?
                    GROUP BY c.id, f.fingerprint
                    UNION ALL
                    SELECT name, begun, tool, '', 0,
                    IFNULL((SELECT SUM(runs) FROM lot WHERE campaign = c.id AND arm != 'canary'), 0)
                    FROM campaign c WHERE name IS NOT ?
                    ORDER BY 2, 1, 4
                    """, arguments: [name, name]
            ).map {
                GroupRecord(
                    campaign: $0["name"], begun: $0["begun"], tool: $0["tool"],
                    fingerprint: $0["fingerprint"], runs: $0["runs"], of: $0["total"] ?? 0)
            }
        }
    }

    private static func campaign(named name: String?, in db: Database) throws -> Row? {
        guard let name else {
            return try Row.fetchOne(db, sql: "SELECT * FROM campaign ORDER BY id DESC LIMIT 1")
        }
        return try Row.fetchOne(
            db, sql: "SELECT * FROM campaign WHERE name = ?", arguments: [name])
    }
}
