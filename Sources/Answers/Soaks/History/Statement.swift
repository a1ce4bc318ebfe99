import CSQLite

/// A prepared statement; while it is stepped through, it is its current row.
final class Statement {
    private let pointer: OpaquePointer
    private let connection: OpaquePointer

    init(_ sql: String, of connection: OpaquePointer) throws(DatabaseError) {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &prepared, nil) == SQLITE_OK, let prepared
        else { throw DatabaseError(connection) }
        (pointer, self.connection) = (prepared, connection)
    }

    deinit { sqlite3_finalize(pointer) }

    /// Gives all parameters their values; nil is NULL.
    func bind(_ values: [(any SQLValue)?]) {
        let wanted = sqlite3_bind_parameter_count(pointer)
        precondition(values.count == wanted, "\(values.count) values for \(wanted) parameters")
        for (place, value) in zip(Int32(1)..., values) {
            if let value {
                value.bind(to: place, of: pointer)
            } else {
                sqlite3_bind_null(pointer, place)
            }
        }
    }

    /// Goes on to the next row; false where there is none.
    func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw DatabaseError(connection)
        }
    }

    /// Makes it ready for other values; an error was thrown by the step before.
    func reset() { sqlite3_reset(pointer) }

    // MARK: The current row

    func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(pointer, column)) }

    /// What was kept as the bits of a signed number.
    func bits(_ column: Int32) -> UInt64 { UInt64(bitPattern: Int64(int(column))) }

    func real(_ column: Int32) -> Double { sqlite3_column_double(pointer, column) }

    /// Empty where there is none.
    func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    func optionalText(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(pointer, column) else { return nil }
        let count = Int(sqlite3_column_bytes(pointer, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}

/// What a parameter of a statement can be.
protocol SQLValue {
    func bind(to place: Int32, of statement: OpaquePointer)
}

extension Int: SQLValue {
    func bind(to place: Int32, of statement: OpaquePointer) {
        sqlite3_bind_int64(statement, place, Int64(self))
    }
}

/// SQLite has signed numbers alone: it keeps the bits.
extension UInt64: SQLValue {
    func bind(to place: Int32, of statement: OpaquePointer) {
        sqlite3_bind_int64(statement, place, Int64(bitPattern: self))
    }
}

extension Double: SQLValue {
    func bind(to place: Int32, of statement: OpaquePointer) {
        sqlite3_bind_double(statement, place, self)
    }
}

extension String: SQLValue {
    func bind(to place: Int32, of statement: OpaquePointer) {
        sqlite3_bind_copy_of_text(statement, place, self, Int32(utf8.count))
    }
}
