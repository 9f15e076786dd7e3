import JokesCore
import Terminal

/// A section's header: a sign that says whether it is folded, its name and count, and at the right how it stands.
func headerLine(of section: Section, isFolded: Bool, clock: LocalClock, width: Int) -> Line {
    let sign = isFolded ? "\u{25B8} " : "\u{25BE} "
    let style = Style(.bold, .heading)
    switch section {
    case .favoriteJokes(let count):
        return Line(sign + "Favorites (\(count))", style)
    case .jokes(let header):
        let name = Line(sign + "Jokes", style) + Line(" \(header.cached) cached", .muted)
        let room = width - name.columns - 2
        return .justified(
            name, Line(fitting(troubleClauses(header) + [syncClause(header, clock)], in: room), .muted), to: width)
    case .searchResults(let query, let count, let isExact):
        return Line(sign + "Search: \(query) (\(count)\(isExact ? "" : "+"))", style)
    case .unknown: return Line()
    }
}
