import CommandLineTools
import JokesClient
import JokesCore
import JokesProtocol
import Unix

extension Command {
    static let source = Command(
        name: "source", group: .daemon, operands: .subcommand, summary: "Add, test and change sources",
        notes: """
            The commands add, enable, disable and remove change the configuration file of the daemon, keep its comments,
            and reload it. If there is no file, they create one with the built-in sources. If the daemon refuses the
            change, the file stays as it was.
            """,
        examples: ["jokesctl source add https://example.org/jokes.xml", "jokesctl source disable chuck"],
        subcommands: [.sourceAdd, .sourceTest, .sourceEnable, .sourceDisable, .sourceRemove]
    ) { invocation in
        throw ControlFailure.usage("command 'source' needs a subcommand, such as add", hint: invocation.command.hint)
    }

    private static let yes = CommandOption("yes", letter: "y", "Do not ask.")

    static let sourceAdd = Command(
        name: "source add", group: .daemon, operands: .newSource,
        options: [
            CommandOption("name", argument: "NAME", .text, "Name of the source, and prefix of its joke IDs."),
            CommandOption(
                "safety", argument: "SAFETY", .oneOf(Safety.allCases.map(\.rawValue)),
                "Rating of the jokes that the source does not rate."),
            CommandOption(
                "local-network", "Allow plain http, and a server on this machine or a private network."),
            CommandOption("dry-run", "Show the source and do not add it."), yes,
        ], summary: "Add a source of jokes",
        notes: """
            add fetches the URL, and recognizes RSS, Atom, JSON Feed, and jokes in other JSON. It fetches a short list
            twice, to recognize random jokes. TYPE is the name of a service that needs no key; without URL and TYPE, add
            lists these services. add shows some jokes and the configuration, and asks before it changes the file.
            """,
        examples: ["jokesctl source add deno-jokes", "jokesctl source add --name puns https://example.org/puns.json"],
        run: addSource)

    static let sourceTest = Command(
        name: "source test", group: .daemon, operands: .configuredSource,
        summary: "Fetch jokes from a source without storing them",
        notes:
            "test also works for a disabled source. It sends a few requests, and keeps to the rate limit of the source.",
        examples: ["jokesctl source test dad", "jokesctl source test --json dad"]
    ) { invocation in
        let daemon = try invocation.daemon
        // The daemon has its own limits for requests.
        daemon.timeout = nil
        let sample = try daemon.call(TestSourceMethod.self, .init(name: invocation.operands[0])).sample
        try invocation.printer.page(sample) { try $0.sample(sample) }
    }

    static let sourceEnable = Command(
        name: "source enable", group: .daemon, operands: .configuredSource, summary: "Sync a disabled source again",
        examples: ["jokesctl source enable chuck", "jokesctl source enable --json chuck"]
    ) { try setEnabled(true, $0) }

    static let sourceDisable = Command(
        name: "source disable", group: .daemon, operands: .configuredSource, summary: "Stop syncing a source",
        notes: "The cached jokes of the source stay, and are still shown.",
        examples: ["jokesctl source disable chuck", "jokesctl source disable --json chuck"]
    ) { try setEnabled(false, $0) }

    static let sourceRemove = Command(
        name: "source remove", group: .daemon, operands: .configuredSource, options: [yes],
        summary: "Remove a source from the configuration",
        notes: """
            The cached jokes of the source stay in the cache, but are not shown. 'jokesctl forget' removes them. Favorites
            stay.
            """,
        examples: ["jokesctl source remove chuck", "jokesctl source remove --yes chuck"]
    ) { invocation in
        let name = invocation.operands[0]
        try requireAnswer(invocation)
        var file = try ConfigurationFile(invocation)
        let index = try file.index(of: name)
        guard try agrees("Remove source '\(name)' from \(file.path)?", invocation) else { throw ExitStatus.refused }
        try file.remove(index)
        try file.save(invocation)
        try report(name, file, true, invocation) {
            try $0.paragraph("Source '\(name)' removed from \(file.path).")
            try $0.remark(
                "Its cached jokes, if there are any, stay but are not shown. To remove them: jokesctl forget "
                    + shellWord(name))
        }
    }

    // MARK: Changes

    private struct SourceChange: Encodable {
        let name, file: String
        let changed: Bool
    }

    private static func report(
        _ name: String, _ file: ConfigurationFile, _ changed: Bool, _ invocation: Invocation,
        _ text: (Printer) throws -> Void
    ) throws {
        try invocation.printer.print(SourceChange(name: name, file: file.path, changed: changed), text)
    }

    private static func setEnabled(_ isEnabled: Bool, _ invocation: Invocation) throws {
        let name = invocation.operands[0]
        let word = isEnabled ? "enabled" : "disabled"
        var file = try ConfigurationFile(invocation)
        let index = try file.index(of: name)
        if file.isEnabled(index) == isEnabled {
            return try report(name, file, false, invocation) { try $0.remark("Source '\(name)' was already \(word).") }
        }
        try file.setEnabled(isEnabled, index)
        try file.save(invocation)
        try report(name, file, true, invocation) { try $0.paragraph("Source '\(name)' \(word) in \(file.path).") }
    }

    // MARK: Questions

    /// Refuses a command that must ask, if standard input is not a terminal.
    static func requireAnswer(_ invocation: Invocation) throws(ControlFailure) {
        if invocation.options.contains("yes") || isTerminal(standardInput) { return }
        throw .usage(
            "command '\(invocation.command.name)' needs an answer, but standard input is not a terminal",
            hint: "To change the configuration without a question, use --yes.")
    }

    /// Returns the answer of the user; true with `--yes`.
    static func agrees(_ question: String, _ invocation: Invocation) throws -> Bool {
        if invocation.options.contains("yes") { return true }
        try invocation.printer.output.flush()
        // Standard output may be a file with the answer.
        try writeFully("\(question) [y/N] ", to: standardError)
        let answer = readLine()?.lowercased() ?? ""
        if answer == "y" || answer == "yes" { return true }
        try writeFully("Nothing was changed.\n", to: standardError)
        return false
    }
}
