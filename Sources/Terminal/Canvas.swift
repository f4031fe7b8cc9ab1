/// A place on a screen, counted from zero, from the top and from the left.
package struct Place: Hashable, Sendable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// The content of a screen: a grid of cells. Drawn on without a terminal.
package struct Canvas: Equatable, Sendable {
    /// A wide character has two cells; the second has no text.
    struct Cell: Equatable, Sendable {
        /// One character that takes a column or two, with its combining marks.
        var text: String
        var style: Style

        static let blank = Cell(text: " ", style: .plain)
        var isContinuation: Bool { text.isEmpty }
    }

    package let columns: Int
    package let rows: Int
    /// Where the terminal's cursor stands; `nil` hides it.
    package var cursor: Place?
    private var cells: [[Cell]]

    package init(columns: Int, rows: Int) {
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
        cells = Array(repeating: Array(repeating: .blank, count: self.columns), count: self.rows)
    }

    /// Writes one line of text from a place to the right. Parts outside of the canvas are left out. A wide character that has room for
    /// one of its columns only becomes a space there.
    ///
    /// No part of the text controls a terminal: control characters, line ends and characters that change the direction of text are
    /// written in a visible form.
    ///
    /// - Parameter width: how many columns the text may take.
    /// - Returns: the column behind the text.
    @discardableResult
    package mutating func write(
        _ text: String,
        row: Int,
        column: Int,
        width: Int = .max,
        style: Style = .plain
    ) -> Int {
        let (sum, overflows) = column.addingReportingOverflow(max(width, 0))
        let end = overflows ? columns : min(sum, columns)
        var column = column
        for character in text {
            for (text, width) in CellText.pieces(of: character) {
                guard column < end else { return column }
                put(Cell(text: text, style: style), width: width, row: row, column: column, end: end)
                column = min(column + width, end)
            }
        }
        return column
    }

    /// Changes the style of cells, and not their text.
    package mutating func paint(row: Int, columns range: Range<Int>, style: Style) {
        guard cells.indices.contains(row) else { return }
        for column in range.clamped(to: 0..<columns) { cells[row][column].style = style }
    }

    /// A row as text without the spaces at its end.
    package func text(row: Int) -> String {
        guard cells.indices.contains(row) else { return "" }
        let used = cells[row].lastIndex { $0.text != " " } ?? -1
        return cells[row][...used].map(\.text).joined()
    }

    /// The style of a cell; plain outside of the canvas.
    package func style(row: Int, column: Int) -> Style {
        guard cells.indices.contains(row), cells[row].indices.contains(column) else { return .plain }
        return cells[row][column].style
    }

    func cells(row: Int) -> [Cell] { cells.indices.contains(row) ? cells[row] : [] }

    private mutating func put(_ cell: Cell, width: Int, row: Int, column: Int, end: Int) {
        guard cells.indices.contains(row), column + width > 0 else { return }
        let isWhole = column >= 0 && column + width <= end
        for place in max(column, 0)..<min(column + width, end) {
            separate(row: row, column: place)
            let text = !isWhole ? " " : place == column ? cell.text : ""
            cells[row][place] = Cell(text: text, style: cell.style)
        }
    }

    /// The other cell of a wide character becomes a space when one of them is overwritten.
    private mutating func separate(row: Int, column: Int) {
        if cells[row][column].isContinuation, column > 0 { cells[row][column - 1].text = " " }
        if column + 1 < columns, cells[row][column + 1].isContinuation { cells[row][column + 1].text = " " }
    }
}
