import Artifacts

/// Rows of text in columns that are as wide as they need to be.
package struct TextTable {
    private let rows: [[String]]

    package init(header: [String], rows: [[String]]) {
        self.rows = ([header] + rows).map { $0.map(plainLine) }
    }

    /// The lines, without blanks at their ends; on a terminal no longer than it is wide.
    package var text: String { text(within: terminalWidth) }

    /// The lines, no longer than so many columns; nil for any length.
    package func text(within width: Int?) -> String { rows(within: width).joined(separator: "\n") }

    /// The head and each row, as text of one line; where that is longer than so many columns, a cell goes on below
    /// itself.
    package func rows(within width: Int?) -> [String] {
        let widths = widths(within: width ?? .max)
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in cell.wrapped(at: widths[column]) }
            let height = cells.map(\.count).max() ?? 0
            return (0..<height).map { line in
                Self.line(cells.map { line < $0.count ? $0[line] : "" }, widths)
            }.joined(separator: "\n")
        }
    }

    /// The least width of a column that has more to say.
    private static let narrowest = 8

    /// As much as the widest cells need; where that is too much, the widest columns give.
    private func widths(within width: Int) -> [Int] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        while widths.reduce(0, +) + 2 * (widths.count - 1) > width,
            let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
            widths[widest] > Self.narrowest
        {
            widths[widest] -= 1
        }
        return widths
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = cells.enumerated().map { column, cell in
            cell + String(repeating: " ", count: widths[column] - cell.count)
        }
        let line = padded.joined(separator: "  ")
        return String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
    }
}
