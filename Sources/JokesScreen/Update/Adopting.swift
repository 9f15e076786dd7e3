import Diffable
import JokesCore

extension Model {
    /// Takes a new picture of the daemon.
    mutating func adopt(_ new: JokeSnapshot) {
        markArrivals(in: new)
        told = new
        if case .jokes(let header) = new.section(for: .jokes) { lastHeader = header }
        settleMarks()
        let wasAwaited = isAwaited
        isAwaited = false
        showTold()
        grantWish()
        // A row that the new view does not have will not come any more.
        if wasAwaited { wish = nil }
    }

    /// Shows the daemon's picture as it is here. The cursor stays on its row, or goes to the one that takes its place,
    /// and that row stays on its line of the screen; only at the very top the list stays there, so that what is new is
    /// seen.
    mutating func showTold() {
        guard let new = toldWithoutHidden else { return }
        let old = rows
        let isAtTop = top.map { $0 == Anchor(row: old.first ?? $0.row, line: 0) } ?? true
        let line = cursor.flatMap { screenLine(of: $0) } ?? 0
        snapshot = new
        // Under a search the jokes stay as they were, for when they are back.
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

    /// Goes where the cursor is to go, if it is there now.
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
