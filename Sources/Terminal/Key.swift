import CNcurses

/// A pressed key.
package enum Key: Hashable, Sendable {
    case character(Character)
    /// A lower-case letter, such as `.control("x")`.
    case control(Character)
    case enter, tab, backTab, escape, backspace, delete, insert
    case up, down, left, right
    case pageUp, pageDown, home, end
    case function(Int)
}

extension Key {
    /// The key of a character or, if `isNumber`, of an ncurses key number; nil for an unknown key.
    package init?(code: UInt32, isNumber: Bool) {
        guard let key = isNumber ? Self.named(Int32(bitPattern: code)) : Self.typed(code) else { return nil }
        self = key
    }

    private static func typed(_ code: UInt32) -> Key? {
        switch code {
        case 0x0A, 0x0D: .enter
        case 0x09: .tab
        case 0x1B: .escape
        case 0x08, 0x7F: .backspace
        // Control clears two bits of the letter; 0 is control with a blank.
        case 0x01...0x1A: Unicode.Scalar(code + 0x60).map { .control(Character($0)) }
        case 0x20...0x7E, 0xA0...: Unicode.Scalar(code).map { .character(Character($0)) }
        default: nil
        }
    }

    private static func named(_ number: Int32) -> Key? {
        switch number {
        case KEY_UP: .up
        case KEY_DOWN: .down
        case KEY_LEFT: .left
        case KEY_RIGHT: .right
        case KEY_PPAGE: .pageUp
        case KEY_NPAGE: .pageDown
        case KEY_HOME, KEY_FIND: .home
        case KEY_END, KEY_SELECT: .end
        case KEY_ENTER: .enter
        case KEY_BTAB: .backTab
        case KEY_BACKSPACE: .backspace
        case KEY_DC: .delete
        case KEY_IC: .insert
        case KEY_F0...KEY_F0 + 63: .function(Int(number - KEY_F0))
        default: nil
        }
    }
}
