import JokesCore
import JokesProtocol
import JokesStore
import Varlink

extension Daemon {
    /// Bytes; no id begins with as many.
    private static let longestPrefix = 1000

    /// What a word that somebody types may become.
    func suggest(_ parameters: SuggestMethod.Parameters) throws -> SuggestMethod.Reply {
        let prefix = parameters.prefix
        let limit = parameters.limit ?? 100
        guard prefix.utf8.count <= Self.longestPrefix else { throw ErrorReply.invalidParameter("prefix") }
        guard (1...100).contains(limit) else { throw ErrorReply.invalidParameter("limit") }
        let words =
            switch parameters.what {
            case .id: try reader.beginnings(ofIDs: .shown, prefix, limit: limit)
            case .favorite: try reader.beginnings(ofIDs: .favorites, prefix, limit: limit)
            case .hidden: try reader.beginnings(ofIDs: .hidden, prefix, limit: limit)
            case .category: try reader.categories(beginningWith: prefix, limit: limit)
            case .language: try reader.languages(beginningWith: prefix, limit: limit)
            case .source: Array(sourceNames.filter { $0.hasPrefix(prefix) }.sorted().prefix(limit))
            }
        return SuggestMethod.Reply(words: words)
    }

    /// Those of the configuration, and those that are not in it any more and have jokes.
    private var sourceNames: Set<String> {
        Set(syncs.planner.order).union(views.counts.sources.keys)
    }
}
