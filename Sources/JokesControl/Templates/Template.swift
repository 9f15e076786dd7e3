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
/// 6. **Harmless.** Nothing comes out that `harmless(_:)` would take away, but the tabs of the template.
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
                escapes.reduce(harmless(joke[field])) { text, escape in escape.applied(to: text) }
            }
        }.joined()
    }
}
