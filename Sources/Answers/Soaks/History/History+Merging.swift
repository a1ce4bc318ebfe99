extension History {
    /// Takes the campaigns of another file, in any order and any number of times.
    ///
    /// A campaign is known by its name; lots of it that both have are the same runs.
    ///
    /// - Returns: How many campaigns were taken, and how many were there already.
    /// - Throws: `HistoryRefusal` where both have a campaign of one name with another plan or version.
    func merge(_ other: String) throws -> (taken: Int, known: Int) {
        // Opened once by itself, so that it is checked and of this version.
        _ = try History(file: other)
        return try using { db in
            try db.execute("ATTACH DATABASE ? AS other", other)
            defer { try? db.execute("DETACH DATABASE other") }
            return try db.transaction {
                let campaigns = try db.rows("SELECT id, name FROM other.campaign ORDER BY id") {
                    (id: $0.int(0), name: $0.text(1))
                }
                let known = try campaigns.count { try Self.take($0.id, $0.name, into: db) }
                return (campaigns.count - known, known)
            }
        }
    }

    /// Takes one campaign; whether it had nothing new.
    private static func take(_ theirs: Int, _ name: String, into db: Database) throws -> Bool {
        let known = try db.rows(
            """
            SELECT m.id, m.plan = o.plan AND m.tool = o.tool FROM main.campaign m, other.campaign o
            WHERE m.name = ? AND o.id = ?
            """, name, theirs
        ) { (id: $0.int(0), isSame: $0.int(1) == 1) }.first
        guard known?.isSame ?? true else {
            throw HistoryRefusal(
                "campaign \(name) is in both with different plans or versions of anechoic; "
                    + "expected parts of one campaign, played by one version")
        }
        if known == nil {
            try db.execute(
                """
                INSERT INTO main.campaign(name, plan, tool, machine, begun, seconds, ended)
                SELECT name, plan, tool, machine, begun, seconds, ended FROM other.campaign
                WHERE id = ?
                """, theirs)
        }
        let copied = try copyLots(of: theirs, to: known?.id ?? db.latestRow, in: db)
        return copied == 0 && known != nil
    }

    /// Copies what is not there yet; gives how many lots.
    private static func copyLots(of theirs: Int, to ours: Int, in db: Database) throws -> Int {
        let missing = """
            FROM other.lot l WHERE l.campaign = ?1 AND NOT EXISTS
            (SELECT 1 FROM main.lot m WHERE m.campaign = ?2 AND m.number = l.number)
            """
        let count = try db.number("SELECT COUNT(*) \(missing)", theirs, ours)
        guard count > 0 else { return 0 }
        // Sums of a part are of lots that are all new, or have been taken before: a part is taken whole.
        let all = try db.number("SELECT COUNT(*) FROM other.lot WHERE campaign = ?", theirs)
        guard all == count else {
            throw HistoryRefusal(
                "a part of a campaign has some of its lots in common with what is there; merge parts "
                    + "of one campaign, each as --shard has played it, into an empty history")
        }
        for sql in [
            """
            INSERT INTO main.promise SELECT ?2, name, occasions, runs, broken FROM other.promise
            WHERE campaign = ?1 \(Schema.countingOn)
            """,
            """
            INSERT OR IGNORE INTO main.coverage
            SELECT ?2, kind, hash, runs FROM other.coverage WHERE campaign = ?1
            """,
            """
            INSERT INTO main.sample SELECT ?2, seconds, runs, covered, whole FROM other.sample
            WHERE campaign = ?1
            """,
            """
            INSERT OR IGNORE INTO main.finding SELECT ?2, fingerprint, document FROM other.finding
            WHERE campaign = ?1
            """,
            """
            INSERT OR IGNORE INTO main.note SELECT ?2, name, text FROM other.note
            WHERE campaign = ?1
            """,
            """
            INSERT OR IGNORE INTO main.failure
            SELECT ?2, lot, run, arm, strand, seed, fingerprint, whole FROM other.failure
            WHERE campaign = ?1
            """,
            """
            INSERT INTO main.lot SELECT ?2, number, arm, topology, seed, runs, failing, undecided,
            simulated \(missing)
            """,
        ] { try db.execute(sql, theirs, ours) }
        return count
    }
}
