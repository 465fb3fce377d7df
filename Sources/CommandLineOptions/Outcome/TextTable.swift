/// Rows of text in aligned columns, for a person to read.
package struct TextTable: Sendable {
    private var rows: [[String]]

    /// Creates a table with its headings.
    package init(_ headings: [String]) {
        rows = [headings.map { $0.uppercased() }]
    }

    /// Adds a row; cells without text stay empty.
    package mutating func append(_ cells: [String]) {
        rows.append(cells)
    }

    /// The lines, without a line break at the end.
    package var text: String {
        let columnCount = rows.map(\.count).max() ?? 0
        let widths = (0..<columnCount).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if column < row.count - 1 { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
            }
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}
