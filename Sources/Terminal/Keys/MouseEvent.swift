/// What was done with the mouse, and in which cell.
package struct MouseEvent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The left button went down.
        case click
        case wheelUp, wheelDown
    }

    package var kind: Kind
    package var position: Position

    package init(_ kind: Kind, _ position: Position) {
        self.kind = kind
        self.position = position
    }
}

/// A report of the mouse in xterm's form 1006, as far as it has come: `ESC [ <` and then `0;12;5M`.
///
/// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Mouse-Tracking
package struct MouseReport: Hashable, Sendable {
    private var text = ""

    package init() {}

    package enum Step: Hashable, Sendable {
        /// There is more of it to come.
        case more
        /// It is whole; nil for what is no event of ours: another button, one that is let go.
        case whole(MouseEvent?)
        /// It is none; the character is not part of it.
        case broken
    }

    /// Takes the character that comes next.
    package mutating func take(_ scalar: Unicode.Scalar) -> Step {
        switch scalar {
        case "0"..."9", ";":
            text.unicodeScalars.append(scalar)
            return text.utf8.count > 20 ? .broken : .more
        case "M": return .whole(event)
        case "m": return .whole(nil)
        default: return .broken
        }
    }

    private var event: MouseEvent? {
        let numbers = text.split(separator: ";", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
        let kind: MouseEvent.Kind
        // Shift, meta and control, which are 4, 8 and 16, change nothing.
        switch numbers[0] & ~0b11100 {
        case 0: kind = .click
        case 64: kind = .wheelUp
        case 65: kind = .wheelDown
        default: return nil
        }
        return MouseEvent(kind, Position(column: numbers[1] - 1, row: numbers[2] - 1))
    }
}
