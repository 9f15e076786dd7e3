/// One command of jokesctl. The table of all of them gives parsing, help and completions.
struct Command: Sendable {
    /// What it has to do with; the help lists the commands by it, in this order.
    enum Group: String, CaseIterable, Sendable {
        case jokes = "Jokes"
        case marks = "Favorites and hidden jokes"
        case daemon = "The daemon and its sources"
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
    let run: @Sendable (Invocation) throws -> Int32

    init(
        _ name: String, _ group: Group, operands: Operands = .none, options: [CommandOption] = [],
        _ summary: String, notes: String = "", run: @escaping @Sendable (Invocation) throws -> Int32
    ) {
        self.name = name
        self.group = group
        self.operands = operands
        self.summary = summary
        self.options = options
        self.notes = notes
        self.run = run
    }

    /// The next step after a command line that it cannot follow.
    var hint: String {
        "jokesctl help \(name) says what it takes."
    }
}

extension Command {
    /// Every command, those of a group in the order of the help.
    static let all: [Command] = [
        .random, .list, .show, .search, .watch, .favorite, .unfavorite, .favorites, .hide, .unhide, .status, .sources,
        .refresh, .doctor, .exportJokes, .importJokes, .completions, .help, .complete,
    ]

    /// Those that people are told of.
    static let listed = all.filter { $0.group != .hidden }

    /// What is given to all commands, before or after the command's name.
    static let globalOptions = [
        CommandOption(
            "socket", argument: "PATH", .file, "The daemon's socket: a path, unix:PATH or unix:@NAME."),
        CommandOption("json", "Print JSON: one document, or one a line where it streams."),
        CommandOption("color", argument: "WHEN", .oneOf(["auto", "always", "never"]), "auto, always or never."),
        CommandOption("no-pager", "Print a long answer straight to the terminal."),
        CommandOption("version", "Print the version."),
        CommandOption("help", letter: "h", "Print help, for the command where one is named."),
    ]

    /// - Throws: `ControlFailure` where there is none of this name.
    static func named(_ name: String) throws(ControlFailure) -> Command {
        guard let command = all.first(where: { $0.name == name }) else {
            throw .usage(
                "There is no command \(name).\(nearMiss(of: name, among: listed.map(\.name)))",
                hint: "jokesctl help lists the commands.")
        }
        return command
    }
}
