import Foundation
import GRDB
import HistoryRecords

// How far a campaign came, from its tables.
extension History {
    static func resumed(_ row: Row, in db: Database) throws -> ResumedCampaign {
        let id: Int64 = row["id"]
        var resumed = ResumedCampaign(
            campaign: CampaignRecord(
                name: row["name"], plan: row["plan"], tool: row["tool"], machine: row["machine"],
                begun: row["begun"]))
        resumed.seconds = row["seconds"]
        (resumed.frontier, resumed.beyond) = try frontier(of: id, in: db)
        resumed.arms = try arms(of: id, in: db)
        resumed.groups = try groups(of: id, in: db)
        for row in try rows(
            "SELECT * FROM promise WHERE campaign = ? ORDER BY name", of: id, in: db)
        {
            resumed.occasions[row["name"]] = [row["occasions"], row["runs"], row["broken"]]
        }
        for row in try rows(
            "SELECT kind, hash, runs FROM coverage WHERE campaign = ? ORDER BY kind, hash", of: id,
            in: db)
        {
            let hash: Int64 = row["hash"]
            resumed.coverage[row["kind"], default: []].append(UInt64(bitPattern: hash))
            resumed.latestNews = max(resumed.latestNews, row["runs"])
        }
        for row in try rows("SELECT * FROM note WHERE campaign = ?", of: id, in: db) {
            resumed.notes[row["name"]] = row["text"]
        }
        resumed.findings = try rows(
            "SELECT * FROM finding WHERE campaign = ? ORDER BY fingerprint", of: id, in: db
        ).map { FindingRecord(fingerprint: $0["fingerprint"], document: $0["document"]) }
        resumed.samples = try rows(
            "SELECT whole FROM sample WHERE campaign = ? ORDER BY seconds", of: id, in: db
        ).map { sample in
            do {
                return try HistoryLine.value(
                    SampleRecord.self, in: Data((sample["whole"] as String).utf8))
            } catch {
                throw Refusal(
                    "campaign \(row["name"] as String): a sample of it is damaged; expected what anechoic soak "
                        + "has written. Take the file from a backup, or begin a new campaign with another --out"
                )
            }
        }
        return resumed
    }

    private static func rows(_ sql: String, of campaign: Int64, in db: Database) throws -> [Row] {
        try Row.fetchAll(db, sql: sql, arguments: [campaign])
    }

    /// The first lot that is not done, and those beyond it that are.
    private static func frontier(
        of campaign: Int64, in db: Database
    ) throws -> (Int, [Int]) {
        let frontier =
            try Int.fetchOne(
                db,
                sql: """
                    SELECT MIN(number) FROM (
                      SELECT 0 AS number WHERE NOT EXISTS
                        (SELECT 1 FROM lot WHERE campaign = :c AND number = 0)
                      UNION ALL
                      SELECT number + 1 FROM lot l WHERE campaign = :c AND NOT EXISTS
                        (SELECT 1 FROM lot WHERE campaign = :c AND number = l.number + 1))
                    """, arguments: ["c": campaign]) ?? 0
        let beyond = try Int.fetchAll(
            db, sql: "SELECT number FROM lot WHERE campaign = ? AND number > ? ORDER BY number",
            arguments: [campaign, frontier])
        return (frontier, beyond)
    }

    private static func arms(of campaign: Int64, in db: Database) throws -> [ArmRecord] {
        try rows(
            """
            SELECT arm, SUM(runs) AS runs, SUM(failing) AS failing, SUM(undecided) AS undecided,
            SUM(simulated) AS simulated FROM lot WHERE campaign = ? GROUP BY arm ORDER BY arm
            """, of: campaign, in: db
        ).map {
            ArmRecord(
                arm: $0["arm"], runs: $0["runs"], failing: $0["failing"],
                undecided: $0["undecided"],
                simulated: UInt64($0["simulated"] as Int64))
        }
    }

    /// Each group with its first run in each strand; the canary's are none of the campaign's.
    private static func groups(of campaign: Int64, in db: Database) throws -> [CampaignGroup] {
        try rows(
            """
            SELECT g.fingerprint, g.strand, g.runs, f.lot, f.arm, f.whole FROM
            (SELECT fingerprint, strand, COUNT(*) AS runs, MIN(lot * 1000000 + run) AS place
             FROM failure WHERE campaign = ?1 AND arm != 'canary' GROUP BY fingerprint, strand) g
            JOIN failure f ON f.campaign = ?1 AND f.lot = g.place / 1000000
            AND f.run = g.place % 1000000 ORDER BY f.lot, f.run
            """, of: campaign, in: db
        ).map {
            CampaignGroup(
                fingerprint: $0["fingerprint"], arm: $0["arm"], strand: $0["strand"],
                runs: $0["runs"], lot: $0["lot"], whole: $0["whole"])
        }
    }

    /// The finished lots, a line each, so that two campaigns can be compared.
    static func lots(of campaign: Int64, in db: Database) throws -> [String] {
        var seeds: [Int: [String]] = [:]
        for row in try rows(
            "SELECT lot, run, seed, fingerprint FROM failure WHERE campaign = ? ORDER BY lot, run",
            of: campaign, in: db)
        {
            let seed: Int64 = row["seed"]
            seeds[row["lot"], default: []].append(
                "\(UInt64(bitPattern: seed)) \(row["fingerprint"] as String)")
        }
        return try rows(
            "SELECT * FROM lot WHERE campaign = ? ORDER BY number", of: campaign, in: db
        ).map {
            let (number, seed): (Int, Int64) = ($0["number"], $0["seed"])
            let failing = (seeds[number] ?? []).map { "; \($0)" }.joined()
            return "\(number) \($0["arm"] as String) \($0["topology"] as String) "
                + "\(UInt64(bitPattern: seed)) \($0["runs"] as Int) "
                + "\($0["simulated"] as Int64)\(failing)"
        }
    }
}
