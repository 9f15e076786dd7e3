import JokesCore
import Synchronization
import TextLayout

/// A row with a joke, and all inputs of its layout.
struct ItemRow: Equatable {
    /// The position of the category and the source.
    enum Origin {
        case right
        /// At the right of the last line if there is room; a revealed row may have them below.
        case end
        case elsewhere
    }

    let item: Item
    let isNew: Bool
    let isFavorite: Bool
    let isRevealed: Bool
    let width: Int
    /// The maximum number of lines if the row is not revealed.
    let maxLines: Int
    let origin: Origin

    /// The columns for the category and the source.
    private static let originColumns = 22
    /// Narrower lists show only the text of a row that is not revealed.
    private static let minColumnsWithOrigin = 32

    /// The star, the text, the category and the source; and the punchline if the row is revealed. At least one line.
    var lines: [Line] {
        guard let content = item.content, let id = item.id.joke else { return [Line()] }
        let origins = content.origins(of: id)
        let room = max(1, width - 2 - (origin == .right ? Self.originColumns + 2 : 0))
        let isOnlyInPunchline = !isRevealed && !marks.isEmpty && marks.allSatisfy { $0.part == .punchline }
        var setup = setupLines(content.text.setup, to: room)
        if isOnlyInPunchline, maxLines == 1, room >= Self.minColumnsWithOrigin {
            let words = Line(" (punchline)", .muted)
            setup = [setup[0].truncated(to: room - words.columns) + words]
        }
        var lines = setup.enumerated().map { number, line in Line([number == 0 ? sign : Span("  ")]) + line }
        if origin == .right {
            lines[0] = .justified(lines[0], origins[0].truncated(to: Self.originColumns), to: width)
        }
        guard isRevealed else {
            if isOnlyInPunchline && maxLines > 1 { lines.append(Line("  (found in the punchline)", .muted)) }
            let hasRoom = origin == .end && width >= Self.minColumnsWithOrigin
            return hasRoom ? lines.ending(with: origins, width: width) ?? lines : lines
        }
        if let punchline = content.text.punchline {
            let parts = wrapped(punchline, .accent, marking: marks.bytes(of: .punchline), to: max(1, room - 2))
            lines += parts.enumerated().map { Line($0 == 0 ? "  \u{2014} " : "    ", .muted) + $1 }
        }
        guard origin == .end else { return lines }
        return lines.ending(with: origins, width: width) ?? lines + [Line("  ") + origins[0]]
    }

    private var found: FoundJoke? { if case .found(let found) = item { found } else { nil } }

    private var marks: [TextRange] { found?.marks ?? [] }

    private var sign: Span {
        if isFavorite { return Span("\u{2605} ", Style(.bold, .accent)) }
        return isNew ? Span("\u{2022} ", Style(.bold, .good)) : Span("  ")
    }

    /// The part of a setup that fits: its beginning, or the snippet if the beginning has no match.
    private func setupLines(_ text: String, to columns: Int) -> [Line] {
        let marks = marks.bytes(of: .setup)
        let style: Style = item.isSeen && !isNew ? .muted : .plain
        if isRevealed { return wrapped(text, style, marking: marks, to: columns) }
        func lines(_ text: String, _ marks: [Range<Int>]) -> [Line] {
            maxLines == 1
                ? [oneLine(text, style, marks, to: columns)]
                : wrapped(text, style, marking: marks, to: columns, atMost: maxLines)
        }
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
}

extension JokeContent {
    /// The category and source, and a shorter form.
    fileprivate func origins(of id: JokeID) -> [Line] {
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

    /// True if a match is in the lines.
    fileprivate var hasFound: Bool { contains { $0.spans.contains { $0.style == .found && $0.text != ellipsis } } }
}

extension [TextRange] {
    /// The ranges in one part of the joke.
    func bytes(of part: TextRange.Part) -> [Range<Int>] { filter { $0.part == part }.map(\.bytes) }
}

/// The text on one line, cut off at its width.
private func oneLine(_ text: String, _ style: Style, _ marks: [Range<Int>], to columns: Int) -> Line {
    // The replacement keeps the byte offsets of the marks.
    let scalars = text.unicodeScalars.map { $0 == "\n" ? " " : $0 }
    let lines = wrapped(String(String.UnicodeScalarView(scalars)), style, marking: marks, to: .max)
    return (lines.first ?? Line()).truncated(to: columns)
}

/// A cache of the lines of rows: each key needs the lines of all rows on the screen several times.
///
/// It does not count in the comparison of models, and copies of a model share it.
final class RowLayouts: Equatable, Sendable {
    private struct Cache {
        var rows: [Item.ID: (row: ItemRow, lines: [Line])] = [:]
        var layoutCount = 0
    }

    /// A few screens.
    private static let maxRows = 500

    private let cache = Mutex(Cache())

    /// The number of layouts so far.
    var count: Int { cache.withLock { $0.layoutCount } }

    func lines(of row: ItemRow) -> [Line] {
        cache.withLock { cache in
            let id = row.item.id
            if let known = cache.rows[id], known.row == row { return known.lines }
            let lines = row.lines
            if cache.rows.count >= Self.maxRows { cache.rows = [:] }
            cache.rows[id] = (row, lines)
            cache.layoutCount += 1
            return lines
        }
    }

    static func == (a: RowLayouts, b: RowLayouts) -> Bool { true }
}
