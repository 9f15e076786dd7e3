import CommandLineTools
import JokesClient
import JokesCore
import JokesProtocol
import TextLayout

extension Command {
    static let random = Command(
        "random", .jokes,
        options: [
            CommandOption("source", argument: "NAME", .known(.source), "Only jokes from this source."),
            CommandOption("category", argument: "NAME", .known(.category), "Only jokes in this category."),
            CommandOption(
                "language", argument: "TAG", .known(.language), "Only jokes in this language, such as en or pt-BR."),
            CommandOption("max-length", argument: "N", .number(1...100_000), "Only jokes of at most N characters."),
            CommandOption(
                "count", letter: "n", argument: "N", .number(1...1000),
                "Print N jokes (default: 1), with --json as a list."),
            CommandOption("single-line", "Print the joke on one line."),
            CommandOption(
                "quiet", letter: "q", "Print nothing if there is no daemon or no joke, and wait at most 1 s."),
        ] + Telling.options + CommandOption.format, "Print a random joke",
        notes: """
            random does not repeat a joke until every matching joke has been printed.

            The formats waybar and i3blocks print a line for a status bar. If the daemon is unreachable or has no
            matching joke, the line says so, and the exit code is 0.
            """,
        examples: ["jokesctl random --tell", "jokesctl random --quiet --single-line --max-length 80"]
    ) { invocation in
        let draw = try RandomDraw(invocation)
        do {
            try draw.tell()
        } catch let error as ClientError {
            if case .bar(let bar)? = draw.format, let picture = BarPicture(error) {
                try invocation.printer.output.append(bar.line(picture) + "\n")
                try invocation.printer.output.flush()
                return ExitStatus.done
            }
            let status = ControlFailure(error).status
            if invocation.options.contains("quiet") && status != ExitStatus.refused { return status }
            guard case .refused(.noJokes(let reason)) = error, let hint = draw.hint(reason) else { throw error }
            var failure = ControlFailure(error)
            failure.hint = hint
            throw failure
        }
        return ExitStatus.done
    }
}

/// Draws and prints one or several jokes.
private struct RandomDraw {
    let format: JokeFormat?
    private let invocation: Invocation
    private let telling: Telling
    private let parameters: RandomMethod.Parameters
    private let isOneLine: Bool
    /// Nil without `--count`.
    private let count: Int?

    init(_ invocation: Invocation) throws(ControlFailure) {
        self.invocation = invocation
        format = try invocation.format(BarFormat.allCases)
        telling = try Telling(invocation)
        let options = invocation.options
        // A login shell may wait for it.
        if options.contains("quiet") { invocation.connector.patience = .seconds(1) }
        isOneLine = options.contains("single-line")
        count = invocation.number("count")
        parameters = RandomMethod.Parameters(
            source: options["source"], category: options["category"], language: options["language"],
            maxLength: invocation.number("max-length"))
        if isOneLine && (format != nil || invocation.printer.isJSON) {
            throw .usage(
                "options '--single-line' and '\(format == nil ? "--json" : "--format")' cannot be used together",
                hint: "Try: jokesctl random --format '{text:line}'")
        }
    }

    /// The hint if no joke matches; nil for the usual hint.
    func hint(_ reason: String) -> String? {
        if reason == parameters.source.map(JokesError.disabledReason) {
            return "To enable it, set \"enabled\": true in the configuration."
        }
        let given = ["category", "language", "max-length", "source"].first { invocation.options.contains($0) }
        return reason == JokesError.noMatchReason ? given.map { "Leave out an option, such as --\($0)." } : nil
    }

    /// Draws and prints the jokes. After a failure, the jokes before it are printed.
    func tell() throws {
        let printer = invocation.printer
        guard printer.isJSON, let count else {
            for number in 0..<(count ?? 1) { try tell(try draw(), isFirst: number == 0) }
            return
        }
        var jokes: [Wire.Joke] = []
        do {
            for _ in 0..<count { jokes.append(try draw()) }
        } catch let error as ClientError {
            if !jokes.isEmpty { try printer.print(jokes) { _ in } }
            throw error
        }
        try printer.print(jokes) { _ in }
    }

    private func draw() throws -> Wire.Joke {
        try invocation.daemon.call(RandomMethod.self, parameters).joke
    }

    private func tell(_ joke: Wire.Joke, isFirst: Bool) throws {
        let printer = invocation.printer
        if let format { return try printer.tell([ToldJoke(joke.joke)], as: format) }
        try printer.print(joke) { printer in
            if isOneLine {
                try printer.line(Line(oneLine(joke.joke.content.text.whole)))
            } else {
                if !isFirst { try printer.line() }
                try telling.tell(joke.joke.content.text, on: printer)
            }
        }
    }
}
