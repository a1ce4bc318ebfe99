import GRDB

/// The tables of a history, and how older ones become as they are now.
///
/// A published step is never changed; a new version adds one.
enum Schema {
    /// What stands in the file's header where a history is: "ANEC".
    static let applicationID = 0x414E_4543

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: first) }
        return migrator
    }()

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
