import CommandLineTools
import Diffable
import JokesCore
import JokesProtocol
import TextLayout
import Unix

extension Printer {
    func tell(_ news: [PictureNews.Line]) throws {
        let printer = measuredAnew()
        for item in news { try printer.tell(item) }
        try output.flush()
    }

    private func tell(_ news: PictureNews.Line) throws {
        switch news {
        case .joke(let joke): try row(joke.id, joke.content, starred: joke.isStarred)
        case .starred(let favorite): try row(favorite)
        case .unstarred(let favorite):
            let words = Line("  \(oneLine(favorite.content.text.setup))")
            try row(Line("☆ ") + Line(favorite.id.rawValue, .muted) + words)
        case .remark(let text): try remark(text)
        }
    }

    /// The printer for the current width of the terminal.
    private func measuredAnew() -> Printer {
        var printer = self
        if columns != nil { printer.columns = terminalArea(of: standardOutput)?.columns }
        return printer
    }

    /// Prints a whole snapshot and an empty line.
    func show(_ picture: JokeSnapshot) throws {
        let printer = measuredAnew()
        for section in picture.sections {
            try printer.header(section)
            for item in picture.items(inSection: section.id) { try printer.row(item) }
        }
        try line()
        try output.flush()
    }

    private func header(_ section: Section) throws {
        switch section {
        case .favoriteJokes(let count): try row(Line("Favorites (\(count))", .bold))
        case .searchResults(let query, let count, let isExact):
            try row(Line("Results for \(query) (\(isExact ? "" : "at least ")\(count))", .bold))
        case .unknown: break
        case .jokes(let header):
            var parts = ["\(header.cached) cached"]
            if header.isSyncing { parts.append("syncing") }
            if header.isOffline { parts.append("offline") }
            if header.isRecovered { parts.append("database recovered: see jokesctl status") }
            if !header.failing.isEmpty { parts.append("failing: \(header.failing.joined(separator: ", "))") }
            try row(Line("Jokes", .bold) + Line(" (\(parts.joined(separator: "; ")))"))
        }
    }

    private func row(_ item: Item) throws {
        switch item {
        case .loading: try line(Line("  …"))
        case .joke(let joke): try row(joke.id, joke.content, starred: joke.isStarred)
        case .found(let found): try row(found.joke.id, found.joke.content, starred: found.joke.isStarred)
        case .favorite(let favorite): try row(favorite)
        case .unknown: break
        }
    }
}
