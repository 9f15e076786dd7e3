import CommandLineTools

extension HelpPage {
    /// The page for FORMAT, the exit codes and the environment variables.
    static var formats: String {
        let parts: [String] = [
            "Usage: jokesctl COMMAND --format FORMAT",
            helpParagraph(
                """
                random, list, show, search, favorites and watch print each joke in this format, followed by a line feed,
                or by NUL with --null. Fields in braces are replaced; other text is printed as it is.
                """),
            "Fields:\n\(helpTable(fields))",
            helpParagraph(
                "An escape makes a field safe for the program that reads it. Several escapes apply from left to right."),
            "Escapes:\n\(helpTable(escapes))",
            helpParagraph("Never pass a field without :sh to eval."),
            "Status bars:\n\(helpTable(bars))",
            "Exit codes:\n\(helpTable(ExitStatus.meanings.map { (String($0.status), $0.meaning) }))",
            "Environment:\n\(helpTable(variables))",
        ]
        return parts.joined(separator: "\n\n")
    }

    private static let fields: [(String, String)] =
        Template.Field.allCases.map { ("{\($0.rawValue)}", $0.meaning) } + [
            ("{n}", "A line feed."), ("{t}", "A tab."), ("{{ }}", "Literal braces."),
        ]

    private static let escapes: [(String, String)] =
        Template.Escape.allCases.map { ("{text:\($0.rawValue)}", $0.meaning) } + [
            ("{text:line:json}", "One line, as a JSON string.")
        ]

    private static let bars: [(String, String)] = BarFormat.allCases.map { ($0.rawValue, $0.meaning) }

    private static let variables: [(String, String)] = [
        ("JOKESD_SOCKET", "Daemon socket, if --socket is not given."),
        (
            "XDG_RUNTIME_DIR",
            "Folder with the socket of the user daemon, jokesd/jokesd.sock. If no daemon answers there, jokesctl tries "
                + "/run/jokesd/jokesd.sock."
        ),
        (
            "JOKESCTL_PAGER",
            "Pager for output that is longer than the terminal (default: PAGER, then less). If empty or cat, there is "
                + "no pager."
        ),
        ("NO_COLOR", "If not empty, the output has no color, except with --color always."),
    ]
}

extension Template.Field {
    /// The value of the field, as the help describes it.
    fileprivate var meaning: String {
        switch self {
        case .setup: "The setup, or the whole joke if it has one part."
        case .punchline: "The punchline, if the joke has two parts."
        case .text: "The setup and the punchline, each on a line of its own."
        case .id: "The joke ID."
        case .source: "The name of the source."
        case .language: "The language tag, such as en; und if unknown."
        case .categories: "The categories, separated by commas."
        case .safety: "The rating: safe, unsafe or unknown."
        case .flags: "The content flags, such as nsfw, separated by commas."
        case .author: "The author."
        case .url: "The web address of the joke."
        case .date: "The date, as the source writes it."
        case .note: "The note of a favorite, only with favorites and watch."
        case .star: "A star, if the joke is a favorite."
        }
    }
}

extension Template.Escape {
    /// The effect of the escape, as the help describes it.
    fileprivate var meaning: String {
        switch self {
        case .sh: "One word for a shell, in quotes."
        case .json: "A JSON string, in quotes."
        case .line: "One line: each run of white space becomes one space."
        case .pango: "Text for Pango markup, XML or HTML."
        }
    }
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
