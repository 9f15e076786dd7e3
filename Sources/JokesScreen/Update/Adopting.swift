import Diffable
import JokesCore

extension Model {
    /// Handles a new snapshot of the daemon.
    mutating func adopt(_ new: JokeSnapshot) {
        markArrivals(in: new)
        told = new
        if case .jokes(let header) = new.section(for: .jokes) { lastHeader = header }
        settleMarks()
        let wasAwaited = isAwaited
        isAwaited = false
        showTold()
        grantWish()
        // A row that is not in the new view will not appear.
        if wasAwaited { wish = nil }
    }

    /// Updates the shown snapshot. The cursor stays on its row or moves to the replacement, at the same line of the
    /// screen. If the list was at its top, it stays there, so that new jokes are visible.
    mutating func showTold() {
        guard let new = toldWithoutHidden else { return }
        let old = rows
        let isAtTop = top.map { $0 == Anchor(row: old.first ?? $0.row, line: 0) } ?? true
        let line = cursor.flatMap { screenLine(of: $0) } ?? 0
        snapshot = new
        // During a search, the state of the jokes is kept.
        let isSearch = new.containsSection(.searchResults)
        folded = folded.filter { new.containsSection($0) || (isSearch && $0 == .jokes) }
        revealed = revealed.filter { new.contains($0) || isSearch }
        let isFirst = cursor == nil
        cursor = cursor.map { old.heir(of: $0, in: rows) } ?? rows.first
        if isFirst, let first = rows.first, let second = rows.row(after: first) { cursor = second }
        guard let cursor, let first = rows.first else {
            top = nil
            return
        }
        if isAtTop { place(first, at: 0) } else { place(cursor, at: line) }
        showCursor()
    }

    /// Moves the cursor to the expected row if the row exists.
    mutating func grantWish() {
        switch wish {
        case .row(let row, let line):
            guard rows.contains(row) else { return }
            if let line { place(row, at: line) }
            go(to: row)
        case .firstFound:
            let header = RowID.header(.searchResults)
            guard rows.contains(header) else { return }
            folded.remove(.searchResults)
            place(header, at: 0)
            go(to: rows.firstItem(of: .searchResults) ?? header)
        case nil: break
        }
    }
}
