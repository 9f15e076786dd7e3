import JokesCore
import TextLayout

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
        // Nothing else tells the count, and the query can be typed on: of it there is what the rest leaves room for.
        let count = Line(" (\(count)\(isExact ? "" : "+"))", style)
        let names = ["Search: ", ""].map { Line(sign + $0, style) }
        let name = names.first { $0.columns + count.columns + leastOfQuery <= width } ?? names[1]
        let room = max(1, width - name.columns - count.columns)
        return name + Line(query, style).truncated(to: room) + count
    case .unknown: return Line()
    }
}

/// Of a query that is cut off there are as many columns at least, where the name of the section can make room for them.
private let leastOfQuery = 5
