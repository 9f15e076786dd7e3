import JokesClient
import JokesCore
import TextLayout

extension Printer {
    /// A table of the sources, no wider than the terminal. Its columns of counts add up, and the last row has their totals.
    /// `others` is the number of disabled sources that are left out.
    func table(of sources: [SourceHealth], others: Int = 0) throws {
        if !sources.isEmpty { try rows(of: sources) }
        if others > 0 {
            let which = others == 1 ? "1 more source is" : "\(others) more sources are"
            try remark("\(which) disabled; 'jokesctl sources' lists all sources.")
        } else if sources.allSatisfy({ $0.unconfiguredType != nil }) {
            try remark("No sources are configured. 'jokesctl doctor' shows the path of the configuration.")
        }
    }

    private func rows(of sources: [SourceHealth]) throws {
        let total = sources.reduce(JokeCounts()) { $0 + $1.jokes }
        let names = ["SOURCE"] + sources.map(\.name) + (sources.count > 1 ? [Self.total] : [])
        let nameColumns = names.map { Line($0).columns }.max() ?? 0
        let columns = CountColumn.all.filter { $0.isNeeded(total) }.map { column in
            (column: column, width: max(column.title.count, "\(column.count(total))".count))
        }
        let room = width - columns.reduce(nameColumns + 2) { $0 + 2 + $1.width }
        if room < Self.minStateColumns { return try narrowTable(of: sources, total) }
        func lead(_ name: Line, _ style: Style = .plain, _ text: (CountColumn) -> String) -> Line {
            columns.reduce(name.padded(to: nameColumns)) { line, column in
                let text = Line(text(column.column), style)
                return line.padded(to: line.columns + 2 + column.width - text.columns) + text
            }
        }
        try line(lead(Line("SOURCE", .muted), .muted, \.title) + Line("  STATE", .muted))
        for source in sources {
            let state = source.stateLines(countsJokes: false, columns: room, past: ago, future: until)
            let counts = lead(Line(source.name, .bold)) { "\($0.count(source.jokes))" }
            try lines(state, after: counts + Line("  "))
        }
        if sources.count > 1 { try line(lead(Line(Self.total)) { "\($0.count(total))" }) }
    }

    private static let total = "total"
    private static let minStateColumns = 20

    /// The table for narrow terminals: the counts and the state are below the name.
    private func narrowTable(of sources: [SourceHealth], _ total: JokeCounts) throws {
        let indent = Line("  ")
        for source in sources {
            try row(Line(source.name, .bold))
            try paragraph(source.jokes.inWords, after: indent)
            let columns = max(1, width - indent.columns)
            for part in source.stateLines(countsJokes: false, columns: columns, past: ago, future: until) {
                try line(indent + part)
            }
        }
        if sources.count > 1 {
            try row(Line(Self.total))
            try paragraph(total.inWords, after: indent)
        }
    }

    func until(_ time: Timestamp) -> String { TimeInWords.until(time, now: now) }
}

/// A column of the table of sources.
private struct CountColumn: Sendable {
    let title: String
    let count: @Sendable (JokeCounts) -> Int
    /// True if the column is left out if all its counts are 0.
    var isOptional = true

    func isNeeded(_ total: JokeCounts) -> Bool { !isOptional || count(total) > 0 }

    static let all = [
        CountColumn(title: "CACHED", count: { $0.cached }, isOptional: false),
        CountColumn(title: "SHOWN", count: { $0.shown }, isOptional: false),
        CountColumn(title: "FILTERED") { $0.filteredOut },
        CountColumn(title: "HIDDEN") { $0.hidden },
        CountColumn(title: "DUPLICATES") { $0.duplicates },
        CountColumn(title: "EVICTED") { $0.evicted },
    ]
}
