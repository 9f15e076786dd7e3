import JokesClient
import JokesCore
import JokesProtocol
import Unix

extension Command {
    private static let limit = CommandOption(
        "limit", letter: "n", argument: "N", .number(1...1_000_000), "At most so many.")

    static let list = Command(
        "list", .jokes,
        options: [
            CommandOption("source", argument: "NAME", .known(.source), "Only from this source."),
            CommandOption("category", argument: "NAME", .known(.category), "Only of this category."),
            limit,
        ] + CommandOption.template, "List the cached jokes, newest first", notes: Template.notes
    ) { invocation in
        let format = try invocation.format()
        let limit = invocation.number("limit")
        let isNarrowed = ["source", "category"].contains { invocation.options.contains($0) }
        let jokes = try pages(limit: limit) { cursor, size in
            let reply = try invocation.daemon.call(
                ListMethod.self,
                ListMethod.Parameters(
                    source: invocation.options["source"], category: invocation.options["category"],
                    cursor: cursor, limit: size))
            return (reply.jokes, reply.next)
        }
        if let format { return try invocation.tell(jokes.map { ToldJoke($0.joke) }, as: format) }
        try invocation.printer.page(jokes) { try $0.list(jokes.map(\.joke), isNarrowed: isNarrowed) }
        return ExitStatus.done
    }

    static let show = Command(
        "show", .jokes, operands: .id(.id), options: CommandOption.template, "Show all that is known of a joke",
        notes: Template.notes
    ) { invocation in
        let format = try invocation.format()
        let reply = try invocation.daemon.call(GetMethod.self, JokeParameters(id: invocation.operands[0]))
        if let format { return try invocation.tell([ToldJoke(reply.joke.joke)], as: format) }
        try invocation.printer.page(reply) { try $0.details(reply) }
        return ExitStatus.done
    }

    static let search = Command(
        "search", .jokes, operands: .words,
        options: [limit] + CommandOption.template,
        "Find jokes with all these words, best first",
        notes: """
            "two words" in quotes stand side by side, -word must not be there, and word* is the beginning of one, as the last
            word always is. For the shell all of it is best put into single quotes: jokesctl search '"rubber duck" -goose'.

            \(Template.notes)
            """
    ) { invocation in
        let format = try invocation.format()
        let query = invocation.operands.joined(separator: " ")
        let found = try pages(limit: invocation.number("limit")) { cursor, size in
            let reply = try invocation.daemon.call(
                SearchMethod.self, SearchMethod.Parameters(query: query, cursor: cursor, limit: size))
            return (reply.found, reply.next)
        }
        if let format { return try invocation.tell(found.map { ToldJoke($0.found.joke) }, as: format) }
        try invocation.printer.page(found) { try $0.list(found.map(\.found)) }
        return ExitStatus.done
    }

    static let favorites = Command(
        "favorites", .marks, options: [limit] + CommandOption.template,
        "List the favorites, newest first", notes: Template.notes
    ) { invocation in
        let format = try invocation.format()
        let limit = invocation.number("limit")
        let favorites = try readingInOneOrder {
            try pages(limit: limit) { cursor, size in
                let reply = try invocation.daemon.call(
                    FavoritesMethod.self, FavoritesMethod.Parameters(cursor: cursor, limit: size))
                return (reply.favorites, reply.next)
            }
        }
        if let format { return try invocation.tell(favorites.map { ToldJoke($0.favorite) }, as: format) }
        try invocation.printer.page(favorites) { try $0.list(favorites.map(\.favorite)) }
        return ExitStatus.done
    }

    /// All pages of an answer, or as many rows of them as the limit says.
    private static func pages<Row>(
        limit: Int?, _ page: (_ cursor: String?, _ size: Int) throws -> (rows: [Row], next: String?)
    ) throws -> [Row] {
        let largestPage = 100
        var rows: [Row] = []
        var cursor: String?
        repeat {
            let answer = try page(cursor, min(largestPage, limit.map { $0 - rows.count } ?? largestPage))
            rows += answer.rows
            // A place that is told twice leads round in a circle.
            cursor = answer.rows.isEmpty || answer.next == cursor ? nil : answer.next
        } while cursor != nil && rows.count < limit ?? .max
        return rows
    }
}
