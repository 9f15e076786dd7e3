import CommandLineTools
import JokesClient
import JokesProtocol

/// A command of jokesctl. Parsing, help and completions are made from the table of commands.
struct Command: Sendable {
    /// The headings of the help, in this order.
    enum Group: String, CaseIterable, Sendable {
        case jokes = "Jokes"
        case marks = "Favorites and hidden jokes"
        case daemon = "Daemon and sources"
        case files = "Files"
        case usage = "Help"
        /// For the completion scripts; not in the help.
        case hidden = ""
    }

    let name: String
    /// Other names, which are shorter.
    var aliases: [String] = []
    let group: Group
    var operands = Operands.none
    var options: [CommandOption] = []
    let summary: String
    /// The paragraphs of the help below the options.
    var notes = ""
    var examples: [String] = []
    /// Commands whose names begin with the name of this one and a space.
    var subcommands: [Command] = []
    let run: @Sendable (Invocation) throws -> Void

    /// The hint after a wrong command line.
    var hint: String { name.isEmpty ? "Try: jokesctl help" : "Try: jokesctl help \(name)" }

    /// Returns true for the name and the aliases of the command.
    func isNamed(_ word: String) -> Bool { name == word || aliases.contains(word) }
}

extension Command {
    /// All commands, in the order of the help.
    static let all: [Command] = [
        .random, .today, .list, .show, .search, .categories, .stats, .watch, .favorite, .unfavorite, .favorites, .hide,
        .unhide, .hidden, .undo, .status, .sources, .source, .refresh, .forget, .doctor, .exportJokes, .importJokes,
        .completions, .help, .version, .complete,
    ]

    /// The commands in the help.
    static let listed = all.filter { $0.group != .hidden }

    /// The commands in the help, with their subcommands.
    static let listedWithSubcommands = listed + listed.flatMap(\.subcommands)

    /// The options of all commands, before or after the name of the command.
    static let globalOptions = [
        CommandOption(
            "socket", argument: "PATH", .file,
            "Daemon socket: a path, unix:PATH or unix:@NAME (default: user daemon, then system daemon)."),
        CommandOption("json", "Print JSON: one document, or one per line for a stream."),
        CommandOption(
            "color", argument: "WHEN", .oneOf(["auto", "always", "never"]),
            "Use color: auto, always or never (default: auto)."),
        CommandOption("no-pager", "Print long output without a pager."),
        CommandOption("full-ids", "Print full IDs as text, instead of short ones."),
        CommandOption("version", letter: "V", "Print the version."),
        CommandOption("help", letter: "h", "Print help for jokesctl or for the command."),
    ]

    /// - Throws: `ControlFailure` for an unknown name.
    static func named(_ name: String) throws(ControlFailure) -> Command {
        // Prompts run this command, and need not wait until the whole table is made.
        if random.isNamed(name) { return random }
        guard let command = (all + all.flatMap(\.subcommands)).first(where: { $0.isNamed(name) }) else {
            throw .usage(
                "unknown command '\(name)'", suggestion: nearMiss(of: name, among: listed.map(\.name)),
                hint: "Try: jokesctl help")
        }
        return command
    }
}

/// A command with its arguments and environment.
struct Invocation {
    let command: Command
    /// The checked options.
    let options: CommandLineOptions
    let daemon: JokesConnection
    /// The argument of `--socket`; nil if there is none.
    let socket: String?
    let printer: Printer
    /// True for `--full-ids`.
    let hasFullIDs: Bool

    var operands: [String] { options.operands }

    /// The argument of a numeric option.
    func number(_ option: String) -> Int? { options[option].flatMap { Int($0) } }

    /// Returns the printer with the short forms of the IDs, for text. If the daemon cannot shorten them, they stay
    /// full.
    func printer(shortening ids: [String]) -> Printer {
        var printer = self.printer
        // Only an ID that was made from a text has a short form.
        var rest: ArraySlice<String> = hasFullIDs || printer.isJSON ? [] : ids.filter { $0.contains(":~") }[...]
        while !rest.isEmpty {
            let page = Array(rest.prefix(AbbreviateMethod.maxIDs))
            guard let short = try? daemon.call(AbbreviateMethod.self, .init(ids: page)).ids else { break }
            printer.shortIDs.merge(zip(page, short)) { $1 }
            rest = rest.dropFirst(page.count)
        }
        return printer
    }
}
