import CommandLineTools

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
    let group: Group
    let operands: Operands
    let summary: String
    let options: [CommandOption]
    /// The paragraphs of the help below the options.
    let notes: String
    let examples: [String]
    let run: @Sendable (Invocation) throws -> Int32

    init(
        _ name: String, _ group: Group, operands: Operands = .none, options: [CommandOption] = [],
        _ summary: String, notes: String = "", examples: [String] = [],
        run: @escaping @Sendable (Invocation) throws -> Int32
    ) {
        self.name = name
        self.group = group
        self.operands = operands
        self.summary = summary
        self.options = options
        self.notes = notes
        self.examples = examples
        self.run = run
    }

    /// The hint after a wrong command line.
    var hint: String {
        "Try: jokesctl help \(name)"
    }
}

extension Command {
    /// All commands, in the order of the help.
    static let all: [Command] = [
        .random, .list, .show, .search, .watch, .favorite, .unfavorite, .favorites, .hide, .unhide, .status, .sources,
        .refresh, .forget, .doctor, .exportJokes, .importJokes, .completions, .help, .complete,
    ]

    /// The commands in the help.
    static let listed = all.filter { $0.group != .hidden }

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
        CommandOption("version", "Print the version."),
        CommandOption("help", letter: "h", "Print help for jokesctl or for the command."),
    ]

    /// - Throws: `ControlFailure` for an unknown name.
    static func named(_ name: String) throws(ControlFailure) -> Command {
        guard let command = all.first(where: { $0.name == name }) else {
            throw .usage(
                "unknown command '\(name)'", suggestion: nearMiss(of: name, among: listed.map(\.name)),
                hint: "Try: jokesctl help")
        }
        return command
    }
}
