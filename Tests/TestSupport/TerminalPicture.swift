/// What a terminal of the type vt52 shows after the bytes it was given. A wide character's second cell is empty.
package struct TerminalPicture {
    package private(set) var rows: [[String]]
    private var (row, column) = (0, 0)

    /// The columns of a character.
    private let width: (Unicode.Scalar) -> Int

    package init(columns: Int, rows: Int, width: @escaping (Unicode.Scalar) -> Int = { _ in 1 }) {
        self.rows = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        self.width = width
    }

    /// The rows as text, without the blanks at their ends.
    package var text: String {
        rows.map { row in
            let end = row.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0
            return row[..<end].joined()
        }.joined(separator: "\n")
    }

    /// Obeys what was written to the terminal, a command at the end that is not whole left out.
    package mutating func take(_ bytes: String) {
        var rest = bytes.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{7}": break
            case "\u{8}": column = max(0, column - 1)
            case "\t": column = min(rows[row].count - 1, (column / 8 + 1) * 8)
            case "\r": column = 0
            case "\n": if row == rows.count - 1 { scroll(from: 0, to: row) } else { row += 1 }
            case "\u{1B}": obey(rest.popFirst(), &rest)
            default: put(scalar)
            }
        }
    }

    private mutating func obey(_ command: Unicode.Scalar?, _ rest: inout Substring.UnicodeScalarView) {
        switch command {
        case "A": row -= 1
        case "B": row += 1
        case "C": column += 1
        case "D": column -= 1
        case "H": (row, column) = (0, 0)
        case "I": if row == 0 { scroll(from: rows.count - 1, to: 0) } else { row -= 1 }
        case "J":
            erase(from: column, in: row)
            for below in rows.indices where below > row { erase(from: 0, in: below) }
        case "K": erase(from: column, in: row)
        case "Y":
            guard let line = rest.popFirst(), let position = rest.popFirst() else { return }
            row = Int(line.value) - 32
            column = Int(position.value) - 32
        case "=", ">", "F", "G", nil: break
        default: preconditionFailure("a vt52 has no command \(String(describing: command))")
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let width = width(scalar)
        if width == 0 {
            let base = rows[row][column - 1].isEmpty ? column - 2 : column - 1
            rows[row][base].unicodeScalars.append(scalar)
            return
        }
        for offset in 0..<width { blank(column + offset) }
        rows[row][column] = String(scalar)
        if width == 2 { rows[row][column + 1] = "" }
        column = min(rows[row].count - 1, column + width)
    }

    /// Half a wide character is none: the other half goes too.
    private mutating func blank(_ index: Int) {
        if rows[row][index].isEmpty { rows[row][index - 1] = " " }
        if index + 1 < rows[row].count, rows[row][index + 1].isEmpty { rows[row][index + 1] = " " }
        rows[row][index] = " "
    }

    /// Takes a line away and puts an empty one elsewhere.
    private mutating func scroll(from lost: Int, to new: Int) {
        let blank = Array(repeating: " ", count: rows[lost].count)
        rows.remove(at: lost)
        rows.insert(blank, at: new)
    }

    private mutating func erase(from start: Int, in line: Int) {
        for index in start..<rows[line].count { rows[line][index] = " " }
    }
}
