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

extension MouseEvent {
    /// Reads a mouse report in xterm's form 1006, such as `ESC [ < 0;12;5M`, whose parameters are `0;12;5`. Nil for another
    /// button and for a release.
    ///
    /// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Mouse-Tracking
    package init?(report parameters: Substring, isPress: Bool) {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
        let kinds: [Int: Kind] = [0: .click, 64: .wheelUp, 65: .wheelDown]
        // Shift, meta and control, which are 4, 8 and 16, change nothing.
        guard isPress, numbers.count == 3, let button = numbers[0], let column = numbers[1], let row = numbers[2],
            column > 0, row > 0, let kind = kinds[button & ~0b11100]
        else { return nil }
        self.init(kind, Position(column: column - 1, row: row - 1))
    }
}
