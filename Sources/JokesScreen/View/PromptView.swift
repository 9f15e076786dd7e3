import Diffable
import JokesCore
import Terminal
import TextLayout

extension Model {
    /// The prompt of the search in the place of the status, and the column of its end; nil where none is open.
    var prompt: (line: Line, end: Int)? {
        guard let search, search.isTyping else { return nil }
        let wordings = promptWords(search).map { Line($0 + " ", .muted) }
        let words = wordings.first { $0.columns <= size.columns / 2 } ?? Line()
        let isRoomy = words.columns > 0
        let room = max(0, size.columns - 2 - (isRoomy ? words.columns + 1 : 0))
        let query = Line("/") + Line(sanitized(search.query).suffix(columns: room))
        let line = isRoomy ? Line.justified(query, words, to: size.columns) : query.fitted(to: size.columns)
        return (line, min(query.columns, max(0, size.columns - 1)))
    }

    private func promptWords(_ search: Search) -> Clause {
        if search.isCut { return ["query too long", "too long"] }
        if search.asked == nil { return ["Esc cancels"] }
        if case .away = link { return ["daemon unreachable", "no daemon"] }
        guard !isAwaited, case .searchResults(_, let count, let isExact) = snapshot?.section(for: .searchResults) else {
            return ["searching\u{2026}", "waiting\u{2026}"]
        }
        let number = "\(count)\(isExact ? "" : "+")"
        return ["\(number) found", number]
    }
}

extension String {
    /// The clusters that fit the columns whole, from the end.
    fileprivate func suffix(columns limit: Int) -> String {
        var room = limit
        let start = indices.reversed().prefix { index in
            room -= self[index].columns
            return room >= 0
        }.last
        return start.map { String(self[$0...]) } ?? ""
    }
}
