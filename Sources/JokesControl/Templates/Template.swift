import CommandLineTools
import JokesCore

/// A template of `--format`: text with fields in braces, such as
///
///     {star} {id}{t}{text:line}
///
/// Decision record 0016 has the properties, and a test checks them.
struct Template: Hashable, Sendable {
    enum Piece: Hashable, Sendable {
        case text(String)
        case field(Field, [Escape])
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
                escapes.reduce(joke[field]) { text, escape in escape.applied(to: text) }
            }
        }.joined()
    }
}

extension Template {
    /// The fields of a template; `meaning` describes them.
    enum Field: String, CaseIterable, Sendable {
        case setup, punchline, text, id, source, language, categories, safety, flags, author, url, date, note, star
    }

    /// An escape for another program. The input is clean text, or the result of another escape.
    enum Escape: String, CaseIterable, Sendable {
        case sh, json, line, pango, bar

        func applied(to text: String) -> String {
            switch self {
            case .sh: "'\(escaped(text, by: shellEscapes))'"
            case .json: "\"\(escaped(text, by: jsonEscapes))\""
            case .line: oneLine(text)
            case .pango: pangoText(text)
            case .bar: barText(text)
            }
        }
    }
}

extension Template {
    static let fieldsHint = "Fields: \(Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " "))"
    fileprivate static let escapesHint =
        "Escapes: \(Escape.allCases.map { ":\($0.rawValue)" }.joined(separator: " ")), or several: {text:line:json}"
    fileprivate static let bracesHint = "Write a field as {setup}, and a literal brace as {{ or }}."
}

/// A backslash is also outside the quotes, because fish has escapes within them and a POSIX shell has none.
private let shellEscapes: [Unicode.Scalar: String] = ["'": #"'\''"#, "\\": #"'\\'"#]

/// The line feed is the only control character of clean text.
private let jsonEscapes: [Unicode.Scalar: String] = ["\"": #"\""#, "\\": #"\\"#, "\n": #"\n"#]

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
        guard let field = Template.Field(rawValue: name) else {
            let names = Template.Field.allCases.map(\.rawValue) + ["n", "t"]
            let hint = nearMiss(of: name, among: names) { "{\($0)}" } ?? Template.fieldsHint
            throw error(position, hint: hint) { "unknown field '{\(name)}' at \($0)" }
        }
        return .field(field, try escapes.map { name throws(ControlFailure) in try escape(named: name, position) })
    }

    private func escape(named name: String, _ position: String.Index) throws(ControlFailure) -> Template.Escape {
        if let escape = Template.Escape(rawValue: name) { return escape }
        let names = Template.Escape.allCases.map(\.rawValue)
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

    /// The value of a field; empty if unknown.
    subscript(field: Template.Field) -> String {
        switch field {
        case .setup: content.text.setup
        case .punchline: content.text.punchline ?? ""
        case .text: content.text.whole
        case .id: id.rawValue
        case .source: String(id.source)
        case .language: content.language
        case .categories: content.categories.joined(separator: ", ")
        case .safety: content.safety.rawValue
        case .flags: content.flags.names.joined(separator: ", ")
        case .author: content.details.author ?? ""
        case .url: content.details.url ?? ""
        case .date: content.details.date ?? ""
        case .note: note ?? ""
        case .star: isFavorite ? "★" : ""
        }
    }
}
