import CommandLineTools
import JokesClient
import JokesCore
import JokesProtocol

extension Command {
    private static let limit = CommandOption.limit(1...1_000_000, "Print at most N jokes (default: all).")

    private static let excluded = CommandOption(
        "excluded", "Print the jokes that the filter excludes instead, each with the reason.")

    static let list = Command(
        name: "list", aliases: ["ls"], group: .jokes,
        options: CommandOption.selection + [excluded, limit] + CommandOption.template,
        summary: "List cached jokes, newest first",
        examples: ["jokesctl list --limit 20", "jokesctl list --source dad --format '{id}{t}{text:line}'"]
    ) { invocation in
        let selection = invocation.selection
        let isExcluded = invocation.options.contains("excluded")
        var total = 0
        try printRows(invocation) { cursor, size in
            if isExcluded {
                let request = SearchMethod.Query(query: "", excluded: true, cursor: cursor, limit: size)
                let reply = try invocation.daemon.call(SearchMethod.self, .init(request, selection))
                return (reply.found.map(\.joke), reply.next)
            }
            let reply = try invocation.daemon.call(ListMethod.self, .init(selection, cursor: cursor, limit: size))
            total = reply.total
            return (reply.jokes, reply.next)
        } joke: {
            TemplateJoke($0)
        } row: {
            try $0.row($1, idColumns: $2)
        } end: { printer, isEmpty in
            if selection == JokeSelection(favorites: true), !isExcluded {
                let all = try invocation.daemon.call(StatusMethod.self, NoParameters()).allFavorites
                return try printer.endFavorites(
                    isEmpty: isEmpty, others: all - total,
                    "hidden, excluded by the filter, or not cached. 'jokesctl favorites' also lists hidden ones.")
            }
            if isEmpty { try printer.noJokes(isExcluded: isExcluded) }
        }
    }

    static let show = Command(
        name: "show", group: .jokes, operands: .id(.id), options: CommandOption.template,
        summary: "Show a joke and its details", examples: ["jokesctl show last", "jokesctl show dad:5h"]
    ) { invocation in
        let format = try invocation.format()
        let reply = try invocation.daemon.call(GetMethod.self, .init(id: invocation.operands[0]))
        let joke = reply.joke
        if let format { return try invocation.printer.page(reply) { try $0.print([TemplateJoke(joke)], as: format) } }
        let printer = invocation.printer(shortening: ([joke.id] + reply.duplicates).map(\.rawValue))
        try printer.page(reply) { try $0.details(reply) }
    }

    static let search = Command(
        name: "search", aliases: ["s"], group: .jokes, operands: .words,
        options: CommandOption.selection + [excluded, limit] + CommandOption.template,
        summary: "Search cached jokes, newest first",
        notes: """
            Each result has all the words; case and accents do not matter. "two words" matches a phrase, -word excludes
            a word, one OR two matches either word, and word* matches a prefix. The last word without - is a prefix,
            unless it is in quotes. The symbols of a word must also match: c++ does not find c. Put a search with quotes, -
            or * in single quotes. If the quoted search begins with -, also put -- before it. With --excluded, results
            have all the words as they are, and the rest of this does not apply.
            """,
        examples: ["jokesctl search chicken OR duck road", #"jokesctl search '"rubber duck" -goose'"#]
    ) { invocation in
        let query = invocation.operands.joined(separator: " ")
        let selection = invocation.selection
        let isExcluded = invocation.options.contains("excluded")
        return try printRows(invocation) { cursor, size in
            let request = SearchMethod.Query(
                query: query, excluded: isExcluded ? true : nil, cursor: cursor, limit: size)
            let reply = try invocation.daemon.call(SearchMethod.self, .init(request, selection))
            return (reply.found, reply.next)
        } joke: {
            TemplateJoke($0.joke)
        } row: {
            try $0.row($1, idColumns: $2)
        } end: {
            guard $1 else { return }
            if isExcluded { return try $0.noJokes(isExcluded: true) }
            try $0.noResults()
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
            TemplateJoke($0)
        } row: {
            try $0.row($1, idColumns: $2)
        } end: { printer, isEmpty in
            let status = selection.isEmpty ? try invocation.daemon.call(StatusMethod.self, NoParameters()) : nil
            try printer.endFavorites(
                isEmpty: isEmpty, others: status?.excludedFavorites,
                "the filter excludes them. 'jokesctl export' has them.")
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
            TemplateJoke($0.joke)
        } row: {
            try $0.row($1.joke, idColumns: $2)
        } end: {
            try $0.endHidden(isEmpty: $1, others: others)
        }
    }

    static let categories = Command(
        name: "categories", group: .jokes, options: CommandOption.selection,
        summary: "List the categories of jokes, with the number of jokes",
        notes: "A joke can have several categories, or none. UNSEEN counts the unseen jokes.",
        examples: ["jokesctl categories", "jokesctl categories --source jokeapi"]
    ) { invocation in
        let categories = try invocation.daemon.call(StatisticsMethod.self, invocation.selection).categories
        try invocation.printer.page(categories) { printer in
            if categories.isEmpty { return try printer.remark("No shown joke that matches has a category.") }
            try printer.table(of: categories, headed: "CATEGORY")
        }
    }

    static let stats = Command(
        name: "stats", group: .jokes, options: CommandOption.selection,
        summary: "Show the number of jokes by source, category and language",
        notes: """
            stats counts the jokes that are shown. UNSEEN counts those that were never served, nor read in jokes-tui. Bars
            compare the numbers of jokes.
            """,
        examples: ["jokesctl stats", "jokesctl stats --favorites"]
    ) { invocation in
        let selection = invocation.selection
        let statistics = try invocation.daemon.call(StatisticsMethod.self, selection)
        try invocation.printer.page(statistics) { printer in
            let status =
                selection.isEmpty ? try invocation.daemon.call(StatusMethod.self, NoParameters()) : nil
            try printer.summary(of: statistics, counts: status?.jokes, favorites: status?.allFavorites)
        }
    }

    /// Prints the rows of all pages as they come, up to the limit, in the format or as a list. `end` prints what follows the
    /// list.
    ///
    /// IDs are aligned to the longest one of their page and the pages before it.
    private static func printRows<Row: Encodable>(
        _ invocation: Invocation,
        _ page: (_ cursor: String?, _ size: Int) throws -> (rows: [Row], next: String?),
        joke: (Row) -> TemplateJoke, row: (Printer, Row, _ idColumns: Int) throws -> Void,
        end: (Printer, _ isEmpty: Bool) throws -> Void
    ) throws {
        let format = try invocation.format()
        var rowsLeft = invocation.number("limit") ?? .max
        var cursor: String?
        var (isFirst, isLast) = (true, false)
        var idColumns = 0
        try invocation.printer.page {
            if isLast { return nil }
            let (rows, next) = try page(cursor, min(Wire.PageParameters.maxLimit, rowsLeft))
            rowsLeft -= rows.count
            // A repeated cursor would loop forever.
            isLast = next == nil || next == cursor || rowsLeft <= 0
            cursor = next
            if rows.isEmpty && !isLast { return "" }
            defer { isFirst = false }
            let jokes = rows.map(joke)
            // Only a full ID names an excluded joke.
            let isShort = format == nil && !invocation.options.contains("excluded")
            let printer = invocation.printer(shortening: isShort ? jokes.map(\.id.rawValue) : [])
            if printer.isJSON { return try printer.jsonPart(rows, isFirst: isFirst, isLast: isLast) }
            return try printer.collected { printer in
                if let format { return try printer.print(jokes, as: format) }
                idColumns = max(idColumns, printer.idColumns(of: jokes.map(\.id)))
                for line in rows { try row(printer, line, idColumns) }
                if isLast { try end(printer, isFirst && rows.isEmpty) }
            }
        }
    }
}
