import JokesCore
import Terminal
import TextLayout

/// Returns the text in lines of at most `width` columns, in the middle of that width. The lines are about equally long. A
/// text with several paragraphs moves as a block, so that its indentation stays.
func centered(_ text: String, _ style: Style = .plain, marking marks: [Range<Int>] = [], to width: Int) -> [Line] {
    let isBlock = text.contains("\n")
    var lines = wrapped(text, style, marking: marks, to: width)
    if !isBlock && lines.count > 1 {
        // The narrowest lines of the same number.
        var (tooNarrow, fitting) = (1, width)
        while fitting - tooNarrow > 1 {
            let middle = (tooNarrow + fitting) / 2
            let narrower = wrapped(text, style, marking: marks, to: middle)
            if narrower.count == lines.count { (fitting, lines) = (middle, narrower) } else { tooNarrow = middle }
        }
    }
    let widest = lines.map(\.columns).max() ?? 0
    return lines.map { line in
        Line(String(repeating: " ", count: (width - (isBlock ? widest : line.columns)) / 2)) + line
    }
}

/// Returns lines without text; none if `count` is negative.
func blankLines(_ count: Int) -> [Line] { Array(repeating: Line(), count: max(0, count)) }

extension Model {
    /// A joke to read: the setup, below it the punchline or the key that shows it, and the facts. The lines keep their
    /// places when the punchline appears. A long text begins at the left, because centered lines are tiring to read.
    func jokeLines(_ joke: Joke, marking marks: [TextRange] = [], isRevealed: Bool, to columns: Int) -> [Line] {
        let width = min(columns, 72)
        func part(_ text: String, _ style: Style, _ part: TextRange.Part) -> [Line] {
            let lines = wrapped(text, style, marking: marks.bytes(of: part), to: width)
            return lines.count > 5 ? lines : centered(text, style, marking: marks.bytes(of: part), to: width)
        }
        var lines = part(joke.content.text.setup, .bold, .setup)
        if let punchline = joke.content.text.punchline {
            let shown = part(punchline, Style(.bold, .accent), .punchline)
            let hint = centered("\(keys.name(of: .reveal)) shows the punchline", .muted, to: width)
            lines += [Line()] + (isRevealed ? shown : hint + blankLines(shown.count - hint.count))
        }
        let facts = facts(of: joke).reduce(into: [String]()) { lines, fact in
            let longer = lines.last.map { "\($0) \u{B7} \(fact)" } ?? fact
            if longer.columns <= width { lines = lines.dropLast() + [longer] } else { lines.append(fact) }
        }
        lines += [Line()] + facts.flatMap { centered($0, .muted, to: width) }
        let indentation = Line(String(repeating: " ", count: (columns - width) / 2))
        return lines.map { indentation + $0 }
    }

    /// For example `\u{2605} Pun \u{B7} dad \u{B7} en \u{B7} safe \u{B7} first seen 2 h ago`.
    private func facts(of joke: Joke) -> [String] {
        let content = joke.content
        let flags = content.flags.names.joined(separator: ", ")
        let safety = content.safety == .unknown ? "unrated" : content.safety.rawValue
        let names = [
            content.categories.joined(separator: ", "), String(joke.id.source),
            content.language == "und" ? "" : content.language,
        ]
        let facts =
            names.filter { !$0.isEmpty }.map { String($0.map { $0.isNewline ? " " : $0 }) }
            + [flags.isEmpty ? safety : "unsafe (\(flags))", "first seen \(clock.words(for: joke.firstSeen))"]
        return [(isFavorite(joke.id) ? "\u{2605} " : "") + facts[0]] + facts.dropFirst()
    }
}
