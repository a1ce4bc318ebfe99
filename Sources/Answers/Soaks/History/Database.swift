import CSQLite
import Glibc

/// A file of SQLite's.
///
/// SQLite is compiled for threads and starts none; its locks for them are off, because there is one thread here.
final class Database {
    private let connection: OpaquePointer
    /// By their texts: each is prepared once.
    private var statements: [String: Statement] = [:]

    /// Opens a file, which is made where there is none.
    init(file: String) throws(DatabaseError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(file, &opened, flags, nil) == SQLITE_OK, let opened else {
            defer { sqlite3_close_v2(opened) }
            throw DatabaseError(opened)
        }
        connection = opened
        sqlite3_busy_timeout(connection, 5_000)
    }

    // Statements that are alive keep it open until they are finalized.
    deinit { sqlite3_close_v2(connection) }

    // MARK: Statements

    /// Runs statements that are used once and give nothing.
    func run(_ script: String) throws(DatabaseError) {
        guard sqlite3_exec(connection, script, nil, nil, nil) == SQLITE_OK else {
            throw DatabaseError(connection)
        }
    }

    /// Runs a statement that changes something.
    func execute(_ sql: String, _ values: (any SQLValue)?...) throws {
        _ = try stepped(sql, values) { _ in }
    }

    /// What `read` makes of each row of a query.
    func rows<Value>(
        _ sql: String, _ values: (any SQLValue)?..., read: (Statement) throws -> Value
    ) throws -> [Value] {
        try stepped(sql, values, read)
    }

    /// The number of a query that gives one.
    func number(_ sql: String, _ values: (any SQLValue)?...) throws -> Int {
        try stepped(sql, values) { $0.int(0) }.first ?? 0
    }

    private func stepped<Value>(
        _ sql: String, _ values: [(any SQLValue)?], _ read: (Statement) throws -> Value
    ) throws -> [Value] {
        let statement = try statement(sql)
        defer { statement.reset() }
        statement.bind(values)
        var found: [Value] = []
        while try statement.step() { found.append(try read(statement)) }
        return found
    }

    private func statement(_ sql: String) throws(DatabaseError) -> Statement {
        if let known = statements[sql] { return known }
        let new = try Statement(sql, of: connection)
        statements[sql] = new
        return new
    }

    var latestRow: Int { Int(sqlite3_last_insert_rowid(connection)) }

    /// How many rows the latest statement has changed.
    var changes: Int { Int(sqlite3_changes(connection)) }

    // MARK: Transactions

    /// Keeps all that `body` writes, or nothing of it.
    func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try execute("BEGIN IMMEDIATE")
        do {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // A full disk has ended it already.
            if sqlite3_get_autocommit(connection) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Copies what was written ahead into the file itself, and waits until the disk has it.
    ///
    /// - Parameter truncates: Whether the file of what was written ahead gives its room back, too.
    /// - Throws: `DatabaseError`, where another connection is in the way, too.
    func checkpoint(truncates: Bool = false) throws(DatabaseError) {
        let mode = truncates ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        guard sqlite3_wal_checkpoint_v2(connection, nil, mode, nil, nil) == SQLITE_OK else {
            throw DatabaseError(connection)
        }
    }
}

struct DatabaseError: Error {
    /// In SQLite's words.
    let message: String
    let isNoDatabase: Bool
    /// Whether there is no room for what was to be written: SQLite tells some of it as an error of the disk.
    let isLackOfRoom: Bool

    /// The latest one of a connection; nil where there was no memory for one.
    init(_ connection: OpaquePointer?) {
        let code = sqlite3_errcode(connection)
        message = String(cString: sqlite3_errmsg(connection))
        isNoDatabase = code == SQLITE_NOTADB
        isLackOfRoom =
            code == SQLITE_FULL
            || code == SQLITE_IOERR && sqlite3_system_errno(connection) == ENOSPC
    }
}
