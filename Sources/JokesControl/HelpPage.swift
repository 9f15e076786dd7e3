import CommandLineTools

/// The help pages, made from the table of commands.
enum HelpPage {
    /// The pages that do not describe a command.
    static let topics = ["formats"]

    /// The names of all pages that the help mentions.
    static var names: [String] { Command.listedWithSubcommands.map(\.name) + topics }

    static var general: String {
        let commands = Command.Group.allCases.filter { $0 != .hidden }.map { group in
            let rows = Command.all.filter { $0.group == group }.map { (synopsis(of: $0), $0.summary) }
            return "\(group.rawValue):\n\(helpTable(rows, width: width))"
        }
        let parts =
            [
                "Usage: jokesctl [OPTION...] COMMAND",
                helpParagraph("Print, search and keep the jokes that jokesd has collected."),
            ] + commands + [
                "Options:\n\(optionsHelp(Command.globalOptions))", helpParagraph(identifiers),
                helpParagraph(aliases), helpParagraph(pages),
            ]
        return parts.joined(separator: "\n\n")
    }

    /// The page for a command line without a command: the commands of every day.
    static var short: String {
        let commands: [Command] = [.random, .today, .search, .favorite, .list, .status]
        let rows = commands.map { (synopsis(of: $0), $0.summary) } + [("help", "List all commands and options")]
        return "Usage: jokesctl [OPTION...] COMMAND\n\n\(helpTable(rows))"
    }

    /// Returns true if a page has the name, or if a command with a page has the alias.
    static func exists(_ name: String) -> Bool {
        topics.contains(name) || Command.listedWithSubcommands.contains { $0.isNamed(name) }
    }

    /// The page of a command or a topic.
    ///
    /// - Throws: `ControlFailure` for an unknown name.
    static func named(_ name: String) throws(ControlFailure) -> String {
        topics.contains(name) ? formats : of(try Command.named(name))
    }

    static func of(_ command: Command) -> String {
        let options = command.options.isEmpty ? "" : " [OPTION...]"
        let operands = command.operands == .none ? "" : " \(command.operands.synopsis)"
        var parts = ["Usage: jokesctl \(command.name)\(options)\(operands)", helpParagraph("\(command.summary).")]
        if !command.aliases.isEmpty { parts.append("Alias: \(command.aliases.joined(separator: ", ")).") }
        if !command.subcommands.isEmpty {
            parts.append("Commands:\n" + helpTable(command.subcommands.map { (synopsis(of: $0), $0.summary) }))
        }
        if !command.options.isEmpty { parts.append("Options:\n" + optionsHelp(command.options)) }
        if !command.notes.isEmpty { parts.append(paragraphs(command.notes)) }
        if !command.examples.isEmpty {
            parts.append("Examples:\n" + command.examples.map { "  \($0)" }.joined(separator: "\n"))
        }
        if command.group != .hidden { parts.append(helpParagraph(references(command))) }
        return parts.joined(separator: "\n\n")
    }

    private static let identifiers = """
        ID is a joke ID, short or full, a unique prefix of a joke ID, or the word last. last is the joke that
        'jokesctl random' or 'jokesctl today' printed last, for you or for another user of the daemon.
        """

    private static let aliases =
        "Aliases: "
        + Command.listed.flatMap { command in
            command.aliases.map { "\($0) for \(command.name)" }
        }.joined(separator: ", ") + "."

    private static let pages = """
        See 'jokesctl help COMMAND' for the options of a command. See 'jokesctl help formats' for FORMAT, exit codes and
        environment variables.
        """

    private static func references(_ command: Command) -> String {
        let hasFormat = command.options.contains { if case .format? = $0.value { true } else { false } }
        return """
            See 'jokesctl help' for the options that all commands share. See 'jokesctl help formats' for \
            \(hasFormat ? "FORMAT, " : "")exit codes and environment variables.
            """
    }

    /// The width of the first column of all groups.
    private static let width = Command.listed.map { synopsis(of: $0).count }.max() ?? 0

    private static func synopsis(of command: Command) -> String {
        command.operands == .none ? command.name : "\(command.name) \(command.operands.synopsis)"
    }

    /// Wraps each paragraph, unless its lines begin with a space.
    private static func paragraphs(_ text: String) -> String {
        text.split(separator: "\n\n").map { $0.hasPrefix(" ") ? String($0) : helpParagraph(String($0)) }
            .joined(separator: "\n\n")
    }
}

extension HelpPage {
    /// The page for FORMAT, the exit codes and the environment variables.
    static var formats: String {
        let parts = [
            "Usage: jokesctl COMMAND --format FORMAT",
            helpParagraph(
                """
                random, today, list, show, search, favorites, hidden and watch print each joke in this format, followed by
                a line feed, or by NUL with --null. Fields in braces are replaced; other text is printed as it is.
                """),
            "Fields:\n\(helpTable(fields))",
            helpParagraph(
                "An escape makes a field safe for the program that reads it. Several escapes apply from left to right."),
            "Escapes:\n\(helpTable(escapes))",
            helpParagraph("Never pass a field without :sh to eval."),
            "Status bars:\n\(helpTable(bars))",
            "Exit codes:\n\(helpTable(ExitStatus.allCases.map { (String($0.rawValue), $0.meaning) }))",
            "Environment:\n\(helpTable(variables))",
        ]
        return parts.joined(separator: "\n\n")
    }

    private static let fields: [(String, String)] =
        Template.fields.map { ("{\($0.name)}", $0.meaning) } + [
            ("{n}", "A line feed."), ("{t}", "A tab."), ("{{ }}", "Literal braces."),
        ]

    private static let escapes: [(String, String)] =
        Template.escapes.map { ("{text:\($0.name)}", $0.meaning) } + [
            ("{text:line:json}", "One line, as a JSON string.")
        ]

    private static let bars: [(String, String)] = BarFormat.allCases.map { ($0.rawValue, $0.meaning) }

    private static let variables: [(String, String)] = [
        ("JOKESD_SOCKET", "Daemon socket, if --socket is not given."),
        (
            "XDG_RUNTIME_DIR",
            "Folder with the socket of the user daemon, jokesd/jokesd.sock (default: /run/user/UID, if it is yours). If "
                + "no daemon answers there, jokesctl tries /run/jokesd/jokesd.sock."
        ),
        (
            "JOKESCTL_PAGER",
            "Pager for output that is longer than the terminal (default: PAGER, then less). If empty or cat, there is "
                + "no pager."
        ),
        ("NO_COLOR", "If not empty, the output has no color, except with --color always."),
    ]
}

extension BarFormat {
    /// The use of the format, as the help describes it.
    fileprivate var meaning: String {
        switch self {
        case .waybar: "JSON for a custom module of waybar, from random or watch."
        case .i3blocks: "JSON for a block of i3blocks, from random or watch."
        }
    }
}
