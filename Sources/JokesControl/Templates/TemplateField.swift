import JokesCore

extension Template {
    /// What a template can tell of a joke, by the name that stands between the braces.
    enum Field: String, CaseIterable, Sendable {
        case setup, punchline
        /// The whole joke: the setup, and below it the punchline.
        case text
        case id, source, language
        /// Separated by commas and spaces, as are the flags.
        case categories
        case safety, flags, author, url
        /// As the upstream wrote it.
        case date
        /// What somebody wrote about a favorite; only a list of favorites knows it.
        case note
        /// A star where the joke is a favorite.
        case star
    }
}

/// What is told of a joke, or of a favorite.
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
        case .text: [content.text.setup, content.text.punchline].compactMap(\.self).joined(separator: "\n")
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
