import JokesClient
import JokesCore
import JokesProtocol
import Unix

extension Command {
    static let random = Command(
        "random",
        options: [
            OptionSpecification("source", argument: "NAME", "Only from this source."),
            OptionSpecification("category", argument: "NAME", "Only of this category."),
            OptionSpecification("language", argument: "TAG", "Only in this language, as en or pt-BR."),
            OptionSpecification("max-length", argument: "N", "At most so many characters."),
        ], "Tell a joke that was not told before"
    ) { invocation in
        let joke = try invocation.daemon.call(
            RandomMethod.self,
            RandomMethod.Parameters(
                source: invocation.options["source"], category: invocation.options["category"],
                language: invocation.options["language"],
                maxLength: try invocation.number("max-length", in: 1...100_000))
        ).joke
        try invocation.printer.print(joke) { try $0.tell(joke.joke.content.text) }
        return ExitStatus.done
    }

    static let list = Command(
        "list",
        options: [
            OptionSpecification("source", argument: "NAME", "Only from this source."),
            OptionSpecification("category", argument: "NAME", "Only of this category."),
            OptionSpecification("limit", letter: "n", argument: "N", "At most so many."),
        ], "List the cached jokes, newest first"
    ) { invocation in
        let limit = try invocation.number("limit", in: 1...1_000_000)
        let jokes = try pages(limit: limit) { cursor, size in
            let reply = try invocation.daemon.call(
                ListMethod.self,
                ListMethod.Parameters(
                    source: invocation.options["source"], category: invocation.options["category"],
                    cursor: cursor, limit: size))
            return (reply.jokes, reply.next)
        }
        try invocation.printer.print(jokes) { printer in
            for joke in jokes { try printer.row(joke.joke.id, joke.joke.content, starred: joke.joke.isStarred) }
            if jokes.isEmpty { try printer.remark("No jokes are cached that fit.") }
        }
        return ExitStatus.done
    }

    static let show = Command("show", operands: "ID", count: 1...1, "Show all that is known of a joke") { invocation in
        let reply = try invocation.daemon.call(GetMethod.self, JokeParameters(id: invocation.operands[0]))
        try invocation.printer.print(reply) { try $0.details(reply) }
        return ExitStatus.done
    }

    static let search = Command(
        "search", operands: "WORDS", count: 1...100,
        options: [OptionSpecification("limit", letter: "n", argument: "N", "At most so many.")],
        "Find jokes with all these words, best first (also 'duck -goose', '\"two words\"', 'begin* word')"
    ) { invocation in
        let query = invocation.operands.joined(separator: " ")
        let found = try pages(limit: try invocation.number("limit", in: 1...1_000_000)) { cursor, size in
            let reply = try invocation.daemon.call(
                SearchMethod.self, SearchMethod.Parameters(query: query, cursor: cursor, limit: size))
            return (reply.found, reply.next)
        }
        try invocation.printer.print(found) { printer in
            for joke in found { try printer.row(joke.found) }
            if found.isEmpty { try printer.remark("No cached joke has all these words.") }
        }
        return ExitStatus.done
    }

    static let favorites = Command(
        "favorites", options: [OptionSpecification("limit", letter: "n", argument: "N", "At most so many.")],
        "List the favorites, newest first"
    ) { invocation in
        let limit = try invocation.number("limit", in: 1...1_000_000)
        let favorites = try readingInOneOrder {
            try pages(limit: limit) { cursor, size in
                let reply = try invocation.daemon.call(
                    FavoritesMethod.self, FavoritesMethod.Parameters(cursor: cursor, limit: size))
                return (reply.favorites, reply.next)
            }
        }
        try invocation.printer.print(favorites) { printer in
            for kept in favorites { try printer.row(kept.favorite) }
            if favorites.isEmpty { try printer.remark("No favorites yet: jokesctl favorite ID keeps a joke.") }
        }
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
            cursor = answer.rows.isEmpty ? nil : answer.next
        } while cursor != nil && rows.count < limit ?? .max
        return rows
    }
}
