import Diffable
import JokesCore
import JokesProtocol

extension Printer {
    /// What a person who watches is told, a line each.
    func tell(_ news: [PictureNews.Line]) throws {
        for item in news {
            switch item {
            case .joke(let joke): try row(joke.id, joke.content, starred: joke.isStarred)
            case .starred(let favorite): try row(favorite)
            case .unstarred(let favorite):
                try row("☆ \(styled(favorite.id.rawValue, .dim))  \(oneLine(favorite.content.text.setup))")
            case .fails(let source): try remark("\(source) fails; jokesctl sources says why.")
            case .works(let source): try remark("\(source) works again.")
            case .offline: try remark("Offline: no source can be reached.")
            case .online: try remark("Online again.")
            case .recovered: try remark("The cache was recovered from damage; jokesctl status says more.")
            }
        }
        try output.flush()
    }

    /// A whole picture, and an empty line behind it.
    func show(_ picture: JokeSnapshot) throws {
        for section in picture.sections {
            try header(section)
            for item in picture.items(inSection: section.id) { try row(item) }
        }
        try line()
        try output.flush()
    }

    private func header(_ section: Section) throws {
        switch section {
        case .favoriteJokes(let count): try line(styled("Favorites (\(count))", .bold))
        case .searchResults(let query, let count, let isExact):
            try line(styled("Results for \(query) (\(isExact ? "" : "at least ")\(count))", .bold))
        case .unknown: break
        case .jokes(let header):
            var parts = ["\(header.cached) cached"]
            if header.isSyncing { parts.append("syncing") }
            if header.isOffline { parts.append("offline") }
            if header.isRecovered { parts.append("recovered from damage: see jokesctl status") }
            if !header.failing.isEmpty { parts.append("failing: \(header.failing.joined(separator: ", "))") }
            try line(styled("Jokes", .bold) + " (\(parts.joined(separator: "; ")))")
        }
    }

    private func row(_ item: Item) throws {
        switch item {
        case .loading: try line("  …")
        case .joke(let joke): try row(joke.id, joke.content, starred: joke.isStarred)
        case .found(let found): try row(found.joke.id, found.joke.content, starred: found.joke.isStarred)
        case .favorite(let favorite): try row(favorite)
        case .unknown: break
        }
    }
}
