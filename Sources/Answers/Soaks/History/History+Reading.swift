import Foundation

// What a soak reads: how far a campaign came, and what others have seen.
extension History {
    /// Goes on with the latest campaign.
    func resume() throws -> ResumedCampaign {
        try using { db in
            try db.transaction {
                guard let (id, record) = try Self.campaign(named: nil, in: db) else {
                    throw HistoryRefusal(
                        "there is no campaign to go on with; begin one without --resume")
                }
                let found = try resumed(record, in: id)
                try db.execute("UPDATE campaign SET ended = NULL WHERE id = ?", id)
                campaign = id
                return found
            }
        }
    }

    /// A campaign with its row; the latest where none is named.
    static func campaign(
        named name: String?, in db: Database
    ) throws -> (id: Int, record: CampaignRecord)? {
        try db.rows(
            """
            SELECT id, name, plan, tool, machine, begun FROM campaign
            WHERE name = ?1 OR ?1 IS NULL ORDER BY id DESC LIMIT 1
            """, name
        ) {
            (
                $0.int(0),
                CampaignRecord(
                    name: $0.text(1), plan: $0.text(2), tool: $0.text(3), machine: $0.text(4),
                    begun: $0.int(5))
            )
        }.first
    }

    private func resumed(_ campaign: CampaignRecord, in id: Int) throws -> ResumedCampaign {
        var resumed = ResumedCampaign(campaign: campaign)
        try rows("SELECT seconds FROM campaign WHERE id = ?", of: id) {
            resumed.seconds = $0.real(0)
        }
        (resumed.frontier, resumed.beyond) = try frontier(of: id)
        try rows(
            """
            SELECT arm, SUM(runs), SUM(failing), SUM(undecided), SUM(simulated) FROM lot
            WHERE campaign = ? GROUP BY arm
            """, of: id
        ) {
            resumed.arms[$0.text(0)] = SoakProgress.Arm(
                runs: $0.int(1), failing: $0.int(2), undecided: $0.int(3), simulated: $0.bits(4))
        }
        resumed.groups = try groups(of: id)
        try rows(
            "SELECT name, occasions, runs, broken FROM promise WHERE campaign = ?", of: id
        ) { row in resumed.occasions[row.text(0)] = [1, 2, 3].map(row.int) }
        try rows(
            "SELECT kind, hash, runs FROM coverage WHERE campaign = ? ORDER BY kind, hash", of: id
        ) {
            resumed.coverage[$0.text(0), default: []].append($0.bits(1))
            resumed.latestNews = max(resumed.latestNews, $0.int(2))
        }
        try rows("SELECT name, text FROM note WHERE campaign = ?", of: id) {
            resumed.notes[$0.text(0)] = $0.text(1)
        }
        resumed.findings = try rows(
            "SELECT fingerprint, document FROM finding WHERE campaign = ? ORDER BY fingerprint",
            of: id
        ) { FindingRecord(fingerprint: $0.text(0), document: $0.text(1)) }
        resumed.samples = try rows(
            "SELECT whole FROM sample WHERE campaign = ? ORDER BY seconds", of: id
        ) { try DamagedRow.reading($0.text(0), as: "a sample of it", of: campaign, in: file) }
        return resumed
    }

    @discardableResult
    private func rows<Value>(
        _ sql: String, of campaign: Int, read: (Statement) throws -> Value
    ) throws -> [Value] {
        try database.rows(sql, campaign, read: read)
    }

    /// The first lot that is not done, and those beyond it that are.
    private func frontier(of campaign: Int) throws -> (Int, [Int]) {
        let frontier = try database.number(
            """
            SELECT MIN(number) FROM (
              SELECT 0 AS number WHERE NOT EXISTS
                (SELECT 1 FROM lot WHERE campaign = ?1 AND number = 0)
              UNION ALL
              SELECT number + 1 FROM lot l WHERE campaign = ?1 AND NOT EXISTS
                (SELECT 1 FROM lot WHERE campaign = ?1 AND number = l.number + 1))
            """, campaign)
        let beyond = try database.rows(
            "SELECT number FROM lot WHERE campaign = ? AND number > ? ORDER BY number", campaign,
            frontier
        ) { $0.int(0) }
        return (frontier, beyond)
    }

    /// Each group with its first run in each strand; the canary's are none of the campaign's.
    private func groups(of campaign: Int) throws -> [CampaignGroup] {
        try rows(
            """
            SELECT g.fingerprint, f.arm, g.strand, g.runs, f.lot, f.whole FROM
            (SELECT fingerprint, strand, COUNT(*) AS runs, MIN(lot * 1000000 + run) AS place
             FROM failure WHERE campaign = ?1 AND arm != 'canary' GROUP BY fingerprint, strand) g
            JOIN failure f ON f.campaign = ?1 AND f.lot = g.place / 1000000
            AND f.run = g.place % 1000000 ORDER BY f.lot, f.run
            """, of: campaign
        ) {
            CampaignGroup(
                fingerprint: $0.text(0), arm: $0.text(1), strand: $0.int(2), runs: $0.int(3),
                lot: $0.int(4), whole: $0.optionalText(5))
        }
    }

    /// Campaigns but for one, with what each has seen of each group.
    func groups(before name: String?) throws -> [GroupRecord] {
        try using { db in
            try db.rows(
                """
                SELECT c.name, c.begun, c.tool, f.fingerprint, COUNT(*),
                (SELECT SUM(runs) FROM lot WHERE campaign = c.id AND arm != 'canary')
                FROM campaign c JOIN failure f ON f.campaign = c.id
                WHERE f.arm != 'canary' AND c.name IS NOT ?1
                GROUP BY c.id, f.fingerprint
                UNION ALL
                SELECT name, begun, tool, '', 0,
                (SELECT SUM(runs) FROM lot WHERE campaign = c.id AND arm != 'canary')
                FROM campaign c WHERE name IS NOT ?1
                ORDER BY 2, 1, 4
                """, name
            ) {
                GroupRecord(
                    campaign: $0.text(0), begun: $0.int(1), tool: $0.text(2),
                    fingerprint: $0.text(3), runs: $0.int(4), of: $0.int(5))
            }
        }
    }
}
