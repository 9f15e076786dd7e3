import CommandLineTools
import JSON
import JokesClient
import JokesCore
import JokesProtocol
import TextLayout
import Unix

extension Command {
    static let source = Command(
        name: "source", group: .daemon, operands: .subcommand, summary: "Add, test and change sources",
        notes: """
            The commands add, set, enable, disable and remove change the configuration file of the daemon, keep its
            comments, and reload it. If there is no file, they create one with the built-in sources. If the daemon refuses
            the change, the file stays as it was.
            """,
        examples: ["jokesctl source add https://example.org/jokes.xml", "jokesctl source set reddit --safety safe"],
        subcommands: [
            .sourceAdd, .sourceSet, .sourceShow, .sourceList, .sourceTest, .sourceEnable, .sourceDisable, .sourceRemove,
        ]
    ) { _ in
        throw UsageError("command 'source' needs a subcommand, such as add")
    }

    private static let yes = CommandOption("yes", letter: "y", "Do not ask.")
    private static let header = CommandOption(
        "header", argument: "HEADER", .text,
        "Header of all requests, such as 'Authorization: Bearer @file:/path/to/token'; may be repeated.")
    private static let auth = CommandOption(
        "auth", argument: "SECRET", .text, "Basic authentication; @file:/path/to/file has USER:PASSWORD.")

    static let sourceAdd = Command(
        name: "source add", group: .daemon, operands: .newSource,
        options: [
            CommandOption("name", argument: "NAME", .text, "Name of the source, and prefix of its joke IDs."),
            CommandOption(
                "safety", argument: "SAFETY", .oneOf(Safety.allCases.map(\.rawValue)),
                "Rating of the jokes that the source does not rate."),
            header, auth,
            CommandOption(
                "local-network", "Allow plain http, and a server on this machine or a private network."),
            CommandOption("dry-run", "Show the source and do not add it."), yes,
        ], summary: "Add a source of jokes",
        notes: """
            PLACE is a URL, a file or a service. add fetches the URL or reads the file, and recognizes RSS, Atom, JSON
            Feed, jokes in other JSON, and fortune files. It fetches a short list twice, to recognize random jokes.

            A file may also be a folder of fortune files, or a list of feeds in OPML. Feeds of a list are added without
            fetching them. A service is one that needs no key; without PLACE, add lists these services.

            add shows some jokes and the configuration, and asks before it changes the file. If the source does not rate
            its jokes, add also asks whether to show them.
            """,
        examples: [
            "jokesctl source add ~/fortunes", "jokesctl source add --name puns https://example.org/puns.json",
        ],
        run: { try addSource($0) })

    static let sourceTest = Command(
        name: "source test", group: .daemon, operands: .source,
        summary: "Fetch jokes from a source without storing them",
        notes:
            "test also works for a disabled source. It sends a few requests, and keeps to the rate limit of the source.",
        examples: ["jokesctl source test dad", "jokesctl source test --json dad"]
    ) { invocation in
        let daemon = invocation.daemon
        // The daemon has its own limits for requests.
        daemon.timeout = nil
        let sample = try daemon.call(TestSourceMethod.self, .init(name: invocation.operands[0])).sample
        try invocation.printer.page(sample) { try $0.sample(sample) }
    }

    static let sourceEnable = Command(
        name: "source enable", group: .daemon, operands: .source, summary: "Sync a disabled source again",
        examples: ["jokesctl source enable chuck", "jokesctl source enable --json chuck"]
    ) { try setEnabled(true, $0) }

    static let sourceDisable = Command(
        name: "source disable", group: .daemon, operands: .source, summary: "Stop syncing a source",
        notes: "The cached jokes of the source stay, and are still shown.",
        examples: ["jokesctl source disable chuck", "jokesctl source disable --json chuck"]
    ) { try setEnabled(false, $0) }

    static let sourceRemove = Command(
        name: "source remove", group: .daemon, operands: .source, options: [yes],
        summary: "Remove a source from the configuration",
        notes: """
            The cached jokes of the source stay in the cache, but are not shown. 'jokesctl forget' removes them. Favorites
            stay.
            """,
        examples: ["jokesctl source remove chuck", "jokesctl source remove --yes chuck"]
    ) { invocation in
        let name = invocation.operands[0]
        try requireAnswer(invocation)
        let file = try ConfigurationFile(invocation)
        _ = try file.index(of: name)
        guard try agrees("Remove source '\(name)' from \(file.path)?", invocation) else { throw ExitStatus.refused }
        try change(name, invocation) { file, index in
            try file.remove(index)
        } report: { printer, path, _ in
            try printer.paragraph("Source '\(name)' removed from \(path).")
            try printer.remark(
                "Its cached jokes, if there are any, stay but are not shown. To remove them: jokesctl forget "
                    + shellWord(name))
        }
    }

    static let sourceSet = Command(
        name: "source set", group: .daemon, operands: .source,
        options: settings.map(\.option) + [
            header, CommandOption("rename", argument: "NEW", .text, "Give the source another name."),
        ], summary: "Change the settings of a source",
        notes: """
            The value default removes a setting from the configuration. 'NAME:' as HEADER removes a header. After --rename,
            the jokes are fetched again, and the new name is the prefix of their IDs. Favorites stay.
            """,
        examples: ["jokesctl source set reddit --safety safe", "jokesctl source set reddit --interval 12h --limit 50"]
    ) { invocation in
        let (name, options) = (invocation.operands[0], invocation.options)
        let given = settings.filter { options.contains($0.option.name) }
        let headers = try options.all("header").map { try headerField($0, invocation) }
        let new = options["rename"]
        guard !given.isEmpty || !headers.isEmpty || new != nil else {
            throw UsageError("command 'source set' needs an option")
        }
        try change(name, invocation) { file, index in
            for (option, isNumber) in given {
                let value = options[option.name].flatMap { $0 == "default" ? nil : $0 }
                if let value, isNumber, Int(value) == nil {
                    throw UsageError("option '--\(option.name)' needs a whole number or default, not '\(value)'")
                }
                try file.set(option.name, to: try value.map { isNumber ? $0 : try JSONEncoding.text(of: $0) }, index)
            }
            for (header, value) in headers { try file.setHeader(header, to: value.nonEmpty, index) }
            guard let new else { return }
            try check(new, file)
            try file.set("name", to: try JSONEncoding.text(of: new), index)
        } report: { printer, path, isChanged in
            if !isChanged { return try printer.remark("Source '\(name)' has these settings already.") }
            try printer.paragraph("Source '\(name)' changed in \(path).")
            if let new {
                try printer.remark(
                    "Its jokes are fetched again as jokes of '\(new)'. To remove those that are cached: jokesctl forget "
                        + shellWord(name))
            }
        }
    }

    /// The options of `source set` that are keys of a source, and whether their values are numbers.
    private static let settings: [(option: CommandOption, isNumber: Bool)] = [
        (
            CommandOption(
                "safety", argument: "SAFETY", .oneOf(Safety.allCases.map(\.rawValue) + ["default"]),
                "Rating of the jokes that the source does not rate."), false
        ),
        (CommandOption("interval", argument: "TIME", .text, "Time between syncs, such as 6h."), false),
        (CommandOption("limit", argument: "NUMBER", .text, "Maximum number of jokes of a sync."), true),
        (CommandOption("language", argument: "TAG", .text, "Language of jokes that do not state one."), false),
        (
            CommandOption(
                "titles", argument: "USE", .oneOf(["keep", "skip", "default"]),
                "Keep the titles of a feed, or skip them as headings."), false
        ),
        (CommandOption("url", argument: "URL", .text, "Address of the source."), false), (auth, false),
    ]

    /// Returns the name and the value of a header in the notation of HTTP.
    static func headerField(_ text: String, _ invocation: Invocation) throws(ControlFailure) -> (String, String) {
        guard let colon = text.firstIndex(of: ":") else {
            throw .usage(
                "'\(text)' is not a header", hint: "Write NAME: VALUE, such as 'X-Api-Key: @file:/path/to/key'")
        }
        return (String(text[..<colon]).trimmed, String(text[text.index(after: colon)...]).trimmed)
    }

    /// The JSON of `source show`.
    private struct ShownSource: Encodable {
        let file, entry: String?
        let source: SourceHealth?
    }

    static let sourceShow = Command(
        name: "source show", group: .daemon, operands: .source,
        summary: "Show the configuration and the state of a source",
        notes: "Secrets are not shown, only the names of their files.",
        examples: ["jokesctl source show reddit", "jokesctl source show --json reddit"]
    ) { invocation in
        let name = invocation.operands[0]
        let sources = try invocation.daemon.call(SourcesMethod.self, NoParameters()).sources
        let source = sources.first { $0.name == name }
        let file = try ConfigurationFile(invocation, isReadOnly: true)
        // The bundled and the imported jokes, and a removed source, have no entry.
        let index = try file.names.firstIndex(of: name) ?? (source == nil ? file.index(of: name) : nil)
        let shown = ShownSource(file: index == nil ? nil : file.path, entry: index.map(file.entry), source: source)
        try invocation.printer.page(shown) { printer in
            try printer.table(of: [source].compactMap(\.self))
            guard let entry = shown.entry else { return }
            try printer.line()
            try printer.show(entry, in: file.path)
        }
    }

    static let sourceList = Command(
        name: "source list", group: .daemon, summary: "Show the status of each source, as sources does",
        examples: ["jokesctl source list", "jokesctl source list --json"], run: sources.run)

    // MARK: Changes

    private struct SourceChange: Encodable {
        let name, file: String
        let changed: Bool
    }

    /// Changes the entry of a source in the file, and prints a report. `isChanged` is false if the entry was so already.
    private static func change(
        _ name: String, _ invocation: Invocation, _ edit: (inout ConfigurationFile, Int) throws -> Void,
        report: (_ printer: Printer, _ path: String, _ isChanged: Bool) throws -> Void
    ) throws {
        let (file, isChanged) = try ConfigurationFile.edit(invocation) { try edit(&$0, try $0.index(of: name)) }
        try invocation.printer.print(SourceChange(name: name, file: file.path, changed: isChanged)) {
            try report($0, file.path, isChanged)
        }
    }

    private static func setEnabled(_ isEnabled: Bool, _ invocation: Invocation) throws {
        let name = invocation.operands[0]
        let word = isEnabled ? "enabled" : "disabled"
        try change(name, invocation) { file, index in
            if file.isEnabled(index) != isEnabled { try file.set("enabled", to: isEnabled ? "true" : "false", index) }
        } report: { printer, path, isChanged in
            if !isChanged { return try printer.remark("Source '\(name)' was already \(word).") }
            try printer.paragraph("Source '\(name)' \(word) in \(path).")
        }
    }

    // MARK: Questions

    /// Refuses a command that must ask, if standard input is not a terminal.
    static func requireAnswer(_ invocation: Invocation) throws(ControlFailure) {
        if invocation.options.contains("yes") || isTerminal(standardInput) { return }
        throw .usage(
            "command '\(invocation.command.name)' needs an answer, but standard input is not a terminal",
            hint: "To change the configuration without a question, use --yes.")
    }

    /// Returns whether the user agrees to a change; true with `--yes`.
    static func agrees(_ question: String, _ invocation: Invocation) throws -> Bool {
        if try invocation.options.contains("yes") || answers(question, invocation) { return true }
        try writeFully("Nothing was changed.\n", to: standardError)
        return false
    }

    /// Returns whether the user answers a question with yes.
    static func answers(_ question: String, _ invocation: Invocation) throws -> Bool {
        try invocation.printer.output.flush()
        // Standard output may be a file with the answer.
        try writeFully("\(question) [y/N] ", to: standardError)
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }
}
