import Unix

/// The help of jokesctl and of each command, made from the table; fits into 80 columns.
enum HelpPage {
    static var general: String {
        let commands = Command.Group.allCases.filter { $0 != .hidden }.map { group in
            let rows = Command.all.filter { $0.group == group }.map { (synopsis(of: $0), $0.summary) }
            return "\(group.rawValue):\n\(helpTable(rows, width: width))"
        }
        let parts =
            ["Usage: jokesctl [OPTION…] COMMAND"] + commands + [
                "Options of every command:\n\(optionsHelp(Command.globalOptions.map(\.specification)))",
                helpParagraph(
                    "An ID is a joke's full id, any beginning of it that names one joke, or the word last: the joke told last, to whomever."
                ),
                "Exit codes:\n\(helpTable(ExitStatus.meanings.map { (String($0.status), $0.meaning) }))",
                "Environment:\n\(helpTable(variables))",
            ]
        return parts.joined(separator: "\n\n")
    }

    static func of(_ command: Command) -> String {
        let options = command.options.isEmpty ? "" : " [OPTION…]"
        let operands = command.operands == .none ? "" : " \(command.operands.synopsis)"
        var parts = ["Usage: jokesctl \(command.name)\(options)\(operands)", helpParagraph("\(command.summary).")]
        if !command.options.isEmpty { parts.append("Options:\n" + optionsHelp(command.options.map(\.specification))) }
        if !command.notes.isEmpty { parts.append(paragraphs(command.notes)) }
        if command.group != .hidden { parts.append("jokesctl help lists the options of every command.") }
        return parts.joined(separator: "\n\n")
    }

    /// What the environment decides where no option does.
    private static let variables = [
        ("JOKESD_SOCKET", "The daemon's socket, where --socket does not name it."),
        ("XDG_RUNTIME_DIR", "In its jokesd/jokesd.sock the socket is looked for, then in /run/jokesd/jokesd.sock."),
        (
            "JOKESCTL_PAGER",
            "Shows on a terminal what is longer than it; else PAGER does, else less. None where it is empty or cat."
        ),
        ("NO_COLOR", "No colors, where it is not empty and --color does not ask for them."),
    ]

    /// Of the first column, so that the groups stand under each other.
    private static let width = Command.listed.map { synopsis(of: $0).count }.max() ?? 0

    private static func synopsis(of command: Command) -> String {
        command.operands == .none ? command.name : "\(command.name) \(command.operands.synopsis)"
    }

    /// Paragraphs, wrapped anew; one whose lines begin with a space stays as it is.
    private static func paragraphs(_ text: String) -> String {
        text.split(separator: "\n\n").map { $0.hasPrefix(" ") ? String($0) : helpParagraph(String($0)) }
            .joined(separator: "\n\n")
    }
}
