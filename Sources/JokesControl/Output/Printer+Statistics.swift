import JokesCore
import JokesProtocol
import TextLayout

extension Printer {
    /// Totals, and tables with bars. `counts` also has the jokes that are not shown, and `favorites` all favorites; nil if only some
    /// jokes are counted.
    func summary(of statistics: StatisticsMethod.Reply, counts: JokeCounts?, favorites: Int? = nil) throws {
        try member("jokes", counts?.inWords ?? "\(statistics.jokes) match")
        let all = favorites.map { ", \($0) in all" } ?? ""
        try member("favorites", "\(statistics.favorites) of these jokes\(all)")
        try member("unseen", "\(statistics.unseen) of these jokes")
        try member("served", counted(statistics.served, "time"))
        let lists = [
            ("SOURCE", statistics.sources), ("CATEGORY", statistics.categories), ("LANGUAGE", statistics.languages),
        ]
        for (title, names) in lists where !names.isEmpty {
            try line()
            try table(of: Array(names.prefix(Self.maxBars)), headed: title, hasBars: true)
            let others = names.count - Self.maxBars
            if others > 0 { try remark("\(others) more. Use --json to list all.") }
        }
    }

    /// A table of names with their numbers of jokes, no wider than the terminal.
    func table(of names: [NameCount], headed title: String, hasBars: Bool = false) throws {
        let nameColumns = min(
            max(title.count, names.map { Line($0.name).columns }.max() ?? 0), max(title.count, width / 3))
        let countColumns = max("JOKES".count, names.map { "\($0.jokes)".count }.max() ?? 0)
        func lead(_ name: Line, _ jokes: Line, _ unseen: Line) -> Line {
            let room = "UNSEEN".count
            return name.truncated(to: nameColumns, mark: symbols["…"])
                .padded(to: nameColumns + 2 + countColumns - jokes.columns) + jokes
                + Line().padded(to: 2 + room - unseen.columns) + unseen
        }
        let header = lead(Line(title, .muted), Line("JOKES", .muted), Line("UNSEEN", .muted))
        try row(header)
        let most = names.map(\.jokes).max() ?? 0
        let barColumns = hasBars ? min(Self.maxBarColumns, width - header.columns - 2) : 0
        for name in names {
            let numbers = lead(Line(name.name), Line("\(name.jokes)"), Line("\(name.unseen)"))
            let length = barLength(name.jokes, of: most, columns: barColumns)
            let bar = Line(String(repeating: symbols["█"], count: length), .accent)
            try row(length == 0 ? numbers : numbers + Line("  ") + bar)
        }
    }

    /// The length of a bar: in proportion, but at least one column for a number that is not 0.
    private func barLength(_ number: Int, of most: Int, columns: Int) -> Int {
        if number == 0 || columns < Self.minBarColumns { return 0 }
        return max(1, (2 * number * columns + most) / (2 * most))
    }

    private static let maxBars = 20
    private static let maxBarColumns = 40
    private static let minBarColumns = 5
}
