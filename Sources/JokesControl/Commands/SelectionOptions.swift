import CommandLineTools
import JokesProtocol

extension CommandOption {
    /// The options that select jokes, for all commands that print or count several jokes.
    static let selection =
        favoriteSelection + [
            CommandOption("favorites", "Only favorites.")
        ]

    /// The options that select favorites.
    static let favoriteSelection = [
        CommandOption("source", argument: "NAME", .known(.source), "Only jokes from this source."),
        CommandOption("category", argument: "NAME", .known(.category), "Only jokes in this category."),
        CommandOption(
            "language", argument: "TAG", .known(.language), "Only jokes in this language, such as en or pt-BR."),
        CommandOption("max-length", argument: "N", .number(1...100_000), "Only jokes of at most N characters."),
        CommandOption("unseen", "Only jokes that random and today have never served."),
    ]
}

extension Invocation {
    /// The jokes that the options select.
    var selection: Wire.Selection {
        Wire.Selection(
            source: options["source"], category: options["category"], language: options["language"],
            maxLength: number("max-length"), favorites: options.contains("favorites") ? true : nil,
            unseen: options.contains("unseen") ? true : nil)
    }
}

extension Wire.Selection {
    /// True if every joke is selected.
    var isEmpty: Bool { self == Wire.Selection() }
}
