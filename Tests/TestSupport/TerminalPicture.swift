/// What a terminal shows after the bytes it was given. A wide character's second cell is empty.
///
/// It is strict: a command is obeyed where the terminal database has it for this kind of terminal; any other command,
/// and any character that does not show, is kept among `strangers`.
package struct TerminalPicture {
    package enum Kind: String, Sendable, CaseIterable {
        case vt52
        case xterm = "xterm-256color"
    }

    package internal(set) var rows: [[String]]
    /// What no program that knows this terminal writes to it.
    package internal(set) var strangers: [String] = []
    /// The screen that full-screen programs have to themselves.
    package internal(set) var isAlternate = false
    package internal(set) var isCursorShown = true
    /// What is reported besides keys: 1000 the mouse's presses and releases, 1006 their form, 2004 that text is pasted.
    package internal(set) var inputModes: Set<Int> = []

    /// Where the next character goes.
    var cursor = Place(row: 0, column: 0)
    /// The cursor stands behind the last column: the next character begins a line.
    var isWrapPending = false
    /// DECAWM: whether a character after the last column begins a new line.
    var wraps = true
    var isInserting = false
    /// The rows that scroll.
    var region: Range<Int>
    /// What 1049 and DECSC put aside.
    var savedRows: [[String]]?
    var savedCursor = Place(row: 0, column: 0)
    /// What a mark sits on, and what is repeated.
    private(set) var last: (place: Place, character: Unicode.Scalar)?

    private let type: Kind
    private let width: (Unicode.Scalar) -> Int
    private var input: TerminalInput

    struct Place: Equatable {
        var row: Int
        var column: Int
    }

    /// An empty screen. `width` tells the columns of a character.
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

    /// The rows as text, without the blanks at their ends.
    package var text: String {
        rows.map { row in
            let end = row.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0
            return row[..<end].joined()
        }.joined(separator: "\n")
    }

    /// Gives the screen another size: what does not fit goes, what comes is empty.
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

    /// Takes what was written to the terminal.
    package mutating func take(_ bytes: some Sequence<UInt8>) {
        for token in input.take(bytes) {
            switch token {
            case .character("\u{8}"): move(to: Place(row: cursor.row, column: cursor.column - 1))
            case .character("\t"): move(to: Place(row: cursor.row, column: (cursor.column / 8 + 1) * 8))
            case .character("\r"): move(to: Place(row: cursor.row, column: 0))
            case .character("\n"): lineFeed()
            case .character(let character) where character.shows: put(character)
            case .character(let character): strangers.append("\(character)")
            case .command(let command):
                let isKnown = type == .vt52 ? obeyAsVT52(command) : obeyAsXterm(command)
                if !isKnown { strangers.append(command) }
            case .noise(let bytes): strangers.append("\(bytes)")
            }
        }
    }

    // MARK: Writing

    mutating func move(to place: Place) {
        cursor.row = max(0, min(rows.count - 1, place.row))
        cursor.column = max(0, min(columns - 1, place.column))
        isWrapPending = false
    }

    mutating func put(_ character: Unicode.Scalar) {
        let width = width(character)
        if width == 0 {
            if let last { rows[last.place.row][last.place.column].unicodeScalars.append(character) }
            return
        }
        if !wraps {
            cursor.column = min(cursor.column, columns - width)
        } else if isWrapPending || (type == .xterm && cursor.column + width > columns) {
            move(to: Place(row: cursor.row, column: 0))
            lineFeed()
        }
        if isInserting { insertCells(width) }
        let (row, column) = (cursor.row, cursor.column)
        for offset in 0..<width { blank(row, column + offset) }
        rows[row][column] = String(character)
        if width == 2 { rows[row][column + 1] = "" }
        last = (cursor, character)
        move(to: Place(row: row, column: column + width))
        isWrapPending = type == .xterm && column + width == columns
    }

    /// Half a wide character is none: the other half goes too.
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

    /// Makes room for so many cells at the cursor; what is pushed over the edge is lost.
    mutating func insertCells(_ count: Int) {
        let count = min(count, columns - cursor.column)
        erase(columns - count..<columns, inRow: cursor.row)
        if rows[cursor.row][cursor.column].isEmpty { blank(cursor.row, cursor.column) }
        rows[cursor.row].removeLast(count)
        rows[cursor.row].insert(contentsOf: Array(repeating: " ", count: count), at: cursor.column)
    }

    /// Takes so many cells out at the cursor; the rest of the row moves up.
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
            move(to: Place(row: cursor.row + 1, column: cursor.column))
        }
    }

    mutating func reverseLineFeed() {
        if cursor.row == region.lowerBound {
            scroll(region, by: -1)
        } else {
            move(to: Place(row: cursor.row - 1, column: cursor.column))
        }
    }

    /// Moves rows up, or down where negative; empty ones come in at the other end.
    mutating func scroll(_ scrolled: Range<Int>, by count: Int) {
        let empty = Array(repeating: " ", count: columns)
        for _ in 0..<min(abs(count), scrolled.count) {
            rows.remove(at: count > 0 ? scrolled.lowerBound : scrolled.upperBound - 1)
            rows.insert(empty, at: count > 0 ? scrolled.upperBound - 1 : scrolled.lowerBound)
        }
    }
}

extension Unicode.Scalar {
    /// Whether a terminal shows it, or marks with it what it shows, and does nothing else.
    fileprivate var shows: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        // Bidi marks, embeddings, overrides and isolates.
        default: !properties.isBidiControl
        }
    }
}
