/// The screen of a VT52, which has the fewest commands of all terminals that ncurses can use. Any other command is an
/// error, and so is a control character that is not a command.
struct TerminalScreen: CustomStringConvertible {
    private enum State {
        case text
        case escape
        case row
        case column(row: Int)
    }

    private(set) var row = 0
    private var column = 0
    private var cells: [[Unicode.Scalar]]
    private let columns: Int
    private var state = State.text
    /// The bytes of a character that is not complete.
    private var partial: [UInt8] = []

    init(rows: Int, columns: Int) {
        self.columns = columns
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// The text of each row, without spaces at its end.
    var lines: [String] {
        cells.map { String(String.UnicodeScalarView($0[...($0.lastIndex { $0 != " " } ?? -1)])) }
    }

    /// The text of the row with the terminal's cursor.
    var cursorLine: String { lines[row] }

    var description: String { lines.joined(separator: "\n") }

    mutating func process(_ byte: UInt8) throws {
        defer { (row, column) = (min(max(row, 0), cells.count - 1), min(max(column, 0), columns - 1)) }
        switch (state, byte) {
        case (.text, 0x1B): state = .escape
        case (.text, 0x08): column -= 1
        case (.text, 0x09): column = (column / 8 + 1) * 8
        case (.text, 0x0A): lineFeed()
        case (.text, 0x0D): column = 0
        case (.text, 0x20...0x7E), (.text, 0x80...): try put(byte)
        case (.text, _): throw TestFailure(description: "control character \(byte) on\n\(self)")
        case (.row, _): state = .column(row: Int(byte) - 0x20)
        case (.column(let row), _): (self.row, column, state) = (row, Int(byte) - 0x20, .text)
        case (.escape, _):
            state = .text
            try perform(Unicode.Scalar(byte))
        }
    }

    private mutating func perform(_ command: Unicode.Scalar) throws {
        switch command {
        case "A": row -= 1
        case "B": row += 1
        case "C": column += 1
        case "D": column -= 1
        case "H": (row, column) = (0, 0)
        case "I": reverseLineFeed()
        case "J":
            erase(row, from: column)
            for row in cells.indices.dropFirst(row + 1) { erase(row, from: 0) }
        case "K": erase(row, from: column)
        case "Y": state = .row
        // The character sets and the keypad.
        case "F", "G", "=", ">": break
        default: throw TestFailure(description: "unknown command \(command) on\n\(self)")
        }
    }

    private mutating func put(_ byte: UInt8) throws {
        partial.append(byte)
        let text = String(decoding: partial, as: UTF8.self).unicodeScalars
        guard text.count == 1, let character = text.first, character != "\u{FFFD}" else {
            if partial.count == 4 { throw TestFailure(description: "not UTF-8: \(partial)") }
            return
        }
        partial = []
        guard character.value < 0x80 || character.value > 0x9F else {
            throw TestFailure(description: "control character \(character.value) on\n\(self)")
        }
        cells[row][column] = character
        column += 1
    }

    private mutating func erase(_ row: Int, from column: Int) {
        for column in column..<columns { cells[row][column] = " " }
    }

    private mutating func lineFeed() {
        row += 1
        if row < cells.count { return }
        cells.removeFirst()
        cells.append(Array(repeating: " ", count: columns))
    }

    private mutating func reverseLineFeed() {
        row -= 1
        if row >= 0 { return }
        cells.removeLast()
        cells.insert(Array(repeating: " ", count: columns), at: 0)
    }
}
