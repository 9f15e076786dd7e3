import JokesCore
import TestSupport

@testable import JokesControl

extension SplitMix64 {
    /// Text that templates, shells, JSON, markup or terminals could interpret.
    private static let pieces = [
        "'", "\"", "\\", "`", "$(id)", "$HOME", "!", "%s", "\\0", "&", "<b>", "&amp;", "]]>", "{", "}", "{id}", "{{",
        "}}", ":sh",
        "\n", "\n\n", " ", "  ", "\t", "\u{1B}[31m", "\u{7}", "\0", "\r", "\u{9B}", "\u{85}", "\u{202E}", "\u{2066}",
        "\u{2028}",
        "\u{301}", "é", "ß", "🦆", "👩‍👩‍👧", "字", "\u{A0}", "-n", "#", ";", "|", "duck", "Goose", "7", "/", "*", "~",
    ]

    mutating func text(_ size: Int) -> String {
        (0..<int(in: 0..<size + 1)).map { _ in Self.pieces.randomElement(using: &self) ?? "" }.joined()
    }

    /// Text that a template can have outside of fields: no braces, and no refused characters.
    mutating func words(_ size: Int) -> String {
        let scalars = text(size).unicodeScalars.filter { scalar in
            scalar == "\n" || (!scalar.isControl && scalar != "{" && scalar != "}")
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Clean text, as the daemon sends it.
    mutating func cleanText(_ size: Int) -> String {
        JokesCore.cleanText(text(size))
    }

    /// A joke or a favorite with clean text.
    mutating func joke(_ size: Int) -> TemplateJoke {
        let text: JokeText =
            chance(1, in: 2) ? .single(cleanText(size)) : .twoPart(setup: cleanText(size), punchline: cleanText(size))
        var content = JokeContent(text: text, language: chance(1, in: 2) ? "en" : cleanText(2))
        content.categories = (0..<int(in: 0..<3)).map { _ in cleanText(3) }
        content.flags = JokeFlags(rawValue: UInt8(int(in: 0..<64)))
        content.safety = Safety.allCases.randomElement(using: &self) ?? .safe
        content.details.author = chance(1, in: 2) ? cleanText(4) : nil
        content.details.url = chance(1, in: 2) ? cleanText(4) : nil
        content.details.date = chance(1, in: 2) ? cleanText(4) : nil
        let id = JokeID(source: "test", upstream: cleanText(3))
        let time = Timestamp(microseconds: 0)
        if chance(1, in: 2) {
            return TemplateJoke(Joke(id: id, content: content, isFavorite: chance(1, in: 2), firstSeen: time))
        }
        return TemplateJoke(Favorite(id: id, content: content, favoritedAt: time, note: cleanText(4)))
    }

    mutating func field() -> String {
        let field = Template.fields.randomElement(using: &self)?.name ?? ""
        let escapes = (0..<int(in: 0..<3)).map { _ in Template.escapes.randomElement(using: &self)?.name ?? "" }
        return "{" + ([field] + escapes).joined(separator: ":") + "}"
    }

    /// The pieces of a template with at least one field.
    mutating func template(_ size: Int) -> [String] {
        let pieces = (0..<int(in: 0..<size + 1)).map { _ in
            switch int(in: 0..<6) {
            case 0: "{{"
            case 1: "}}"
            case 2: "{n}"
            case 3: "{t}"
            case 4: words(3)
            default: field()
            }
        }
        return pieces + [field()]
    }
}

/// A joke, and two templates in pieces.
struct TemplateCase {
    var joke: TemplateJoke
    var pieces: [String]
    var more: [String]

    static func make(_ random: inout SplitMix64, _ size: Int) -> TemplateCase {
        TemplateCase(joke: random.joke(size), pieces: random.template(size), more: random.template(size))
    }

    /// The same case with one piece of the first template removed.
    var simpler: [TemplateCase] {
        (0..<pieces.count).map { index in
            var simpler = self
            simpler.pieces.remove(at: index)
            return simpler
        }.filter { (try? Template($0.pieces.joined())) != nil }
    }
}
