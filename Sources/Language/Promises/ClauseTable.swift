import CFiles

/// One statement of a specification: who is bound, how strictly, and which promise tells whether it
/// is kept.
package struct Clause: Equatable, Sendable {
    /// Its stable name: `R4-3.4.1-2` is the second statement of section 3.4.1.
    package let id: String
    /// The section that it stands in.
    package let section: String
    package let level: Property.Level
    package let keeper: Property.Keeper
    /// What it says, in our words; what R4 does not say, but what follows from it, begins with `inferred: `.
    package let statement: String
    /// The promises that tell; none where no promise can.
    ///
    /// It is put to the test where the first of them is, and not kept where one is broken.
    package let promises: [String]
    /// Why no promise can tell; nil where one does.
    package let untestable: String?

    fileprivate init(_ record: CSVReader.Record) throws(ClauseTable.Failure) {
        let fields = record.fields
        guard fields.count == ClauseTable.columns.count else {
            throw record.failure("\(ClauseTable.columns.count) fields, found \(fields.count)")
        }
        guard let level = Property.Level(rawValue: fields[2]) else {
            let words = Property.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw record.failure("a level (\(words)), found \"\(fields[2])\"")
        }
        guard let keeper = Property.Keeper(rawValue: fields[3]) else {
            let words = Property.Keeper.allCases.map(\.rawValue).joined(separator: ", ")
            throw record.failure("a keeper (\(words)), found \"\(fields[3])\"")
        }
        id = fields[0]
        section = fields[1]
        self.level = level
        self.keeper = keeper
        statement = fields[4]
        promises = fields[5].split(separator: " ").map(String.init)
        untestable = fields[6].isEmpty ? nil : fields[6]
    }
}

/// What a specification says, a row a statement.
package enum ClauseTable {
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The line of the table, from 1.
        package let line: Int
        /// What should have stood there.
        package let expected: String

        package var description: String { "line \(line): expected \(expected)" }
    }

    /// All that R4 of the accessory protocol demands, recommends and allows, in its order.
    package static let r4: [Clause] = {
        do { return try clauses(of: Array(String(cString: clauses_csv()).utf8)) } catch {
            preconditionFailure("clauses.csv, \(error)")
        }
    }()

    fileprivate static let columns = [
        "id", "section", "level", "keeper", "statement", "promise", "untestable",
    ]

    /// Reads a table of comma-separated values (RFC 4180) whose first record names the columns.
    ///
    /// - Throws: `Failure` that names the line.
    package static func clauses(of bytes: [UInt8]) throws(Failure) -> [Clause] {
        let records = try CSVReader.records(of: bytes)
        guard records.first?.fields == columns else {
            throw Failure(line: 1, expected: columns.joined(separator: ","))
        }
        var clauses: [Clause] = []
        for record in records.dropFirst() { clauses.append(try Clause(record)) }
        return clauses
    }
}

/// Comma-separated values, byte by byte.
private struct CSVReader {
    /// The fields between two ends of a line.
    struct Record {
        /// The line that it begins in, from 1.
        let line: Int
        let fields: [String]

        func failure(_ expected: String) -> ClauseTable.Failure {
            ClauseTable.Failure(line: line, expected: expected)
        }
    }

    private enum State {
        case start
        case bare
        case quoted
        /// Behind a quote in such a field: its end, or the first of two that mean one.
        case closed
        /// Behind the carriage return that ends a record with a line feed.
        case ending
    }

    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")

    private var state = State.start
    private var field: [UInt8] = []
    private var fields: [String] = []
    private var records: [Record] = []
    private var line = 1
    private var firstLine = 1

    static func records(of bytes: [UInt8]) throws(ClauseTable.Failure) -> [Record] {
        var reader = CSVReader()
        for byte in bytes { try reader.take(byte) }
        try reader.finish()
        return reader.records
    }

    private mutating func take(_ byte: UInt8) throws(ClauseTable.Failure) {
        switch (state, byte) {
        case (.quoted, Self.quote): state = .closed
        case (.quoted, _): field.append(byte)
        case (.start, Self.quote): state = .quoted
        case (.closed, Self.quote):
            field.append(byte)
            state = .quoted
        case (_, Self.lineFeed): endRecord()
        case (.ending, _): throw failure("a line feed behind the carriage return")
        case (_, Self.comma): endField()
        case (_, Self.carriageReturn): state = .ending
        case (.closed, _), (.bare, Self.quote): throw failure("a comma or the end of the line")
        case (.start, _), (.bare, _):
            field.append(byte)
            state = .bare
        }
        if byte == Self.lineFeed { line += 1 }
    }

    /// The last record may do without the end of its line.
    private mutating func finish() throws(ClauseTable.Failure) {
        switch state {
        case .quoted: throw failure("a quote that closes the field")
        case .ending: throw failure("a line feed behind the carriage return")
        case .start where fields.isEmpty: break
        case .start, .bare, .closed: endRecord()
        }
    }

    private mutating func endField() {
        fields.append(String(decoding: field, as: UTF8.self))
        field = []
        state = .start
    }

    private mutating func endRecord() {
        endField()
        records.append(Record(line: firstLine, fields: fields))
        fields = []
        firstLine = line + 1
    }

    private func failure(_ expected: String) -> ClauseTable.Failure {
        ClauseTable.Failure(line: line, expected: expected)
    }
}
