/// An emulator of a terminal: the screen after the output of a program. The second cell of a wide character is empty.
///
/// The emulation is strict: only commands of this kind of terminal in the terminal database are performed. All other
/// commands and all invisible characters are recorded in `unexpectedOutput`.
package struct TerminalScreen {
    package enum Kind: String, Sendable, CaseIterable {
        case vt52
        case xterm = "xterm-256color"
    }

    package internal(set) var rows: [[String]]
    /// Output that a correct program does not write to this terminal.
    package internal(set) var unexpectedOutput: [String] = []
    /// True if the alternate screen, for full-screen programs, is shown.
    package internal(set) var isAlternate = false
    package internal(set) var isCursorShown = true
    /// The enabled input modes: 1000 mouse presses and releases, 1006 their SGR form, 2004 bracketed paste,
    /// 2031 reports of another color scheme.
    package internal(set) var inputModes: Set<Int> = []

    /// The position of the next character.
    package internal(set) var cursor = Position(row: 0, column: 0)
    /// True if the cursor is after the last column, so that the next character begins a new line.
    var isWrapPending = false
    /// True if a character after the last column begins a new line (DECAWM).
    var wraps = true
    /// True if a character moves the rest of the line to the right (IRM).
    var isInserting = false
    /// The scrolling region.
    var region: Range<Int>
    /// The state saved by mode 1049 and by DECSC.
    var savedRows: [[String]]?
    var savedCursor = Position(row: 0, column: 0)
    /// The last character, for combining marks and for the repeat command.
    private(set) var last: (position: Position, character: Unicode.Scalar)?

    private let type: Kind
    private let width: (Unicode.Scalar) -> Int
    private var input: TerminalInput

    package struct Position: Equatable, Sendable {
        package var row: Int
        package var column: Int
    }

    /// Creates an empty screen. `width` returns the columns of a character.
    package init(
        _ type: Kind, columns: Int, rows: Int, width: @escaping (Unicode.Scalar) -> Int = { _ in 1 }
    ) {
        self.rows = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        self.type = type
        self.width = width
        region = 0..<rows
        input = TerminalInput(type: type)
    }

    var columns: Int { rows[0].count }

    /// The rows as text, without trailing blanks.
    package var text: String {
        rows.map { row in
            let end = row.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0
            return row[..<end].joined()
        }.joined(separator: "\n")
    }

    /// Changes the size of the screen: rows and columns that do not fit are dropped, and new ones are empty.
    package mutating func resize(columns: Int, rows count: Int) {
        func fitted(_ old: [[String]]) -> [[String]] {
            let kept = old.prefix(count).map { row in
                Array(row.prefix(columns)) + Array(repeating: " ", count: max(0, columns - row.count))
            }
            return kept + Array(repeating: Array(repeating: " ", count: columns), count: count - kept.count)
        }
        rows = fitted(rows)
        savedRows = savedRows.map(fitted)
        region = 0..<count
        move(to: cursor)
    }

    /// Processes output of the program.
    package mutating func process(_ bytes: some Sequence<UInt8>) {
        for token in input.process(bytes) {
            switch token {
            case .character("\u{8}"): move(to: Position(row: cursor.row, column: cursor.column - 1))
            case .character("\t"): move(to: Position(row: cursor.row, column: (cursor.column / 8 + 1) * 8))
            case .character("\r"): move(to: Position(row: cursor.row, column: 0))
            case .character("\n"): lineFeed()
            case .character(let character) where character.isVisible: put(character)
            case .character(let character): unexpectedOutput.append("\(character)")
            case .command(let command):
                let isKnown = type == .vt52 ? performVT52Command(command) : performXtermCommand(command)
                if !isKnown { unexpectedOutput.append(command) }
            case .invalid(let bytes): unexpectedOutput.append("\(bytes)")
            }
        }
    }

    // MARK: Writing

    mutating func move(to position: Position) {
        cursor.row = max(0, min(rows.count - 1, position.row))
        cursor.column = max(0, min(columns - 1, position.column))
        isWrapPending = false
    }

    mutating func put(_ character: Unicode.Scalar) {
        let width = width(character)
        if width == 0 {
            if let last { rows[last.position.row][last.position.column].unicodeScalars.append(character) }
            return
        }
        if !wraps {
            cursor.column = min(cursor.column, columns - width)
        } else if isWrapPending || (type == .xterm && cursor.column + width > columns) {
            move(to: Position(row: cursor.row, column: 0))
            lineFeed()
        }
        if isInserting { insertCells(width) }
        let (row, column) = (cursor.row, cursor.column)
        for offset in 0..<width { blank(row, column + offset) }
        rows[row][column] = String(character)
        if width == 2 { rows[row][column + 1] = "" }
        last = (cursor, character)
        move(to: Position(row: row, column: column + width))
        isWrapPending = type == .xterm && column + width == columns
    }

    /// Blanks a cell, and the other half of a wide character in it.
    private mutating func blank(_ row: Int, _ column: Int) {
        if rows[row][column].isEmpty { rows[row][column - 1] = " " }
        if column + 1 < columns, rows[row][column + 1].isEmpty { rows[row][column + 1] = " " }
        rows[row][column] = " "
    }

    mutating func erase(_ cells: Range<Int>, inRow row: Int) {
        for column in cells { blank(row, column) }
    }

    mutating func erase(rows erased: some Sequence<Int>) {
        for row in erased { erase(0..<columns, inRow: row) }
    }

    /// Inserts blank cells at the cursor; cells pushed over the edge are lost.
    mutating func insertCells(_ count: Int) {
        let count = min(count, columns - cursor.column)
        erase(columns - count..<columns, inRow: cursor.row)
        if rows[cursor.row][cursor.column].isEmpty { blank(cursor.row, cursor.column) }
        rows[cursor.row].removeLast(count)
        rows[cursor.row].insert(contentsOf: Array(repeating: " ", count: count), at: cursor.column)
    }

    /// Deletes cells at the cursor; the rest of the row moves left.
    mutating func deleteCells(_ count: Int) {
        let count = min(count, columns - cursor.column)
        erase(cursor.column..<cursor.column + count, inRow: cursor.row)
        rows[cursor.row].removeSubrange(cursor.column..<cursor.column + count)
        rows[cursor.row] += Array(repeating: " ", count: count)
    }

    // MARK: Scrolling

    mutating func lineFeed() {
        if cursor.row == region.upperBound - 1 {
            scroll(region, by: 1)
        } else {
            move(to: Position(row: cursor.row + 1, column: cursor.column))
        }
    }

    mutating func reverseLineFeed() {
        if cursor.row == region.lowerBound {
            scroll(region, by: -1)
        } else {
            move(to: Position(row: cursor.row - 1, column: cursor.column))
        }
    }

    /// Scrolls rows up, or down if the count is negative, and inserts empty rows at the other end.
    mutating func scroll(_ scrolled: Range<Int>, by count: Int) {
        let empty = Array(repeating: " ", count: columns)
        for _ in 0..<min(abs(count), scrolled.count) {
            rows.remove(at: count > 0 ? scrolled.lowerBound : scrolled.upperBound - 1)
            rows.insert(empty, at: count > 0 ? scrolled.upperBound - 1 : scrolled.lowerBound)
        }
    }
}

extension Unicode.Scalar {
    /// True if a terminal shows the character, or combines it with the previous character, without other effects.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        // Bidi marks, embeddings, overrides and isolates.
        default: !properties.isBidiControl
        }
    }
}
