import JokesCore
import JokesProtocol
import TextLayout

extension Printer {
    /// A table of the sources: how many jokes each has brought and how it does, and below that why it fails or has
    /// nothing. On a terminal it is no wider than that, whatever is in it.
    func table(of sources: [Wire.SourceHealth]) throws {
        if sources.isEmpty {
            return try remark("No sources are configured. 'jokesctl doctor' shows the path of the configuration.")
        }
        let widths = (
            name: max("SOURCE".columns, sources.map(\.name.columns).max() ?? 0),
            count: max("JOKES".columns, sources.map { "\($0.jokes)".columns }.max() ?? 0)
        )
        let room = columns.map { $0 - (widths.name + 2 + widths.count + 2) }
        if let room, room < Self.narrowestState { return try narrowTable(of: sources) }
        func lead(_ name: StyledText, _ count: StyledText) -> StyledText {
            let indentation = String(repeating: " ", count: widths.count - count.columns)
            return "\(name.padded(to: widths.name))  \(indentation)\(count)  "
        }
        try line(lead(styled("SOURCE", .dim), styled("JOKES", .dim)) + styled("STATE", .dim))
        for source in sources {
            let first = lead(styled(source.name, .bold), "\(source.jokes)")
            for (number, part) in stateLines(of: source, countsJokes: false, columns: room).enumerated() {
                try line((number == 0 ? first : StyledText("").padded(to: first.columns)) + part)
            }
        }
    }

    private static let narrowestState = 20

    /// Each source's name, and how it does below.
    private func narrowTable(of sources: [Wire.SourceHealth]) throws {
        for source in sources {
            try row(styled(source.name, .bold))
            let state = stateLines(of: source, countsJokes: true, columns: columns.map { max(1, $0 - 2) })
            for part in state { try line("  \(part)") }
        }
    }

    /// How a source does, and then why.
    private func stateLines(of source: Wire.SourceHealth, countsJokes: Bool, columns: Int?) -> [StyledText] {
        let clauses = clauses(of: source, countsJokes: countsJokes)
        let remark = source.remark.map { styled($0, .dim) }
        guard let columns else { return [clauses.joined(separator: " ")] + [remark].compactMap(\.self) }
        return StyledText.filled(clauses, to: columns) + (remark?.wrapped(to: columns) ?? [])
    }

    /// What there is to say of a source, a comma behind all but the last.
    private func clauses(of source: Wire.SourceHealth, countsJokes: Bool) -> [StyledText] {
        let clauses = source.clauses(
            countsJokes: countsJokes, past: ago, future: { TimeInWords.until($0, now: now) })
        return clauses.enumerated().map { number, clause in
            let style: StyledText.Style? =
                switch clause.meaning {
                case .plain: nil
                case .good: .green
                case .bad: .red
                case .busy: .yellow
                case .off: .dim
                }
            return "\(styled(clause.sign, style))\(clause.rest)\(number < clauses.count - 1 ? "," : "")"
        }
    }
}
