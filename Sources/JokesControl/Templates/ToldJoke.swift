import JokesCore

/// A joke or a favorite for a template. The daemon sends clean text (`cleanText`).
struct ToldJoke: Hashable, Sendable {
    var id: JokeID
    var content: JokeContent
    var isStarred: Bool
    var note: String?

    init(_ joke: Joke) {
        (id, content, isStarred) = (joke.id, joke.content, joke.isStarred)
    }

    init(_ favorite: Favorite) {
        (id, content, isStarred, note) = (favorite.id, favorite.content, true, favorite.note)
    }

    /// The value of a field; empty if unknown.
    subscript(field: Template.Field) -> String {
        switch field {
        case .setup: content.text.setup
        case .punchline: content.text.punchline ?? ""
        case .text: content.text.whole
        case .id: id.rawValue
        case .source: String(id.source)
        case .language: content.language
        case .categories: content.categories.joined(separator: ", ")
        case .safety: content.safety.rawValue
        case .flags: content.flags.names.joined(separator: ", ")
        case .author: content.author ?? ""
        case .url: content.url ?? ""
        case .date: content.upstreamDate ?? ""
        case .note: note ?? ""
        case .star: isStarred ? "★" : ""
        }
    }
}
