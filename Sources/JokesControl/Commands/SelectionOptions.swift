import CommandLineTools
import JokesCore
import JokesProtocol

extension CommandOption {
    /// The options that select jokes, for all commands that print or count several jokes.
    static let selection =
        favoriteSelection + [
            CommandOption("favorites", "Only favorites.")
        ]

    /// The option for the number of jokes, the same in all commands.
    static func limit(_ range: ClosedRange<Int>, _ summary: String) -> CommandOption {
        CommandOption("limit", letter: "n", argument: "N", .number(range), summary)
    }

    /// The options that select favorites.
    ///
    /// Each option can be repeated, and takes several names with commas between them.
    static let favoriteSelection = [
        CommandOption("source", argument: "NAMES", .names(.source), "Only jokes from these sources."),
        CommandOption("not-source", argument: "NAMES", .names(.source), "No jokes from these sources."),
        CommandOption("category", argument: "NAMES", .names(.category), "Only jokes in one of these categories."),
        CommandOption("not-category", argument: "NAMES", .names(.category), "No jokes in these categories."),
        CommandOption(
            "language", argument: "TAGS", .names(.language),
            "Only jokes in these languages, such as en,pt-BR; en also selects en-GB."),
        CommandOption("not-language", argument: "TAGS", .names(.language), "No jokes in these languages."),
        CommandOption("max-length", argument: "N", .number(1...100_000), "Only jokes of at most N characters."),
        CommandOption("unseen", "Only unseen jokes: never served, nor read in jokes-tui."),
    ]
}

extension Invocation {
    /// The jokes that the options select.
    var selection: JokeSelection {
        JokeSelection(
            source: names("source"), category: names("category"), language: names("language"),
            maxLength: number("max-length"), favorites: options.contains("favorites") ? true : nil,
            unseen: options.contains("unseen") ? true : nil)
    }

    /// The names that an option and its opposite select; nil without both.
    private func names(_ option: String) -> NameSelection? {
        let (only, not) = (options.all(option), options.all("not-\(option)"))
        let names = NameSelection(only: only.flatMap(\.listedNames), not: not.flatMap(\.listedNames))
        return names.all.isEmpty ? nil : names
    }
}

extension OptionValue {
    /// A name of this kind, which the daemon can suggest.
    static func known(_ kind: SuggestionKind) -> OptionValue { .known(kind.rawValue) }

    /// Several such names, separated by commas.
    static func names(_ kind: SuggestionKind) -> OptionValue { .names(kind.rawValue) }
}
