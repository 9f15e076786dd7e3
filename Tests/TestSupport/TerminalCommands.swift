// The commands of terminals, as infocmp(1) lists them.

extension TerminalScreen {
    /// Performs a command of a vt52; returns false if a vt52 has no such command.
    mutating func performVT52Command(_ command: String) -> Bool {
        let bytes = Array(command.utf8)
        switch bytes[1] {
        case UInt8(ascii: "A"): move(to: Position(row: cursor.row - 1, column: cursor.column))
        case UInt8(ascii: "B"): move(to: Position(row: cursor.row + 1, column: cursor.column))
        case UInt8(ascii: "C"): move(to: Position(row: cursor.row, column: cursor.column + 1))
        case UInt8(ascii: "D"): move(to: Position(row: cursor.row, column: cursor.column - 1))
        case UInt8(ascii: "H"): move(to: Position(row: 0, column: 0))
        case UInt8(ascii: "I"): reverseLineFeed()
        case UInt8(ascii: "J"): eraseBelow()
        case UInt8(ascii: "K"): erase(cursor.column..<columns, inRow: cursor.row)
        case UInt8(ascii: "Y"): move(to: Position(row: Int(bytes[2]) - 32, column: Int(bytes[3]) - 32))
        // Sets the keypad's modes, and selects a character set.
        case UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "F"), UInt8(ascii: "G"): break
        default: return false
        }
        return true
    }

    /// Performs a command of an xterm; returns false if ncurses does not write this command to an xterm.
    mutating func performXtermCommand(_ command: String) -> Bool {
        switch command.dropFirst() {
        // Selects ASCII, sets the keypad's modes, resets the colors (OSC 104), and asks for the background and the device
        // attributes. This terminal does not reply.
        case "(B", "=", ">", "]104\u{7}", "]11;?\u{1B}\\", "[c": break
        case "7": savedCursor = cursor
        case "8": move(to: savedCursor)
        case "M": reverseLineFeed()
        default:
            guard let sequence = ControlSequence(command) else { return false }
            return perform(sequence)
        }
        return true
    }

    private mutating func perform(_ sequence: ControlSequence) -> Bool {
        let count = sequence.parameters.first ?? 1
        switch (sequence.name, sequence.parameters.count) {
        case ("A", 0...1): move(to: Position(row: cursor.row - count, column: cursor.column))
        case ("B", 0...1): move(to: Position(row: cursor.row + count, column: cursor.column))
        case ("C", 0...1): move(to: Position(row: cursor.row, column: cursor.column + count))
        case ("D", 0...1): move(to: Position(row: cursor.row, column: cursor.column - count))
        case ("G", 1): move(to: Position(row: cursor.row, column: count - 1))
        case ("d", 1): move(to: Position(row: count - 1, column: cursor.column))
        case ("H", 0): move(to: Position(row: 0, column: 0))
        case ("H", 2): move(to: Position(row: count - 1, column: sequence.parameters[1] - 1))
        case ("J", 0): eraseBelow()
        case ("J", 1) where count == 2: erase(rows: rows.indices)
        case ("K", 0): erase(cursor.column..<columns, inRow: cursor.row)
        case ("K", 1) where count == 1: erase(0..<cursor.column + 1, inRow: cursor.row)
        case ("X", 1): erase(cursor.column..<min(columns, cursor.column + count), inRow: cursor.row)
        case ("@", 1): insertCells(count)
        case ("P", 0...1): deleteCells(count)
        case ("b", 1): if let last { for _ in 0..<count { put(last.character) } }
        case ("L", 0...1): scroll(cursor.row..<region.upperBound, by: -count)
        case ("M", 0...1): scroll(cursor.row..<region.upperBound, by: count)
        case ("S", 0...1): scroll(region, by: count)
        case ("T", 0...1): scroll(region, by: -count)
        case ("r", 2): return setRegion(sequence.parameters)
        case ("m", _): return sequence.isStyle
        // Saves and restores the window title.
        case ("t", 3): return [[22, 0, 0], [23, 0, 0]].contains(sequence.parameters)
        case ("h", 1), ("l", 1): return setMode(count, sequence.name == "h")
        case ("?h", 1...2), ("?l", 1...2):
            return sequence.parameters.allSatisfy { setPrivateMode($0, sequence.name == "?h") }
        default: return false
        }
        return true
    }

    private mutating func eraseBelow() {
        erase(cursor.column..<columns, inRow: cursor.row)
        erase(rows: cursor.row + 1..<rows.count)
    }

    private mutating func setRegion(_ bounds: [Int]) -> Bool {
        // A single row cannot scroll, but ncurses sets its region anyway.
        if rows.count == 1, bounds == [1, 1] { return true }
        guard bounds[0] >= 1, bounds[0] < bounds[1] else { return false }
        region = min(bounds[0], rows.count) - 1..<min(bounds[1], rows.count)
        move(to: Position(row: 0, column: 0))
        return true
    }

    private mutating func setMode(_ mode: Int, _ isOn: Bool) -> Bool {
        guard mode == 4 else { return false }
        isInserting = isOn
        return true
    }

    private mutating func setPrivateMode(_ mode: Int, _ isOn: Bool) -> Bool {
        switch mode {
        // Application cursor keys and a blinking cursor, which do not change the cells.
        case 1, 12: break
        case 7: wraps = isOn
        case 25: isCursorShown = isOn
        case 1000, 1006, 2004, 2031: if isOn { inputModes.insert(mode) } else { inputModes.remove(mode) }
        case 1049: isOn ? enterAlternate() : leaveAlternate()
        default: return false
        }
        return true
    }

    private mutating func enterAlternate() {
        guard !isAlternate else { return }
        (savedRows, savedCursor, isAlternate) = (rows, cursor, true)
        erase(rows: rows.indices)
    }

    private mutating func leaveAlternate() {
        guard isAlternate, let saved = savedRows else { return }
        (rows, savedRows, isAlternate) = (saved, nil, false)
        move(to: savedCursor)
    }
}

/// A control sequence: a command that begins with CSI (ESC [).
private struct ControlSequence {
    /// The final character, with the prefix `?` for private commands.
    let name: String
    let parameters: [Int]

    /// Parses a command; `nil` if it has another form.
    init?(_ command: String) {
        guard command.hasPrefix("\u{1B}["), let last = command.last else { return nil }
        let isPrivate = command.dropFirst(2).first == "?"
        let middle = command.dropFirst(isPrivate ? 3 : 2).dropLast()
        let numbers = middle.isEmpty ? [] : middle.split(separator: ";", omittingEmptySubsequences: false)
        parameters = numbers.compactMap { Int($0) }
        guard parameters.count == numbers.count, parameters.allSatisfy({ (0...9999).contains($0) }) else { return nil }
        name = (isPrivate ? "?" : "") + String(last)
    }

    /// True if the command sets only colors and attributes that viewers use: not blinking, not invisible.
    var isStyle: Bool {
        var rest = parameters[...]
        while let first = rest.popFirst() {
            switch first {
            case 0...4, 7, 22, 24, 27, 30...37, 39, 40...47, 49, 90...97, 100...107: continue
            case 38, 48:
                guard rest.popFirst() == 5, let color = rest.popFirst(), color < 256 else { return false }
            default: return false
            }
        }
        return true
    }
}
