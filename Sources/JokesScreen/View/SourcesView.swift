import JokesCore
import JokesProtocol
import Terminal
import TextLayout

extension Model {
    /// How the sources do, all of it.
    var sourcesLines: [Line] {
        let time = report.time.map { Line("as of \(clock.timeOfDay($0)) ", .muted) } ?? Line()
        return [.justified(Line(" Sources", Style(.bold, .heading)), time, to: size.columns)] + sourcesWords
    }

    private var sourcesWords: [Line] {
        let width = max(1, size.columns - 2)
        var lines: [Line] = []
        if let refusal = report.refusal {
            lines += wrapped(refusal, to: width).map { Line($0, Style([], .bad)) } + [Line()]
        }
        if let sources = report.sources {
            let widest = sources.map(\.name.columns).max() ?? 0
            lines += sources.flatMap { self.lines(of: $0, name: min(widest, width / 3), width: width) }
            if sources.isEmpty { lines += wrapped("No sources configured.", to: width).map { Line($0) } }
        } else if report.refusal == nil {
            lines += wrapped("Loading sources\u{2026}", to: width).map { Line($0, .muted) }
        }
        return lines.map { Line("  ") + $0 }
    }

    /// A source's name and beside it, or below it on a narrow screen, how it does.
    private func lines(of source: Wire.SourceHealth, name: Int, width: Int) -> [Line] {
        let isNarrow = width < 40
        let indentation = isNarrow ? 2 : name + 2
        let words = stateLines(of: source, width: max(1, width - indentation))
        if isNarrow { return [Line(source.name, .bold)] + words.map { Line("  ") + $0 } }
        return words.enumerated().map { number, line in
            (number == 0 ? Line(source.name, .bold) : Line()).fitted(to: name) + Line("  ") + line
        }
    }

    private func stateLines(of source: Wire.SourceHealth, width: Int) -> [Line] {
        let clauses = source.clauses(past: clock.words(for:), future: clock.words(for:))
        let pieces = clauses.enumerated().map { number, clause in
            Line([Span(clause.sign, clause.meaning.style), Span(clause.rest + (number < clauses.count - 1 ? "," : ""))])
        }
        var lines: [Line] = []
        for piece in pieces {
            if let last = lines.last, last.columns + 1 + piece.columns <= width {
                lines[lines.count - 1] = last + Line(" ") + piece
            } else if piece.columns <= width {
                lines.append(piece)
            } else {
                let style = piece.spans.first?.style ?? .plain
                lines += wrapped(piece.plainText, to: width).map { Line($0, style) }
            }
        }
        return lines + wrapped(source.remark ?? "", to: width).filter { !$0.isEmpty }.map { Line($0, .muted) }
    }
}

extension Wire.SourceHealth.Clause.Meaning {
    fileprivate var style: Style {
        switch self {
        case .plain: .plain
        case .good: Style([], .good)
        case .bad: Style([], .bad)
        case .busy: Style([], .warning)
        case .off: .muted
        }
    }
}
