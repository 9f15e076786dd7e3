import CommandLineTools

/// One command of jokesctl. The table of all of them gives parsing, help and completions.
struct Command: Sendable {
    /// What it has to do with; the help lists the commands by it, in this order.
    enum Group: String, CaseIterable, Sendable {
        case jokes = "Jokes"
        case marks = "Favorites and hidden jokes"
        case daemon = "Daemon and sources"
        case files = "Files"
        case usage = "Help"
        /// For scripts of ours alone: no help lists it.
        case hidden = ""
    }

    let name: String
    let group: Group
    /// What follows the name.
    let operands: Operands
    /// What it does, in a phrase.
    let summary: String
    let options: [CommandOption]
    /// What its help says below the options: paragraphs, separated by empty lines.
    let notes: String
    /// Command lines for its help.
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

    /// The next step after a command line that it cannot follow.
    var hint: String {
        "Try: jokesctl help \(name)"
    }
}

extension Command {
    /// Every command, those of a group in the order of the help.
    static let all: [Command] = [
        .random, .list, .show, .search, .watch, .favorite, .unfavorite, .favorites, .hide, .unhide, .status, .sources,
        .refresh, .forget, .doctor, .exportJokes, .importJokes, .completions, .help, .complete,
    ]

    /// Those that people are told of.
    static let listed = all.filter { $0.group != .hidden }

    /// What is given to all commands, before or after the command's name.
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

    /// - Throws: `ControlFailure` where there is none of this name.
    static func named(_ name: String) throws(ControlFailure) -> Command {
        guard let command = all.first(where: { $0.name == name }) else {
            throw .usage(
                "unknown command '\(name)'", suggestion: nearMiss(of: name, among: listed.map(\.name)),
                hint: "Try: jokesctl help")
        }
        return command
    }
}
