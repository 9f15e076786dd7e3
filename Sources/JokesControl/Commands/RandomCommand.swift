import CommandLineTools
import JokesClient
import JokesCore
import JokesProtocol
import TextLayout
import Unix

extension Command {
    static let random = Command(
        name: "random", group: .jokes,
        options: CommandOption.selection + [
            .limit(1...1000, "Print at most N jokes (default: 1), with --json as a list.")
        ] + RandomJokes.options + CommandOption.format, summary: "Print a random joke",
        notes: """
            random does not repeat a joke until every matching joke has been printed.

            The formats waybar and i3blocks print a line for a status bar. If the daemon is unreachable or has no
            matching joke, the line says so, and the exit code is 0.

            \(JokeNotification.help)
            """,
        examples: ["jokesctl random", "jokesctl random --quiet --single-line --max-length 80"]
    ) { invocation in
        let selection = invocation.selection
        try RandomJokes(invocation) { try invocation.daemon.call(RandomMethod.self, selection).joke }.run()
    }

    static let today = Command(
        name: "today", group: .jokes, options: RandomJokes.options + CommandOption.format,
        summary: "Print the joke of the day",
        notes: """
            today prints the same joke until midnight in the time zone of the daemon, to every user of the daemon.
            """,
        examples: ["jokesctl today", "jokesctl today --quiet --single-line"]
    ) { invocation in
        try RandomJokes(invocation) { try invocation.daemon.call(TodayMethod.self, NoParameters()).joke }.run()
    }
}

/// Requests and prints one or several jokes that the daemon picks.
private struct RandomJokes {
    static let options = [
        CommandOption("single-line", "Print the joke on one line."),
        CommandOption(
            "quiet", letter: "q",
            "Print nothing if there is no daemon, joke or notification service, and wait at most 1 s."),
        CommandOption("notify", "Show the joke in a desktop notification instead of printing it."),
    ]

    private let format: JokeFormat?
    private let invocation: Invocation
    private let request: () throws -> Joke
    private let isNotified: Bool
    private let isOneLine: Bool
    /// Nil without `--limit`.
    private let count: Int?

    init(_ invocation: Invocation, request: @escaping () throws -> Joke) throws {
        (self.invocation, self.request) = (invocation, request)
        format = try invocation.format(BarFormat.allCases)
        isNotified = try invocation.isNotified
        let options = invocation.options
        // A login shell may wait for it.
        if options.contains("quiet") { invocation.daemon.timeout = .seconds(1) }
        isOneLine = options.contains("single-line")
        count = invocation.number("limit")
        if isOneLine && (format != nil || invocation.printer.isJSON) {
            throw UsageError(
                "options '--single-line' and '\(format == nil ? "--json" : "--format")' cannot be used together",
                suggestion: "Try: jokesctl \(invocation.command.name) --format '{text:line}'")
        }
    }

    func run() throws {
        do {
            try print()
        } catch let error as ClientError {
            if case .bar(let bar)? = format, var content = BarContent(error) {
                if content.state == .empty { content.addSources(of: status) }
                return try invocation.printer.print(content, as: bar)
            }
            var failure = ControlFailure(error)
            if invocation.options.contains("quiet") && failure.status != .refused { throw failure.status }
            let option = CommandOption.selection.map(\.name).last { invocation.options.contains($0) }
            guard case .refused(.noJokes(reason: JokesError.noMatchReason)) = error, let option else { throw error }
            failure.hint = "Leave out an option, such as --\(option)."
            throw failure
        } catch let failure as ControlFailure where invocation.options.contains("quiet") {
            throw failure.status
        }
    }

    /// The status of the daemon, for a status bar; nil for other formats, and if the daemon does not answer.
    var status: StatusMethod.Reply? {
        guard case .bar? = format else { return nil }
        return try? invocation.daemon.call(StatusMethod.self, NoParameters())
    }

    /// Requests and prints the jokes, or shows them in notifications. After a failure, the jokes before it are printed.
    private func print() throws {
        let printer = invocation.printer
        if isNotified {
            let notifySend = try NotifySend(timeout: invocation.daemon.timeout)
            for _ in 0..<(count ?? 1) {
                let text = try request().content.text
                try notifySend.show(JokeNotification(text))
            }
            return
        }
        guard printer.isJSON, let count else {
            for number in 0..<(count ?? 1) { try print(try request(), isFirst: number == 0) }
            return
        }
        var jokes: [Joke] = []
        do {
            for _ in 0..<count { jokes.append(try request()) }
        } catch let error as ClientError {
            if !jokes.isEmpty { try printer.print(jokes) { _ in } }
            throw error
        }
        try printer.print(jokes) { _ in }
    }

    private func print(_ joke: Joke, isFirst: Bool) throws {
        let printer = invocation.printer
        if let format { return try printer.print([TemplateJoke(joke)], as: format, status: status) }
        try printer.print(joke) { printer in
            if isOneLine {
                try printer.line(Line(oneLine(joke.content.text.whole)))
            } else {
                if !isFirst { try printer.line() }
                try printer.text(joke.content.text)
            }
        }
    }
}
