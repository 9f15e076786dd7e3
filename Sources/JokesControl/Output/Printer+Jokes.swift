import JokesCore
import JokesProtocol
import TextLayout

extension Printer {
    /// A joke as it is told.
    func tell(_ text: JokeText) throws {
        try paragraph(StyledText(text.setup))
        if let punchline = text.punchline { try paragraph(StyledText(punchline)) }
    }

    /// A joke in a list: its id and its first words, in one line. In a list of several the ids take `idColumns`.
    func row(_ id: JokeID, _ content: JokeContent, starred: Bool, idColumns: Int = 0) throws {
        try row(id, StyledText(oneLine(content.text.setup)), starred: starred, idColumns: idColumns)
    }

    /// The like, with other words of the joke.
    func row(_ id: JokeID, _ words: StyledText, starred: Bool, idColumns: Int) throws {
        let star: StyledText = starred ? styled("★", .yellow) : " "
        try row("\(star) \(styled(id.rawValue, .dim).padded(to: idColumns))  \(words)")
    }

    /// A favorite in a list: as a joke there, and what was noted about it below.
    func row(_ favorite: Favorite, idColumns: Int = 0) throws {
        try row(favorite.id, favorite.content, starred: true, idColumns: idColumns)
        for text in favorite.note?.split(separator: "\n") ?? [] {
            try paragraph(styled(String(text), .dim), behind: "    ")
        }
    }

    /// Cached jokes. If there is none, `stored` is the number of all jokes in the cache, or nil if the options of the
    /// list may exclude some.
    func list(_ jokes: [Joke], stored: Int?) throws {
        let idColumns = idColumns(of: jokes.map(\.id))
        for joke in jokes { try row(joke.id, joke.content, starred: joke.isStarred, idColumns: idColumns) }
        guard jokes.isEmpty else { return }
        let next = "'jokesctl refresh' fetches jokes; 'jokesctl sources' shows the status of each source."
        switch stored {
        case nil: try remark("No shown joke matches. 'jokesctl list' without options lists all shown jokes.")
        case 0?: try remark("No joke is cached yet. \(next)")
        case let count?:
            try remark(
                "\(counted(count, "joke")) cached, none shown: each is hidden, excluded by the filter, or from a source "
                    + "that is no longer configured. \(next)")
        }
    }

    func list(_ favorites: [Favorite]) throws {
        let idColumns = idColumns(of: favorites.map(\.id))
        for favorite in favorites { try row(favorite, idColumns: idColumns) }
        guard favorites.isEmpty else { return }
        try remark(
            "No favorites yet, or the filter excludes all favorites. 'jokesctl status' shows the number of excluded "
                + "favorites; 'jokesctl favorite ID' adds a joke.")
    }

    /// How many columns the ids of a list take, so that the jokes of most rows begin in one column: on a terminal as many
    /// as the widest, and no more than a third of it; elsewhere each as many as it has.
    func idColumns(of ids: some Sequence<JokeID>) -> Int {
        guard let columns else { return 0 }
        return min(columns / 3, ids.map(\.rawValue.columns).max() ?? 0)
    }

    func details(_ reply: GetMethod.Reply) throws {
        let joke = reply.joke.joke
        let content = joke.content
        try tell(content.text)
        try line()
        let star: StyledText = joke.isStarred ? "  \(styled("★ favorite", .yellow))" : ""
        try member("id", StyledText(joke.id.rawValue) + star)
        try member("language", content.language)
        if !content.categories.isEmpty { try member("categories", content.categories.joined(separator: ", ")) }
        let flags = content.flags.names.isEmpty ? "" : " (\(content.flags.names.joined(separator: ", ")))"
        try member("safety", content.safety.rawValue + flags)
        if let author = content.author { try member("author", author) }
        if let url = content.url { try member("url", url) }
        if let date = content.upstreamDate { try member("date", date) }
        try member("first seen", ago(joke.firstSeen))
        try member("last seen", ago(Timestamp(microseconds: reply.lastSeen)))
        if let missing = reply.missingSince { try member("missing since", ago(Timestamp(microseconds: missing))) }
        if !reply.duplicates.isEmpty { try member("duplicates", reply.duplicates.joined(separator: ", ")) }
    }

    func member(_ name: String, _ value: String) throws {
        try member(name, StyledText(value))
    }

    /// A value and what it is called; on a narrow terminal below it.
    func member(_ name: String, _ value: StyledText) throws {
        let label = styled(name, .dim)
        guard let columns, columns < 2 * Self.labelColumns else {
            return try paragraph(value, behind: label.padded(to: Self.labelColumns))
        }
        if !name.isEmpty { try row(label) }
        try paragraph(value, behind: "  ")
    }

    private static let labelColumns = 14

    func ago(_ time: Timestamp) -> String {
        TimeInWords.ago(time, now: now)
    }

    func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
