import CommandLineTools
import JokesProtocol

/// The value of `--format`.
enum JokeFormat {
    /// A template, and the end of each joke: a line feed, or NUL with `--null`.
    case template(Template, end: String)
    case bar(BarFormat)

    /// Reads a template if the text has a brace, else the name of a built-in format.
    ///
    /// - Throws: `ControlFailure` with a suggestion.
    init(_ text: String, end: String = "\n", builtIn: [BarFormat]) throws(ControlFailure) {
        if text.unicodeScalars.contains("{") {
            self = .template(try Template(text), end: end)
        } else if let bar = builtIn.first(where: { $0.rawValue == text }) {
            self = .bar(bar)
        } else {
            throw Self.unknown(text, builtIn)
        }
    }

    private static func unknown(_ text: String, _ builtIn: [BarFormat]) -> ControlFailure {
        let names = builtIn.map(\.rawValue)
        let fields = Template.fields.map(\.name)
        let suggestion = nearMiss(of: text, among: names) ?? nearMiss(of: text, among: fields) { "{\($0)}" }
        let known = names.isEmpty ? "" : "Formats: \(names.joined(separator: " ")), or text with fields\n"
        return .usage("unknown format '\(text)'", suggestion: suggestion, hint: known + Template.fieldsHint)
    }
}

extension CommandOption {
    /// The options of commands that print jokes.
    static let template = formatOptions(builtIn: [], "Print each joke in this format, such as '{id} {setup}'.")

    /// The options of commands that also print lines for status bars.
    static let format = formatOptions(
        builtIn: BarFormat.allCases.map(\.rawValue),
        "Print each joke in this format: waybar, i3blocks, or fields such as '{id} {setup}'.")

    private static func formatOptions(builtIn: [String], _ summary: String) -> [CommandOption] {
        [
            CommandOption("format", argument: "FORMAT", .format(builtIn: builtIn), summary),
            CommandOption("null", letter: "0", "With --format, end each joke with NUL instead of a line feed."),
        ]
    }
}

extension Invocation {
    /// The format of `--format`; nil without this option.
    func format(_ builtIn: [BarFormat] = []) throws -> JokeFormat? {
        let endsWithNull = options.contains("null")
        guard let text = options["format"] else {
            if endsWithNull { throw UsageError("option '--null' needs the option '--format'") }
            return nil
        }
        let format = try JokeFormat(text, end: endsWithNull ? "\0" : "\n", builtIn: builtIn)
        if printer.isJSON {
            throw UsageError("options '--json' and '--format' cannot be used together")
        }
        if case .bar = format, endsWithNull {
            throw UsageError("options '--null' and '--format \(text)' cannot be used together")
        }
        return format
    }
}

extension Printer {
    /// Prints the jokes in the format. A line for a status bar also has the state of the sources in `status`.
    func print(
        _ jokes: some Sequence<TemplateJoke>, as format: JokeFormat, status: StatusMethod.Reply? = nil
    ) throws {
        for joke in jokes {
            switch format {
            case .template(let template, let end): try output.append(template.text(of: joke) + end)
            case .bar(let bar):
                var content = BarContent(joke)
                content.addSources(of: status)
                try print(content, as: bar)
            }
        }
        try output.flush()
    }
}
