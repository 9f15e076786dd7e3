import JokesCore
import JokesProtocol
import TextLayout
import Unix

extension Printer {
    /// Prints the setup and the punchline.
    func text(_ text: JokeText) throws {
        try paragraph(text.setup)
        if let punchline = text.punchline { try paragraph(punchline) }
    }

    /// A row of a list: the ID in `idColumns`, and the first line of the joke.
    func row(_ joke: Joke, idColumns: Int = 0) throws {
        try row(joke, Line(oneLine(joke.content.text.setup)), idColumns: idColumns)
    }

    /// A row with any part of the joke, and the reason below if the joke is not shown.
    private func row(_ joke: Joke, _ words: Line, idColumns: Int) throws {
        try row(joke.id, words, isFavorite: joke.isFavorite, idColumns: idColumns)
        if let notShown = joke.notShown { try paragraph(notShown, .muted, after: Line("    ")) }
    }

    /// A row with any part of the joke.
    private func row(_ id: JokeID, _ words: Line, isFavorite: Bool, idColumns: Int) throws {
        let star = isFavorite ? Line(symbols["★"], .accent) : Line(" ")
        try row(star + Line(" ") + Line(short(id.rawValue), .muted).padded(to: idColumns) + Line("  ") + words)
    }

    /// The short form of the ID, if there is one.
    func short(_ id: String) -> String { shortIDs[id] ?? id }

    /// A row of a favorite, with its note below.
    func row(_ favorite: Favorite, idColumns: Int = 0) throws {
        let words = Line(oneLine(favorite.content.text.setup))
        try row(favorite.id, words, isFavorite: true, idColumns: idColumns)
        for text in favorite.note?.split(separator: "\n") ?? [] {
            try paragraph(String(text), .muted, after: Line("    "))
        }
    }

    /// The remark on an empty list.
    func noJokes(isExcluded: Bool = false) throws {
        try remark(
            isExcluded
                ? "No excluded joke matches. 'jokesctl hidden' lists the hidden jokes."
                : "No shown joke matches. 'jokesctl sources' shows how many jokes each source has.")
    }

    /// The remark after a list of favorites. `others` is the number of favorites that are not in the list for the reason; nil if
    /// options narrowed the list.
    func endFavorites(isEmpty: Bool, others: Int?, _ reason: String) throws {
        switch others {
        case nil where isEmpty:
            try remark("No favorite matches. 'jokesctl favorites' without options lists all favorites.")
        case 0? where isEmpty: try remark("No favorites yet. 'jokesctl favorite ID' adds a joke.")
        case let others? where others > 0:
            try remark("\(counted(others, "favorite")) not listed: \(reason)")
        default: break
        }
    }

    /// The remark after a list of hidden jokes. `others` is the number of hidden marks of other jokes.
    func endHidden(isEmpty: Bool, others: Int) throws {
        if isEmpty && others == 0 { try remark("No joke is hidden. 'jokesctl hide ID' hides a joke.") }
        if others > 0 {
            let which = others == 1 ? "1 hidden joke is" : "\(others) hidden jokes are"
            try remark("\(which) not listed: not cached, or excluded by the filter.")
        }
    }

    /// The columns of the IDs in a list: those of the widest ID, but at most a third of the terminal; 0 without a
    /// terminal.
    func idColumns(of ids: some Sequence<JokeID>) -> Int {
        guard let columns else { return 0 }
        return min(columns / 3, ids.map { short($0.rawValue).columns }.max() ?? 0)
    }

    func details(_ reply: GetMethod.Reply) throws {
        let joke = reply.joke
        let content = joke.content
        try text(content.text)
        try line()
        let star = joke.isFavorite ? Line("  ") + Line("\(symbols["★"]) favorite", .accent) : Line()
        let id = short(joke.id.rawValue)
        try member("id", Line(id) + star)
        if let notShown = joke.notShown { try member("not shown", notShown) }
        try member("language", content.language)
        if !content.categories.isEmpty { try member("categories", content.categories.joined(separator: ", ")) }
        let flags = content.flags.names.isEmpty ? "" : " (\(content.flags.names.joined(separator: ", ")))"
        try member("safety", content.safety.rawValue + flags)
        for detail in JokeDetail.allCases {
            if let value = content.details[detail] { try member(detail.rawValue, value) }
        }
        try member("first seen", ago(joke.firstSeen))
        try member("last seen", ago(reply.lastSeen))
        if let missing = reply.missingSince { try member("missing since", ago(missing)) }
        if !reply.duplicates.isEmpty {
            try member("duplicates", reply.duplicates.map { short($0.rawValue) }.joined(separator: ", "))
        }
        let last = reply.lastServed.map { ", last \(ago($0))" } ?? ""
        try member("served", reply.serveCount == 0 ? "never" : counted(reply.serveCount, "time") + last)
    }

    func member(_ name: String, _ value: String) throws { try member(name, Line(value)) }

    /// A labeled value; on a narrow terminal, the value is below its label.
    func member(_ name: String, _ value: Line) throws {
        let label = Line(name, .muted)
        if width >= 2 * Self.labelColumns {
            return try paragraph(value, after: label.padded(to: Self.labelColumns))
        }
        if !name.isEmpty { try row(label) }
        try paragraph(value, after: Line("  "))
    }

    private static let labelColumns = 14

    func ago(_ time: Timestamp) -> String { TimeInWords.ago(time, now: now) }

    // MARK: Search

    /// A row of a list: a joke with its snippet.
    func row(_ found: FoundJoke, idColumns: Int) throws {
        try row(found.joke, snippet(found), idColumns: idColumns)
    }

    /// The remark on a search without results.
    func noResults() throws { try remark("No shown joke matches. Search for fewer, other or shorter words.") }

    /// The snippet with the matches in bold.
    private func snippet(_ found: FoundJoke) -> Line {
        let (part, bytes) = (found.snippet.part, found.snippet.bytes)
        let text = found.joke.content.text
        func piece(_ start: Int, _ end: Int, _ style: Style = .plain) -> Line {
            Line(String(text[TextRange(part, start..<end)] ?? ""), style)
        }
        var line = Line(bytes.lowerBound > 0 || part == .punchline ? "\(symbols["…"]) " : "")
        var end = bytes.lowerBound
        for mark in found.marks.filter({ $0.part == part }).map(\.bytes)
        where mark.lowerBound >= end && mark.upperBound <= bytes.upperBound {
            line = line + piece(end, mark.lowerBound) + piece(mark.lowerBound, mark.upperBound, .bold)
            end = mark.upperBound
        }
        return line + piece(end, bytes.upperBound)
            + Line(bytes.upperBound < text[part].utf8.count ? " \(symbols["…"])" : "")
    }
}
