/// A mouse action in a cell.
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

/// The part after `ESC [ <` of a mouse report in xterm's form 1006, such as `0;12;5M`.
///
/// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Mouse-Tracking
package struct MouseReport: Hashable, Sendable {
    private var text = ""

    package init() {}

    package enum Step: Hashable, Sendable {
        case more
        /// The report is complete; nil for another button or a release.
        case whole(MouseEvent?)
        /// The character is not part of a report.
        case broken
    }

    package mutating func append(_ scalar: Unicode.Scalar) -> Step {
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
        let kinds: [Int: MouseEvent.Kind] = [0: .click, 64: .wheelUp, 65: .wheelDown]
        // Shift, meta and control, which are 4, 8 and 16, change nothing.
        guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0, let kind = kinds[numbers[0] & ~0b11100] else {
            return nil
        }
        return MouseEvent(kind, Position(column: numbers[1] - 1, row: numbers[2] - 1))
    }
}
