import CommandLineTools
import JokesCore

/// A template of `--format`: text with fields in braces, such as
///
///     {star} {id}{t}{text:line}
///
/// The properties of templates, which tests check on random jokes:
///
/// - Two templates in a row print the text of the first and then the text of the second.
/// - Text outside of fields is printed unchanged, and the value of a field is not parsed.
/// - A shell, a JSON parser and an XML parser read back the field from `sh`, `json` and `pango`. `line` keeps the words,
///   and `bar` leaves no command.
/// - Each of several escapes is applied to the result of the one before.
/// - The output has no control characters except line feeds and the tabs of the template.
/// - A template with an error is refused with the position of the first error.
struct Template: Sendable {
    enum Piece: Sendable {
        case text(String)
        case field(Function<TemplateJoke>, [Function<String>])
    }

    private let pieces: [Piece]

    /// - Throws: `ControlFailure` if the text is no template or has no field.
    init(_ text: String) throws(ControlFailure) {
        var parser = TemplateParser(text)
        pieces = try parser.pieces()
        let hasField = pieces.contains { if case .field = $0 { true } else { false } }
        if !hasField { throw .usage("the format has no field", hint: Self.fieldsHint) }
    }

    /// The text of the joke. O(text)
    func text(of joke: TemplateJoke) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .field(let field, let escapes):
                escapes.reduce(field.value(joke)) { text, escape in escape.value(text) }
            }
        }.joined()
    }
}

extension Template {
    /// A field or an escape.
    struct Function<Input>: Sendable {
        let name: String
        /// The value, as the help describes it.
        let meaning: String
        let value: @Sendable (Input) -> String

        init(_ name: String, _ meaning: String, _ value: @escaping @Sendable (Input) -> String) {
            (self.name, self.meaning, self.value) = (name, meaning, value)
        }
    }

    /// The fields. The value is empty if it is unknown.
    static let fields: [Function<TemplateJoke>] = [
        Function("setup", "The setup, or the whole joke if it has one part.") { $0.content.text.setup },
        Function("punchline", "The punchline, if the joke has two parts.") { $0.content.text.punchline ?? "" },
        Function("text", "The setup and the punchline, each on a line of its own.") { $0.content.text.whole },
        Function("id", "The joke ID.") { $0.id.rawValue },
        Function("source", "The name of the source.") { String($0.id.source) },
        Function("language", "The language tag, such as en; und if unknown.") { $0.content.language },
        Function("categories", "The categories, separated by commas.") {
            $0.content.categories.joined(separator: ", ")
        },
        Function("safety", "The rating: safe, unsafe or unknown.") { $0.content.safety.rawValue },
        Function("flags", "The content flags, such as nsfw, separated by commas.") {
            $0.content.flags.names.joined(separator: ", ")
        },
        Function("author", "The author.") { $0.content.details.author ?? "" },
        Function("url", "The web address of the joke.") { $0.content.details.url ?? "" },
        Function("date", "The date, as the source writes it.") { $0.content.details.date ?? "" },
        Function("note", "The note of a favorite, only with favorites and watch.") { $0.note ?? "" },
        Function("star", "A star, if the joke is a favorite.") { $0.isFavorite ? "★" : "" },
    ]

    /// The escapes for other programs. The input is clean text, or the result of another escape.
    static let escapes: [Function<String>] = [
        Function("sh", "One word for a shell, in quotes.") { "'\(escaped($0, by: shellEscapes))'" },
        Function("json", "A JSON string, in quotes.", jsonString),
        Function("line", "One line: each run of white space becomes one space.") { oneLine($0) },
        Function("pango", "Text for Pango markup, XML or HTML.") { pangoText($0) },
        Function("bar", "Text without the commands of polybar, lemonbar and tmux.", barText),
    ]
}

extension Template {
    static let fieldsHint = "Fields: \(fields.map { "{\($0.name)}" }.joined(separator: " "))"
    fileprivate static let escapesHint =
        "Escapes: \(escapes.map { ":\($0.name)" }.joined(separator: " ")), or several: {text:line:json}"
    fileprivate static let bracesHint = "Write a field as {setup}, and a literal brace as {{ or }}."
}

/// A backslash is also outside the quotes, because fish has escapes within them and a POSIX shell has none.
private let shellEscapes: [Unicode.Scalar: String] = ["'": #"'\''"#, "\\": #"'\\'"#]

/// The line feed is the only control character of clean text.
private let jsonEscapes: [Unicode.Scalar: String] = ["\"": #"\""#, "\\": #"\\"#, "\n": #"\n"#]

/// The text as a JSON string.
func jsonString(_ text: String) -> String { "\"\(escaped(text, by: jsonEscapes))\"" }

private let markupEscapes: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;",
]

/// The text as Pango markup, with more escapes.
func pangoText(_ text: String, escaping more: [Unicode.Scalar: String] = [:]) -> String {
    escaped(text, by: markupEscapes.merging(more) { $1 })
}

/// The text without commands for polybar and lemonbar (`%{A:…}`) and for tmux (`#[…]`, `#(…)`, `#{…}`, and names such as `#H`
/// of the host): a space separates the two characters. It also follows a last `%` or `#`, because a command may follow the
/// text. Doubled characters would not be safe: polybar and old lemonbars still read the command after `%%`.
private func barText(_ text: String) -> String {
    let openings = ["%": "{", "#": "[({DFHIPSTWh"] as [Unicode.Scalar: String]
    var separated = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        if let last = separated.last, openings[last]?.unicodeScalars.contains(scalar) == true { separated.append(" ") }
        separated.append(scalar)
    }
    if let last = separated.last, openings[last] != nil { separated.append(" ") }
    return String(separated)
}

/// The text with escapes in place of characters. Compares code points: a combining mark may follow a quote.
func escaped(_ text: String, by escapes: [Unicode.Scalar: String]) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        if let escape = escapes[scalar] { escaped += escape.unicodeScalars } else { escaped.append(scalar) }
    }
    return String(escaped)
}

// MARK: Parser

/// A parser of templates. It compares code points: a combining mark may follow a brace.
private struct TemplateParser {
    private let text: String.UnicodeScalarView
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) {
        self.text = text.unicodeScalars
        rest = self.text[...]
    }

    mutating func pieces() throws(ControlFailure) -> [Template.Piece] {
        var pieces: [Template.Piece] = []
        while let sign = rest.first {
            let position = rest.startIndex
            rest.removeFirst()
            switch sign {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                pieces.append(.text(String(sign)))
                rest.removeFirst()
            case "{": pieces.append(try inBraces(openedAt: position))
            case "}": throw error(position, hint: Template.bracesHint) { "the brace at \($0) closes no field" }
            case _ where sign.isControl && sign != "\t" && sign != "\n":
                throw error(position, hint: "Write {n} for a line feed, and {t} for a tab.") {
                    "\($0) is a control character"
                }
            default: pieces.append(.text(String(sign)))
            }
        }
        return pieces
    }

    /// Reads the content of braces, and the closing brace.
    private mutating func inBraces(openedAt position: String.Index) throws(ControlFailure) -> Template.Piece {
        let content = rest.prefix { $0 != "{" && $0 != "}" }
        guard content.endIndex < rest.endIndex, rest[content.endIndex] == "}" else {
            throw error(position, hint: Template.bracesHint) { "the brace at \($0) is not closed" }
        }
        rest = rest[rest.index(after: content.endIndex)...]
        let parts = content.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
        let (name, escapes) = (parts[0], parts.dropFirst())
        if let text = Self.characters[name] {
            if !escapes.isEmpty {
                throw error(position, hint: Template.escapesHint) { "'{\(name)}' at \($0) takes no escape" }
            }
            return .text(text)
        }
        guard let field = Template.fields.first(where: { $0.name == name }) else {
            let names = Template.fields.map(\.name) + ["n", "t"]
            let hint = nearMiss(of: name, among: names) { "{\($0)}" } ?? Template.fieldsHint
            throw error(position, hint: hint) { "unknown field '{\(name)}' at \($0)" }
        }
        return .field(field, try escapes.map { name throws(ControlFailure) in try escape(named: name, position) })
    }

    private func escape(named name: String, _ position: String.Index) throws(ControlFailure)
        -> Template.Function<String>
    {
        if let escape = Template.escapes.first(where: { $0.name == name }) { return escape }
        let names = Template.escapes.map(\.name)
        let hint = nearMiss(of: name, among: names) { ":\($0)" } ?? Template.escapesHint
        throw error(position, hint: hint) { "unknown escape ':\(name)' at \($0)" }
    }

    private static let characters = ["n": "\n", "t": "\t"]

    /// An error; the message has its position, such as `character 3 of the format`. For an error in braces, it is that of the
    /// opening brace.
    private func error(_ position: String.Index, hint: String, _ message: (String) -> String) -> ControlFailure {
        .usage(message("character \(String(text[..<position]).count + 1) of the format"), hint: hint)
    }
}

/// A joke or a favorite for a template. Its text is clean (`cleanText`).
struct TemplateJoke: Hashable, Sendable {
    var id: JokeID
    var content: JokeContent
    var isFavorite: Bool
    var note: String?

    init(_ joke: Joke) { (id, content, isFavorite) = (joke.id, joke.content, joke.isFavorite) }

    init(_ favorite: Favorite) {
        (id, content, isFavorite, note) = (favorite.id, favorite.content, true, favorite.note)
    }
}
