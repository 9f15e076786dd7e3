import Diffable
import JokesCore
import Terminal

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
            return rowLines(
                of: item, isNew: arrivals.contains(id), isStarred: isStarred, isRevealed: revealed.contains(id),
                width: listWidth,
                most: listHeight < 10 ? 2 : 3)
        }
    }
}

/// The lines of an item: its star, its text, and at the right, where the screen is wide, its category and source.
///
/// A row that is not revealed keeps its punchline back and has `most` lines at the most; one that is revealed shows
/// all there is.
func rowLines(of item: Item, isNew: Bool, isStarred: Bool, isRevealed: Bool, width: Int, most: Int) -> [Line] {
    switch item {
    case .loading(let number): [loadingLine(number, shimmer: nil)]
    case .joke(let joke):
        jokeLines(
            joke.content, joke.id, isNew: isNew, isStarred: isStarred, isRevealed: isRevealed, width: width, most: most)
    case .found(let found):
        jokeLines(
            found.joke.content, found.joke.id, marks: found.marks, isNew: isNew, isStarred: isStarred,
            isRevealed: isRevealed,
            width: width, most: most)
    case .unknown: [Line()]
    case .favorite(let favorite):
        jokeLines(
            favorite.content, favorite.id, isNew: isNew, isStarred: isStarred, isRevealed: isRevealed, width: width,
            most: most)
    }
}

private func jokeLines(
    _ content: JokeContent, _ id: JokeID, marks: [TextStretch] = [], isNew: Bool, isStarred: Bool, isRevealed: Bool,
    width: Int,
    most: Int
) -> [Line] {
    let isWide = width >= 60
    let origin = Line((content.categories.prefix(1) + [String(id.source)]).joined(separator: " \u{B7} "), .muted)
    let room = max(1, width - 2 - (isWide ? originColumns + 2 : 0))
    let setup = markedLines(
        content.text.setup, marks.bytes(of: .setup), to: room, atMost: isRevealed ? .max : most)
    var lines = setup.map { Line("  ") + $0 }
    let star = Line([sign(isNew: isNew, isStarred: isStarred)]) + (setup.first ?? Line())
    lines[0] = isWide ? .justified(star, origin.truncated(to: originColumns), to: width) : star
    guard isRevealed else {
        let isBehind = !marks.isEmpty && marks.allSatisfy { $0.part == .punchline }
        return isBehind ? lines + [Line("  \u{2014} found in the punchline", .muted)] : lines
    }
    if let punchline = content.text.punchline {
        let accent = Style([], .accent)
        let parts = markedLines(punchline, marks.bytes(of: .punchline), to: max(1, room - 2), accent)
        lines += parts.enumerated().map { number, part in
            Line(number == 0 ? "  \u{2014} " : "    ", .muted) + part
        }
    }
    return isWide ? lines : lines + [Line("  ") + origin]
}

/// Columns at the right that a joke's category and source have.
private let originColumns = 22

/// What stands before a joke.
private func sign(isNew: Bool, isStarred: Bool) -> Span {
    if isStarred { return Span("\u{2605} ", Style(.bold, .accent)) }
    return isNew ? Span("\u{2022} ", Style(.bold, .good)) : Span("  ")
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
