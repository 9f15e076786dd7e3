import JokesCore

/// What is told of a joke, or of a favorite. Its text is clean, as everything is that the daemon sends (`cleanText`).
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

    /// What the field holds; nothing where nobody said.
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
