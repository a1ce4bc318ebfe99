/// Rows of text in columns that are as wide as they need to be.
package struct TextTable {
    private let rows: [[String]]

    /// A table with a head.
    package init(header: [String], rows: [[String]]) {
        self.rows = ([header] + rows).map { $0.map(plainLine) }
    }

    /// The lines, without blanks at their ends.
    package var text: String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                column == row.count - 1
                    ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
            }
            let line = cells.joined(separator: "  ")
            return String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
        }.joined(separator: "\n")
    }
}
