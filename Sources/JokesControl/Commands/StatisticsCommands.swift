import CommandLineTools
import JokesClient
import JokesCore
import JokesProtocol

extension Command {
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
}
