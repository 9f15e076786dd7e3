import JokesCore
import JokesProtocol

extension Printer {
    /// A joke as it is told.
    func tell(_ text: JokeText) throws {
        try line("\(text.setup)")
        if let punchline = text.punchline { try line("\(punchline)") }
    }

    /// A joke in a list: its id and its first line.
    func row(_ id: JokeID, _ content: JokeContent, starred: Bool) throws {
        let star: StyledText = starred ? styled("★", .yellow) : " "
        try line("\(star) \(styled(id.rawValue, .dim))  \(oneLine(content.text.setup))")
    }

    /// A favorite in a list: as a joke there, and what was noted about it below.
    func row(_ favorite: Favorite) throws {
        try row(favorite.id, favorite.content, starred: true)
        for text in favorite.note?.split(separator: "\n") ?? [] { try line("    \(styled(String(text), .dim))") }
    }

    func details(_ reply: GetMethod.Reply) throws {
        let joke = reply.joke.joke
        let content = joke.content
        try tell(content.text)
        try line()
        let star: StyledText = joke.isStarred ? "  \(styled("★ favorite", .yellow))" : ""
        try member("id", "\(joke.id)\(star)")
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
        if !reply.duplicates.isEmpty { try member("also told as", reply.duplicates.joined(separator: ", ")) }
    }

    func member(_ name: String, _ value: String) throws {
        try member(name, StyledText(value))
    }

    func member(_ name: String, _ value: StyledText) throws {
        let label = name + String(repeating: " ", count: max(0, 14 - name.count))
        try line("\(styled(label, .dim))\(value)")
    }

    func ago(_ time: Timestamp) -> String {
        TimeInWords.ago(time, now: now)
    }

    func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
