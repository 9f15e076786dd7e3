import CommandLineTools

/// The help pages, made from the table of commands.
enum HelpPage {
    /// The pages that do not describe a command.
    static let topics = ["formats"]

    static var general: String {
        let commands = Command.Group.allCases.filter { $0 != .hidden }.map { group in
            let rows = Command.all.filter { $0.group == group }.map { (synopsis(of: $0), $0.summary) }
            return "\(group.rawValue):\n\(helpTable(rows, width: width))"
        }
        var parts = [
            "Usage: jokesctl [OPTION...] COMMAND",
            helpParagraph("Print, search and keep the jokes that jokesd has collected."),
        ]
        parts += commands
        parts.append("Options:\n\(optionsHelp(Command.globalOptions.map(\.specification)))")
        parts.append(helpParagraph(identifiers))
        parts.append(helpParagraph(pages))
        return parts.joined(separator: "\n\n")
    }

    /// The page of a command or a topic.
    ///
    /// - Throws: `ControlFailure` if there is none of this name.
    static func named(_ name: String) throws(ControlFailure) -> String {
        if topics.contains(name) { return formats }
        return of(try Command.named(name))
    }

    static func of(_ command: Command) -> String {
        let options = command.options.isEmpty ? "" : " [OPTION...]"
        let operands = command.operands == .none ? "" : " \(command.operands.synopsis)"
        var parts = ["Usage: jokesctl \(command.name)\(options)\(operands)", helpParagraph("\(command.summary).")]
        if !command.options.isEmpty { parts.append("Options:\n" + optionsHelp(command.options.map(\.specification))) }
        if !command.notes.isEmpty { parts.append(paragraphs(command.notes)) }
        if !command.examples.isEmpty {
            parts.append("Examples:\n" + command.examples.map { "  \($0)" }.joined(separator: "\n"))
        }
        if command.group != .hidden { parts.append(helpParagraph(references(command))) }
        return parts.joined(separator: "\n\n")
    }

    private static let identifiers = """
        ID is a joke ID, a unique prefix of a joke ID, or the word last. last is the joke that 'jokesctl random' printed
        last, for you or for another user of the daemon.
        """

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
