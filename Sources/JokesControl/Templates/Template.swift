/// What a joke becomes where `--format` says how: words of whoever gave the command, and fields in braces.
///
///     {star} {id}{t}{text:line}
///
/// `{setup}` is a field of the joke, and `{setup:json}` the same by way of an escape; of several each takes what the one
/// before it made. `{n}` is a line feed, `{t}` a tab, `{{` and `}}` are braces, and everything else is itself. Pure.
///
/// The laws, which a test tries on thousands of jokes and templates:
///
/// 1. **Pieces.** What two templates side by side say is what the one says and, behind it, what the other says.
/// 2. **Words.** Words without braces come out as they stand.
/// 3. **Once.** What a field holds is not read again: a joke that says `{id}` comes out as that.
/// 4. **Back.** A shell that reads an `sh` has the field in one word, a parser of JSON that reads a `json` has it in one
///    string, a parser of XML that reads a `pango` has it in text, all of them whatever the joke says; a `line` has no
///    line feed, and the same words.
/// 5. **Order.** `{field:a:b}` is `b` of `a` of the field.
/// 6. **Harmless.** No control character comes out but line feeds, and the tabs of the template.
/// 7. **Refused.** A text with a mistake in it is refused, with the place of the first one: what stands before it has
///    none.
struct Template: Hashable, Sendable {
    enum Piece: Hashable, Sendable {
        case words(String)
        case field(Field, [Escape])
    }

    private let pieces: [Piece]

    /// Reads a template.
    ///
    /// - Throws: `TemplateError` where it is none, or has no field: every joke would come out as the same.
    init(_ text: String) throws(TemplateError) {
        var reading = TemplateReading(text)
        pieces = try reading.pieces()
        let tells = pieces.contains { if case .field = $0 { true } else { false } }
        if !tells { throw TemplateError(.noField, at: 1) }
    }

    /// What the joke becomes. O(text).
    func text(of joke: ToldJoke) -> String {
        pieces.map { piece in
            switch piece {
            case .words(let words): words
            case .field(let field, let escapes):
                escapes.reduce(joke[field]) { text, escape in escape.applied(to: text) }
            }
        }.joined()
    }
}

extension Template {
    /// What a template can tell of a joke, by the name that stands between the braces.
    enum Field: String, CaseIterable, Sendable {
        case setup, punchline
        /// The whole joke: the setup, and below it the punchline.
        case text
        case id, source, language
        /// Separated by commas and spaces, as are the flags.
        case categories
        case safety, flags, author, url
        /// As the upstream wrote it.
        case date
        /// What somebody wrote about a favorite; only a list of favorites knows it.
        case note
        /// A star where the joke is a favorite.
        case star
    }
}

extension Template {
    /// What is made of a field for whoever reads it. For clean text, which a field is, and what an escape made of it.
    enum Escape: String, CaseIterable, Sendable {
        /// One word of a POSIX shell, or of fish, in quotes.
        case sh
        /// A string of JSON, with its quotes.
        case json
        /// One line: all white space in a row is one space.
        case line
        /// Text in Pango's markup, or in XML.
        case pango

        func applied(to text: String) -> String {
            switch self {
            case .sh: "'\(escaped(text, by: shellEscapes))'"
            case .json: "\"\(escaped(text, by: jsonEscapes))\""
            case .line: oneLine(text)
            case .pango: pangoText(text)
            }
        }
    }
}

/// A backslash stands outside the quotes too: within them fish takes it for an escape, and a POSIX shell does not.
private let shellEscapes: [Unicode.Scalar: String] = ["'": #"'\''"#, "\\": #"'\\'"#]

/// The line feed is the only control character of clean text.
private let jsonEscapes: [Unicode.Scalar: String] = ["\"": #"\""#, "\\": #"\\"#, "\n": #"\n"#]

private let markupEscapes: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;",
]

/// The text where nothing in it is markup, and with more escapes.
func pangoText(_ text: String, escaping more: [Unicode.Scalar: String] = [:]) -> String {
    escaped(text, by: markupEscapes.merging(more) { $1 })
}

/// The words of the text, with one space between them.
func oneLine(_ text: String) -> String {
    text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }.joined(separator: " ")
}

/// By code points: a quote is one, whatever accents follow it.
private func escaped(_ text: String, by escapes: [Unicode.Scalar: String]) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        if let escape = escapes[scalar] {
            escaped += escape.unicodeScalars
        } else {
            escaped.append(scalar)
        }
    }
    return String(escaped)
}

// MARK: Reading

/// Reads a template from its first sign to its last.
///
/// By code points: a brace is one, whatever accents follow it.
private struct TemplateReading {
    private let text: String.UnicodeScalarView
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) {
        self.text = text.unicodeScalars
        rest = self.text[...]
    }

    mutating func pieces() throws(TemplateError) -> [Template.Piece] {
        var pieces: [Template.Piece] = []
        var words = String.UnicodeScalarView()
        func endWords() {
            if !words.isEmpty { pieces.append(.words(String(words))) }
            words = String.UnicodeScalarView()
        }
        while let sign = rest.first {
            let place = rest.startIndex
            rest.removeFirst()
            switch sign {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                words.append(sign)
                rest.removeFirst()
            case "{":
                switch try inBraces(openedAt: place) {
                case .words(let mark): words += mark.unicodeScalars
                case let field:
                    endWords()
                    pieces.append(field)
                }
            case "}": throw error(.closesNothing, place)
            default:
                if sign.isControl && sign != "\t" && sign != "\n" { throw error(.controlCharacter, place) }
                words.append(sign)
            }
        }
        endWords()
        return pieces
    }

    /// What stands between a brace that was read and the one that closes it.
    private mutating func inBraces(openedAt place: String.Index) throws(TemplateError) -> Template.Piece {
        let content = rest.prefix { $0 != "{" && $0 != "}" }
        guard content.endIndex < rest.endIndex, rest[content.endIndex] == "}" else { throw error(.notClosed, place) }
        rest = rest[rest.index(after: content.endIndex)...]
        let parts = content.split(separator: ":", omittingEmptySubsequences: false)
        let name = String(parts[0])
        let escapes = parts.dropFirst()
        if let mark = Self.marks[name] {
            if !escapes.isEmpty { throw error(.takesNoEscape(name), place) }
            return .words(mark)
        }
        guard let field = Template.Field(rawValue: name) else { throw error(.unknownField(name), place) }
        var known: [Template.Escape] = []
        for part in escapes {
            guard let escape = Template.Escape(rawValue: String(part)) else {
                throw error(.unknownEscape(String(part)), place)
            }
            known.append(escape)
        }
        return .field(field, known)
    }

    private static let marks = ["n": "\n", "t": "\t"]

    private func error(_ code: TemplateError.Code, _ place: String.Index) -> TemplateError {
        TemplateError(code, at: String(text[..<place]).count + 1)
    }
}
