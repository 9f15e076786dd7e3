import JokesCore
import Synchronization
import TextLayout

/// A row with a joke, and all inputs of its layout.
struct ItemRow: Equatable {
    let item: Item
    let isFavorite: Bool
    let isRevealed: Bool
    let width: Int
    /// The maximum number of lines if the row is not revealed.
    let maxLines: Int

    /// The star, the text, the category and the source; and the punchline if the row is revealed. At least one line.
    var lines: [Line] {
        guard let content = item.content, let id = item.id.joke else { return [Line()] }
        let origin = origin(id, content)
        let room = max(1, width - 2 - origin.columns)
        let isOnlyInPunchline = !isRevealed && !marks.isEmpty && marks.allSatisfy { $0.part == .punchline }
        var setup = setupLines(content.text.setup, to: max(1, width - 2), first: room)
        if isOnlyInPunchline, maxLines == 1, room >= 32 {
            let words = Line(" (punchline)", .muted)
            setup = [setup[0].truncated(to: room - words.columns) + words]
        }
        var lines = setup.enumerated().map { number, line in Line([number == 0 ? sign : Span("  ")]) + line }
        if origin.columns > 0 { lines[0] = lines[0].fitted(to: room + 2) + origin }
        if isOnlyInPunchline && maxLines > 1 { lines.append(Line("  (found in the punchline)", .muted)) }
        guard isRevealed, let punchline = content.text.punchline else { return lines }
        return lines + punchlineLines(punchline, marking: marks.bytes(of: .punchline), to: width)
    }

    /// The category and the source in columns of their own, if there is room.
    private func origin(_ id: JokeID, _ content: JokeContent) -> Line {
        func column(_ text: String, _ role: ColorRole) -> Line {
            Line("  ") + Line(text, Style([], item.isSeen ? .muted : role)).fitted(to: 12)
        }
        let source = String(id.source)
        let category = width >= 76 ? column(content.categories.first ?? "", .muted) : Line()
        return width >= 56 ? category + column(source, .name(source)) : Line()
    }

    private var found: FoundJoke? { if case .found(let found) = item { found } else { nil } }

    private var marks: [TextRange] { found?.marks ?? [] }

    private var sign: Span { isFavorite ? Span("\u{2605} ", Style(.bold, .accent)) : Span("  ") }

    /// The part of a setup that fits: its beginning, or the snippet if the beginning has no match.
    private func setupLines(_ text: String, to columns: Int, first room: Int) -> [Line] {
        let marks = marks.bytes(of: .setup)
        let style: Style = item.isSeen ? .muted : .plain
        if isRevealed { return wrapped(text, style, marking: marks, to: columns, first: room) }
        // A space in place of a line feed keeps the byte offsets of the marks.
        let text = maxLines == 1 ? String(text.map { $0 == "\n" ? " " : $0 }) : text
        func lines(_ text: String, _ marks: [Range<Int>]) -> [Line] {
            wrapped(text, style, marking: marks, to: columns, first: room, atMost: maxLines)
        }
        let fromStart = lines(text, marks)
        guard let first = marks.first, !fromStart.hasFound else { return fromStart }
        // On a narrow line, the match may be beyond the start of the snippet.
        let snippet = found?.snippet.part == .setup ? found?.snippet.bytes.lowerBound : nil
        let later = [snippet ?? first.lowerBound, first.lowerBound].lazy.map { start in
            let shift = start - ellipsis.utf8.count
            return lines(
                ellipsis + String(Substring(text.utf8.dropFirst(start))),
                marks.filter { $0.lowerBound >= start }.map { $0.lowerBound - shift..<$0.upperBound - shift })
        }
        return later.first(where: \.hasFound) ?? fromStart
    }
}

/// The punchline below a setup, after a dash.
func punchlineLines(_ text: String, marking marks: [Range<Int>] = [], to width: Int) -> [Line] {
    wrapped(text, .accent, marking: marks, to: max(1, width - 4)).enumerated().map {
        Line($0 == 0 ? "  \u{2014} " : "    ", .muted) + $1
    }
}

extension [Line] {
    /// True if a match is in the lines.
    fileprivate var hasFound: Bool { contains { $0.spans.contains { $0.style == .found && $0.text != ellipsis } } }
}

extension [TextRange] {
    /// The ranges in one part of the joke.
    func bytes(of part: TextRange.Part) -> [Range<Int>] { filter { $0.part == part }.map(\.bytes) }
}

/// A cache of the lines of rows: a key needs the lines of all rows on the screen several times. Without it, paging through
/// many jokes takes almost twice the time.
///
/// It does not count in the comparison of models, and copies of a model share it.
final class RowLayouts: Equatable, Sendable {
    private let cache = Mutex<[Item.ID: (row: ItemRow, lines: [Line])]>([:])

    func lines(of row: ItemRow) -> [Line] {
        cache.withLock { cache in
            if let known = cache[row.item.id], known.row == row { return known.lines }
            // A few screens.
            if cache.count >= 500 { cache = [:] }
            let lines = row.lines
            cache[row.item.id] = (row, lines)
            return lines
        }
    }

    static func == (a: RowLayouts, b: RowLayouts) -> Bool { true }
}
