import Diffable
import JokesCore
import Terminal
import TextLayout

extension Model {
    /// The lines of a row at the screen's width; at least one.
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
        // The details beside the list say where a joke comes from, and its text needs the room.
        let tellsBeside = if case .beside = layout.details { listWidth < 90 } else { false }
        return RowForm(
            width: listWidth, most: wrapsRows ? layout.list.rows : 1,
            origin: tellsBeside ? .elsewhere : listWidth >= 60 ? .right : .end)
    }
}

/// How it stands with a row.
struct RowState: Equatable {
    var isNew = false
    var isStarred = false
    var isRevealed = false
}

/// How rows are laid out.
struct RowForm: Equatable {
    /// Where a joke's category and source stand.
    enum Origin {
        case right
        /// At the right of its last line, where that leaves room; once it is revealed, else below it.
        case end
        /// Not in the list.
        case elsewhere
    }

    var width: Int
    /// The lines that a row has at the most which is not revealed.
    var most: Int
    var origin: Origin
}

/// The lines of an item: its star, its text, and its category and source where the form has them.
///
/// A row that is not revealed keeps its punchline back; one that is revealed shows all there is.
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
    /// A joke's category and source, and in fewer words its source.
    fileprivate func origin(of id: JokeID) -> [Line] {
        let source = String(id.source)
        return (categories.prefix(1).map { "\($0) \u{B7} \(source)" } + [source]).map { Line($0, .muted) }
    }
}

extension [Line] {
    /// The lines with the first of the wordings that the last of them has room for at its right; nil for none.
    fileprivate func ending(with wordings: [Line], width: Int) -> [Line]? {
        guard let last, let fit = wordings.first(where: { last.columns + 2 + $0.columns <= width }) else { return nil }
        return dropLast() + [.justified(last, fit, to: width)]
    }
}

/// As much of a setup as the lines hold: from its beginning, or, where none of what was searched for is in that, from
/// the snippet on.
private func setupLines(_ text: String, _ found: FoundJoke?, to columns: Int, atMost most: Int) -> [Line] {
    func lines(_ text: String, _ marks: [Range<Int>]) -> [Line] {
        most == 1 ? [oneLine(text, marks, to: columns)] : wrapped(text, marking: marks, to: columns, atMost: most)
    }
    let marks = (found?.marks ?? []).bytes(of: .setup)
    let fromStart = lines(text, marks)
    guard let first = marks.first, !fromStart.hasFound else { return fromStart }
    // The snippet leads up to what was found: further than a narrow line is long.
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
    /// Whether something of what was searched for is in them.
    fileprivate var hasFound: Bool {
        contains { line in line.spans.contains { $0.style == .found && $0.text != ellipsis } }
    }
}

extension [TextStretch] {
    /// The ranges in a part of the joke, in bytes.
    func bytes(of part: TextStretch.Part) -> [Range<Int>] {
        filter { $0.part == part }.map(\.bytes)
    }
}

/// As much of the text as one line holds, where it has several lines one behind the other.
private func oneLine(_ text: String, _ marks: [Range<Int>], to columns: Int) -> Line {
    // A byte for a byte: the marks stay where they are.
    let scalars = text.unicodeScalars.map { $0 == "\n" ? " " : $0 }
    let lines = wrapped(String(String.UnicodeScalarView(scalars)), marking: marks, to: .max)
    return (lines.first ?? Line()).truncated(to: columns)
}

/// Columns at the right that a joke's category and source have.
private let originColumns = 22
/// On a list with fewer columns a row that is not revealed is its text alone.
private let narrowestWithOrigin = 32

/// What stands before a joke.
private func sign(_ state: RowState) -> Span {
    if state.isStarred { return Span("\u{2605} ", Style(.bold, .accent)) }
    return state.isNew ? Span("\u{2022} ", Style(.bold, .good)) : Span("  ")
}

/// A row that waits for its joke, under a light that moves to the right and is further there in each row below.
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
