import JokesClient
import JokesCore
import JokesProtocol

extension Command {
    private static let limit = CommandOption(
        "limit", letter: "n", argument: "N", .number(1...1_000_000), "Print at most N jokes (default: all).")

    static let list = Command(
        name: "list", aliases: ["ls"], group: .jokes,
        options: CommandOption.selection + [limit] + CommandOption.template,
        summary: "List cached jokes, newest first",
        examples: ["jokesctl list --limit 20", "jokesctl list --source dad --format '{id}{t}{text:line}'"]
    ) { invocation in
        let selection = invocation.selection
        try printRows(invocation) { cursor, size in
            let reply = try invocation.daemon.call(ListMethod.self, .init(selection, cursor: cursor, limit: size))
            return (reply.jokes, reply.next)
        } joke: {
            TemplateJoke($0.joke)
        } list: { printer, jokes in
            let status =
                jokes.isEmpty && selection.isEmpty
                ? try invocation.daemon.call(StatusMethod.self, NoParameters()) : nil
            try printer.list(jokes.map(\.joke), cached: status?.jokes.cached)
        }
    }

    static let show = Command(
        name: "show", group: .jokes, operands: .id(.id), options: CommandOption.template,
        summary: "Show a joke and its details", examples: ["jokesctl show last", "jokesctl show dad:5h"]
    ) { invocation in
        let format = try invocation.format()
        let reply = try invocation.daemon.call(GetMethod.self, .init(id: invocation.operands[0]))
        if let format { return try invocation.print([TemplateJoke(reply.joke.joke)], as: format) }
        let printer = invocation.printer(shortening: [reply.joke.joke.id.rawValue] + reply.duplicates)
        try printer.page(reply) { try $0.details(reply) }
    }

    static let search = Command(
        name: "search", aliases: ["s"], group: .jokes, operands: .words,
        options: CommandOption.selection + [limit] + CommandOption.template,
        summary: "Search cached jokes, best match first",
        notes: """
            Each result has all the words; case and accents do not matter. "two words" matches a phrase, -word excludes
            a word, one OR two matches either word, and word* matches a prefix. The last word without - is a prefix,
            unless it is in quotes or a symbol ends it. The symbols of a word must also match: c++ does not find c. Put a search
            with quotes, - or * in single quotes. If the quoted search begins with -, also put -- before it.
            """,
        examples: ["jokesctl search chicken OR duck road", #"jokesctl search '"rubber duck" -goose'"#]
    ) { invocation in
        let query = invocation.operands.joined(separator: " ")
        let selection = invocation.selection
        return try printRows(invocation) { cursor, size in
            let parameters = SearchMethod.Parameters(query: query, selection, cursor: cursor, limit: size)
            let reply = try invocation.daemon.call(SearchMethod.self, parameters)
            return (reply.found, reply.next)
        } joke: {
            TemplateJoke($0.found.joke)
        } list: {
            try $0.list($1.map(\.found), query: query, isNarrowed: !selection.isEmpty)
        }
    }

    static let favorites = Command(
        name: "favorites", group: .marks,
        options: CommandOption.favoriteSelection + [limit] + CommandOption.template,
        summary: "List favorites, newest first",
        examples: ["jokesctl favorites", "jokesctl favorites --format '{text:line} ({note})'"]
    ) { invocation in
        let selection = invocation.selection
        try printRows(invocation) { cursor, size in
            let reply = try invocation.daemon.call(FavoritesMethod.self, .init(selection, cursor: cursor, limit: size))
            return (reply.favorites, reply.next)
        } joke: {
            TemplateJoke($0.favorite)
        } list: {
            try $0.list($1.map(\.favorite), isNarrowed: !selection.isEmpty)
        }
    }

    static let hidden = Command(
        name: "hidden", group: .marks, options: [limit] + CommandOption.template,
        summary: "List hidden jokes, the last hidden first",
        notes: "Of a joke and its duplicates, hidden lists one. 'jokesctl unhide ID' shows all of them again.",
        examples: ["jokesctl hidden", "jokesctl hidden --format '{id}{t}{text:line}'"]
    ) { invocation in
        var others = 0
        try printRows(invocation) { cursor, size in
            let reply = try invocation.daemon.call(HiddenMethod.self, .init(cursor: cursor, limit: size))
            others = reply.notCached
            return (reply.hidden, reply.next)
        } joke: {
            TemplateJoke($0.joke.joke)
        } list: {
            try $0.list(hidden: $1, others: others)
        }
    }

    /// Prints the rows of all pages, up to the limit, in the format or as a list.
    private static func printRows<Row: Encodable>(
        _ invocation: Invocation,
        _ page: (_ cursor: String?, _ size: Int) throws -> (rows: [Row], next: String?),
        joke: (Row) -> TemplateJoke, list: (Printer, [Row]) throws -> Void
    ) throws {
        let format = try invocation.format()
        let limit = invocation.number("limit")
        let maxPageSize = 100
        var rows: [Row] = []
        var cursor: String?
        repeat {
            let answer = try page(cursor, min(maxPageSize, limit.map { $0 - rows.count } ?? maxPageSize))
            rows += answer.rows
            // A repeated cursor would loop forever.
            cursor = answer.rows.isEmpty || answer.next == cursor ? nil : answer.next
        } while cursor != nil && rows.count < limit ?? .max
        let jokes = rows.map(joke)
        if let format { return try invocation.print(jokes, as: format) }
        try invocation.printer(shortening: jokes.map(\.id.rawValue)).page(rows) { try list($0, rows) }
    }
}
