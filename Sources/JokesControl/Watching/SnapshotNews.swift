import CommandLineTools
import Diffable
import JokesCore
import TextLayout
import Unix

/// The changes between snapshots that `watch` prints. A joke that moves up because another one left is not new.
struct SnapshotNews {
    enum Line: Hashable {
        case joke(Joke)
        case favoriteAdded(Favorite)
        case favoriteRemoved(Favorite)
        case remark(String)

        /// The ID of the joke; nil for a remark.
        var id: JokeID? {
            switch self {
            case .joke(let joke): joke.id
            case .favoriteAdded(let favorite), .favoriteRemoved(let favorite): favorite.id
            case .remark: nil
            }
        }
    }

    /// True if no snapshot was taken yet.
    private(set) var isFirst = true
    /// The first-seen time of the newest joke so far.
    private var newest: Timestamp?
    private var favorites: [Favorite] = []
    private var header: JokesHeader?

    /// Returns the news, the oldest first. For the first snapshot these are its jokes, or its favorites if it has no
    /// jokes.
    mutating func take(_ snapshot: JokeSnapshot) -> [Line] {
        let favoriteChanges = favoriteChanges(of: snapshot)
        let jokes = jokes(of: snapshot)
        let remarks = remarks(of: snapshot)
        let news = isFirst && !jokes.isEmpty ? jokes : favoriteChanges + jokes + remarks
        isFirst = false
        return news
    }

    private mutating func jokes(of snapshot: JokeSnapshot) -> [Line] {
        let jokes = snapshot.sections.flatMap { snapshot[$0.id] }.compactMap(\.joke)
        let known = newest
        newest = jokes.map(\.firstSeen).reduce(known) { [$0, $1].compactMap(\.self).max() }
        let new = jokes.filter { joke in known.map { joke.firstSeen > $0 } ?? true }
        // The keys of jokes order a section, not their first-seen times.
        return new.reversed().sorted { $0.firstSeen < $1.firstSeen }.map(Line.joke)
    }

    private mutating func favoriteChanges(of snapshot: JokeSnapshot) -> [Line] {
        let before = favorites
        favorites = snapshot[.favoriteJokes].compactMap(\.favorite)
        let (known, now) = (Set(before.map(\.id)), Set(favorites.map(\.id)))
        return before.filter { !now.contains($0.id) }.map(Line.favoriteRemoved)
            + favorites.filter { !known.contains($0.id) }.reversed().map(Line.favoriteAdded)
    }

    private mutating func remarks(of snapshot: JokeSnapshot) -> [Line] {
        guard let now = snapshot.header else { return [] }
        let before = header ?? JokesHeader()
        header = now
        var news: [String] = []
        if now.isOffline != before.isOffline {
            news.append(now.isOffline ? "Offline: no source on the network can be reached." : "Online again.")
        }
        news += now.failing.filter { !before.failing.contains($0) }
            .map { "\($0) fails; 'jokesctl sources' shows the reason." }
        news += before.failing.filter { !now.failing.contains($0) }.map { "\($0) no longer fails." }
        if now.isRecovered && !before.isRecovered {
            news.append("The database was recovered; 'jokesctl status' shows the details.")
        }
        return news.map(Line.remark)
    }
}

extension Printer {
    func print(_ news: [SnapshotNews.Line]) throws {
        let printer = remeasured()
        for item in news { try printer.print(item) }
        try output.flush()
    }

    private func print(_ news: SnapshotNews.Line) throws {
        switch news {
        case .joke(let joke): try row(joke)
        case .favoriteAdded(let favorite): try row(favorite)
        case .favoriteRemoved(let favorite):
            let words = Line("  \(oneLine(favorite.content.text.setup))")
            try row(Line("\(symbols["☆"]) ") + Line(short(favorite.id.rawValue), .muted) + words)
        case .remark(let text): try remark(text)
        }
    }

    /// The printer for the current width of the terminal.
    private func remeasured() -> Printer {
        var printer = self
        if columns != nil { printer.columns = terminalArea(of: standardOutput)?.columns }
        return printer
    }
}
