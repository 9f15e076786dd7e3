import JokesCore
import JokesProtocol
import JokesStore
import Varlink

extension Daemon {
    /// The maximum length in bytes: longer than any ID.
    private static let maxPrefix = 1000

    /// Returns the words that begin with a prefix, for completion in a shell.
    func suggest(_ parameters: SuggestMethod.Parameters) throws -> SuggestMethod.Reply {
        let prefix = parameters.prefix
        let limit = parameters.limit ?? 100
        guard prefix.utf8.count <= Self.maxPrefix else { throw ErrorReply.invalidParameter("prefix") }
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

    /// The names of configured sources, and of other sources that have jokes.
    private var sourceNames: Set<String> {
        Set(syncs.planner.order).union(views.counts.sources.keys)
    }
}
