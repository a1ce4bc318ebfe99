/// The tables of a history, and how older ones become as they are now.
enum Schema {
    /// What stands in the file's header where a history is: "ANEC".
    private static let applicationID = 0x414E_4543

    /// The steps by their names: a published one is never changed, and a new version adds one.
    private static let steps = [(name: "1", script: first)]

    /// Which steps a file has taken: a table of the library that wrote histories first.
    private static let taken = "grdb_migrations"

    /// Makes a new file a history, and one of an earlier version as those of this version are.
    ///
    /// - Throws: `HistoryRefusal` where it is no history, or one of a newer version.
    static func adopt(_ database: Database, in file: String) throws {
        let id = try database.number("PRAGMA application_id")
        let tables = try database.number("SELECT COUNT(*) FROM sqlite_master")
        guard id == applicationID || tables == 0 else {
            throw HistoryRefusal(
                "\(file) is a database of another program; expected a history of anechoic soak")
        }
        // Before it has tables: one that is killed meanwhile leaves no stranger behind.
        if id != applicationID { try database.run("PRAGMA application_id = \(applicationID)") }
        try database.run(
            "CREATE TABLE IF NOT EXISTS \(taken)(identifier TEXT NOT NULL PRIMARY KEY)")
        let names = try database.rows("SELECT identifier FROM \(taken)") { $0.text(0) }
        guard names.allSatisfy({ name in steps.contains { $0.name == name } }) else {
            throw HistoryRefusal(
                "\(file) was written by a newer anechoic; use that version, or begin another "
                    + "history with --out")
        }
        for step in steps where !names.contains(step.name) {
            try database.transaction {
                try database.run(step.script)
                try database.execute("INSERT INTO \(taken) VALUES (?)", step.name)
            }
        }
    }

    /// What becomes of the counts of a promise that the campaign has already: they add up.
    static let countingOn = """
        ON CONFLICT(campaign, name) DO UPDATE SET occasions = occasions + excluded.occasions,
        runs = runs + excluded.runs, broken = broken + excluded.broken
        """

    private static let first = """
        CREATE TABLE campaign(
          id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, plan TEXT NOT NULL, tool TEXT NOT NULL,
          machine TEXT NOT NULL, begun INTEGER NOT NULL, seconds REAL NOT NULL DEFAULT 0, ended TEXT);
        CREATE TABLE lot(
          campaign INTEGER NOT NULL REFERENCES campaign, number INTEGER NOT NULL, arm TEXT NOT NULL,
          topology TEXT NOT NULL, seed INTEGER NOT NULL, runs INTEGER NOT NULL,
          failing INTEGER NOT NULL, undecided INTEGER NOT NULL, simulated INTEGER NOT NULL,
          PRIMARY KEY(campaign, number)) WITHOUT ROWID;
        CREATE TABLE failure(
          campaign INTEGER NOT NULL, lot INTEGER NOT NULL, run INTEGER NOT NULL, arm TEXT NOT NULL,
          strand INTEGER NOT NULL, seed INTEGER NOT NULL, fingerprint TEXT NOT NULL, whole TEXT,
          PRIMARY KEY(campaign, lot, run)) WITHOUT ROWID;
        CREATE INDEX failure_of_group ON failure(campaign, fingerprint, lot, run);
        CREATE TABLE promise(
          campaign INTEGER NOT NULL, name TEXT NOT NULL, occasions INTEGER NOT NULL,
          runs INTEGER NOT NULL, broken INTEGER NOT NULL,
          PRIMARY KEY(campaign, name)) WITHOUT ROWID;
        CREATE TABLE coverage(
          campaign INTEGER NOT NULL, kind TEXT NOT NULL, hash INTEGER NOT NULL, runs INTEGER NOT NULL,
          PRIMARY KEY(campaign, kind, hash)) WITHOUT ROWID;
        CREATE TABLE sample(
          campaign INTEGER NOT NULL, seconds REAL NOT NULL, runs INTEGER NOT NULL,
          covered INTEGER NOT NULL, whole TEXT NOT NULL);
        CREATE TABLE finding(
          campaign INTEGER NOT NULL, fingerprint TEXT NOT NULL, document TEXT NOT NULL,
          PRIMARY KEY(campaign, fingerprint)) WITHOUT ROWID;
        CREATE TABLE note(
          campaign INTEGER NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL,
          PRIMARY KEY(campaign, name)) WITHOUT ROWID;
        """
}
