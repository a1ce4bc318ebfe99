// What a soak writes.
extension History {
    func begin(_ record: CampaignRecord) throws {
        campaign = try using { db in
            try db.transaction {
                guard try Self.campaign(named: record.name, in: db) == nil else {
                    throw HistoryRefusal(
                        "there is a campaign \(record.name) already; go on with it by --resume, or choose another "
                            + "name")
                }
                try db.execute(
                    "INSERT INTO campaign(name, plan, tool, machine, begun) VALUES (?, ?, ?, ?, ?)",
                    record.name, record.plan, record.tool, record.machine, record.begun)
                return db.latestRow
            }
        }
    }

    /// Keeps a lot; one that is there already changes nothing.
    func take(_ lot: LotRecord) throws {
        try writing { db, campaign in
            try db.execute(
                """
                INSERT OR IGNORE INTO lot
                (campaign, number, arm, topology, seed, runs, failing, undecided, simulated)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, campaign, lot.number, lot.arm, lot.topology, lot.firstSeed, lot.runs,
                lot.failures.count, lot.undecided, lot.simulated)
            guard db.changes == 1 else { return }
            for failure in lot.failures {
                try db.execute(
                    "INSERT OR IGNORE INTO failure VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    campaign, lot.number, failure.run, lot.arm, lot.strand, failure.seed,
                    failure.fingerprint, failure.whole)
            }
            try Self.add(lot.occasions, of: campaign, to: db)
            try Self.cover(lot.coverage, of: campaign, in: db)
        }
        if clock.now - safe > .seconds(1) { try makeSafe() }
    }

    private static func add(_ occasions: String, of campaign: Int, to db: Database) throws {
        for line in occasions.split(separator: "\n") {
            let words = line.split(separator: " ")
            let counts = words.dropFirst().compactMap { Int($0) }
            guard counts.count == 3 else { continue }
            try db.execute(
                "INSERT INTO promise VALUES (?, ?, ?, ?, ?) \(Schema.countingOn)", campaign,
                String(words[0]), counts[0], counts[1], counts[2])
        }
    }

    private static func cover(
        _ coverage: [String: [UInt64]], of campaign: Int, in db: Database
    ) throws {
        guard !coverage.isEmpty else { return }
        let runs = try db.number("SELECT SUM(runs) FROM lot WHERE campaign = ?", campaign)
        for (kind, hashes) in coverage {
            for hash in hashes {
                try db.execute(
                    "INSERT OR IGNORE INTO coverage VALUES (?, ?, ?, ?)", campaign, kind, hash, runs
                )
            }
        }
    }

    func take(_ sample: SampleRecord) throws {
        let whole = try jsonText(of: sample)
        try writing { db, campaign in
            try db.execute(
                "UPDATE campaign SET seconds = MAX(seconds, ?) WHERE id = ?", sample.seconds,
                campaign)
            try db.execute(
                "INSERT INTO sample VALUES (?, ?, ?, ?, ?)", campaign, sample.seconds, sample.runs,
                sample.covered, whole)
        }
    }

    func take(_ finding: FindingRecord) throws {
        try writing { db, campaign in
            try db.execute(
                "INSERT OR REPLACE INTO finding VALUES (?, ?, ?)", campaign, finding.fingerprint,
                finding.document)
        }
    }

    /// Keeps something that the soak wants to find again, by name.
    func note(_ name: String, _ text: String) throws {
        try writing { db, campaign in
            try db.execute("INSERT OR REPLACE INTO note VALUES (?, ?, ?)", campaign, name, text)
        }
    }

    /// The campaign is over, after so many seconds of all its sittings.
    func end(after seconds: Double, as word: String) throws {
        try writing { db, campaign in
            try db.execute(
                "UPDATE campaign SET seconds = MAX(seconds, ?), ended = ? WHERE id = ?", seconds,
                word, campaign)
        }
        try makeSafe()
    }

    /// Drops the runs of earlier campaigns that were kept whole, but for the first of each group, and gives the
    /// room back.
    func thin() throws {
        try writing { db, campaign in
            try db.execute(
                """
                UPDATE failure SET whole = NULL WHERE campaign != ?1 AND whole IS NOT NULL AND EXISTS
                (SELECT 1 FROM failure f WHERE f.campaign = failure.campaign
                 AND f.fingerprint = failure.fingerprint AND f.whole IS NOT NULL
                 AND (f.lot, f.run) < (failure.lot, failure.run))
                """, campaign)
        }
        try using { db in
            try db.run("VACUUM")
            try db.checkpoint(truncates: true)
        }
    }

    private func writing(_ body: (Database, Int) throws -> Void) throws {
        guard let campaign else { preconditionFailure("no campaign was begun") }
        try using { db in try db.transaction { try body(db, campaign) } }
    }

    /// Copies what was written into the database, which makes it safe from a loss of power.
    private func makeSafe() throws {
        safe = clock.now
        try using { try $0.checkpoint() }
    }
}
