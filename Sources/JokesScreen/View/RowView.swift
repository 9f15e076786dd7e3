import Diffable
import JokesCore
import Terminal
import TextLayout

extension Model {
    /// The lines of a row; at least one.
    func lines(of row: RowID) -> [Line] {
        switch row {
        case .header(let section):
            guard let section = snapshot?.section(for: section) else { return [Line()] }
            return [headerLine(of: section, isFolded: folded.contains(section.id), clock: clock, width: listWidth)]
        case .more(let section): return [moreLine(of: section)]
        case .item(let id):
            guard let item = snapshot?.item(for: id) else { return [Line()] }
            if case .loading(let number) = id { return [loadingLine(number, shimmer: shimmer)] }
            let isStarred = id.joke.map { self.isStarred($0) } ?? false
            let state = RowState(
                isNew: arrivals.contains(id), isStarred: isStarred, isRevealed: revealed.contains(id))
            return layouts.lines(of: RowLayouts.Row(item: item, state: state, form: rowForm))
        }
    }

    private var rowForm: RowForm {
        // The details show the source, and the text needs the room.
        let tellsBeside = if case .beside = layout.details { listWidth < 90 } else { false }
        return RowForm(
            width: listWidth, most: wrapsRows ? layout.list.rows : 1,
            origin: tellsBeside ? .elsewhere : listWidth >= 60 ? .right : .end)
    }
}

/// The state of a row.
struct RowState: Equatable {
    var isNew = false
    var isStarred = false
    var isRevealed = false
}

/// The layout of rows.
struct RowForm: Equatable {
    /// The place of the category and the source.
    enum Origin {
        case right
        /// At the right of the last line if there is room; a revealed row may have them below.
        case end
        case elsewhere
    }

    var width: Int
    /// The maximum number of lines of a row that is not revealed.
    var most: Int
    var origin: Origin
}

/// The lines of an item: its star, its text, its category and source. The punchline is shown if the row is revealed.
func rowLines(of item: Item, _ state: RowState, _ form: RowForm) -> [Line] {
    switch item {
    case .loading(let number): [loadingLine(number, shimmer: nil)]
    case .joke(let joke): jokeLines(joke.content, joke.id, state, form)
    case .found(let found): jokeLines(found.joke.content, found.joke.id, from: found, state, form)
    case .unknown: [Line()]
    case .favorite(let favorite): jokeLines(favorite.content, favorite.id, state, form)
    }
}

private func jokeLines(
    _ content: JokeContent, _ id: JokeID, from found: FoundJoke? = nil, _ state: RowState, _ form: RowForm
) -> [Line] {
    let marks = found?.marks ?? []
    let origin = content.origin(of: id)
    let room = max(1, form.width - 2 - (form.origin == .right ? originColumns + 2 : 0))
    let isBehind = !marks.isEmpty && !state.isRevealed && marks.allSatisfy { $0.part == .punchline }
    var setup =
        state.isRevealed
        ? wrapped(content.text.setup, marking: marks.bytes(of: .setup), to: room)
        : setupLines(content.text.setup, found, to: room, atMost: form.most)
    if isBehind, form.most == 1, let line = setup.first, room >= narrowestWithOrigin {
        let words = Line(" (punchline)", .muted)
        setup = [line.truncated(to: room - words.columns) + words]
    }
    var lines = setup.map { Line("  ") + $0 }
    lines[0] = Line([sign(state)]) + (setup.first ?? Line())
    if form.origin == .right {
        lines[0] = .justified(lines[0], origin[0].truncated(to: originColumns), to: form.width)
    }
    guard state.isRevealed else {
        if isBehind && form.most > 1 { lines.append(Line("  (found in the punchline)", .muted)) }
        let hasRoom = form.origin == .end && form.width >= narrowestWithOrigin
        return hasRoom ? lines.ending(with: origin, width: form.width) ?? lines : lines
    }
    if let punchline = content.text.punchline {
        let parts = wrapped(punchline, .accent, marking: marks.bytes(of: .punchline), to: max(1, room - 2))
        lines += parts.enumerated().map { number, part in
            Line(number == 0 ? "  \u{2014} " : "    ", .muted) + part
        }
    }
    guard form.origin == .end else { return lines }
    return lines.ending(with: origin, width: form.width) ?? lines + [Line("  ") + origin[0]]
}

extension JokeContent {
    /// The category and source, and a shorter form.
    fileprivate func origin(of id: JokeID) -> [Line] {
        let source = String(id.source)
        return (categories.prefix(1).map { "\($0) \u{B7} \(source)" } + [source]).map { Line($0, .muted) }
    }
}

extension [Line] {
    /// The lines with the first wording that fits at the right of the last line; nil if none fits.
    fileprivate func ending(with wordings: [Line], width: Int) -> [Line]? {
        guard let last, let fit = wordings.first(where: { last.columns + 2 + $0.columns <= width }) else { return nil }
        return dropLast() + [.justified(last, fit, to: width)]
    }
}

/// The part of a setup that fits: its beginning, or the snippet if the beginning has no match.
private func setupLines(_ text: String, _ found: FoundJoke?, to columns: Int, atMost most: Int) -> [Line] {
    func lines(_ text: String, _ marks: [Range<Int>]) -> [Line] {
        most == 1 ? [oneLine(text, marks, to: columns)] : wrapped(text, marking: marks, to: columns, atMost: most)
    }
    let marks = (found?.marks ?? []).bytes(of: .setup)
    let fromStart = lines(text, marks)
    guard let first = marks.first, !fromStart.hasFound else { return fromStart }
    // On a narrow line, the match may be beyond the start of the snippet.
    let snippet = found?.snippet.part == .setup ? found?.snippet.bytes : nil
    let inSnippet = marks.first { snippet?.contains($0.lowerBound) == true } ?? first
    let later = [snippet?.lowerBound ?? inSnippet.lowerBound, inSnippet.lowerBound].lazy.map { start in
        let shift = start - ellipsis.utf8.count
        return lines(
            ellipsis + String(Substring(text.utf8.dropFirst(start))),
            marks.filter { $0.lowerBound >= start }.map { $0.lowerBound - shift..<$0.upperBound - shift })
    }
    return later.first(where: \.hasFound) ?? fromStart
}

extension [Line] {
    /// True if a match is in the lines.
    fileprivate var hasFound: Bool {
        contains { line in line.spans.contains { $0.style == .found && $0.text != ellipsis } }
    }
}

extension [TextStretch] {
    /// The ranges in one part of the joke.
    func bytes(of part: TextStretch.Part) -> [Range<Int>] {
        filter { $0.part == part }.map(\.bytes)
    }
}

/// The text on one line, cut off at its width.
private func oneLine(_ text: String, _ marks: [Range<Int>], to columns: Int) -> Line {
    // The replacement keeps the byte offsets of the marks.
    let scalars = text.unicodeScalars.map { $0 == "\n" ? " " : $0 }
    let lines = wrapped(String(String.UnicodeScalarView(scalars)), marking: marks, to: .max)
    return (lines.first ?? Line()).truncated(to: columns)
}

/// The columns for the category and the source.
private let originColumns = 22
/// Narrower lists show only the text of a row that is not revealed.
private let narrowestWithOrigin = 32

private func sign(_ state: RowState) -> Span {
    if state.isStarred { return Span("\u{2605} ", Style(.bold, .accent)) }
    return state.isNew ? Span("\u{2022} ", Style(.bold, .good)) : Span("  ")
}

/// A loading row. The shimmer moves to the right, and is further right in each row below.
private func loadingLine(_ number: Int, shimmer: Int?) -> Line {
    let text = "Loading\u{2026}"
    guard let shimmer else { return Line("  " + text, .muted) }
    let way = text.count + 6
    let place = (shimmer % way + number % way) % way - 2
    return Line(
        [Span("  ")]
            + text.enumerated().map { column, letter in
                Span(String(letter), abs(column - place) <= 1 ? .bold : .muted)
            })
}

/// The header of a section: its fold sign, its name and count, and its state at the right.
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
        // The query is cut off before the count.
        let count = Line(" (\(count)\(isExact ? "" : "+"))", style)
        let names = ["Search: ", ""].map { Line(sign + $0, style) }
        let name = names.first { $0.columns + count.columns + leastOfQuery <= width } ?? names[1]
        let room = max(1, width - name.columns - count.columns)
        return name + Line(query, style).truncated(to: room) + count
    case .unknown: return Line()
    }
}

/// The minimum columns of a query that is cut off.
private let leastOfQuery = 5
