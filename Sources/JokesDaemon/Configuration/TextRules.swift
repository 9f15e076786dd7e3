import JSON5
import JokesCore

extension Rule where Value == String {
    /// The name of a source, except for the reserved name of the bundled jokes.
    static var sourceName: Rule {
        text.unless { name, value in
            guard SourceConfiguration.isName(name) else {
                return "invalid name \(value.quoted): use 1 to 32 characters of a-z, 0-9 and -"
            }
            return name == StarterJokes.source ? "name \(value.quoted) is reserved for the bundled jokes" : nil
        }
    }

    /// An http or https URL. Messages do not quote it, because it may have a token.
    static var url: Rule {
        text.unless { url, _ in
            let rest = ["https://", "http://"].first(where: url.hasPrefix).map { url.dropFirst($0.count) }
            let isAddress = rest?.first.map { $0 != "/" } ?? false
            return isAddress && url.utf8.allSatisfy(\.isGraphic) ? nil : "expected an http or https URL"
        }
    }

    static var path: Rule {
        text.unless { path, value in
            let isPath = path.hasPrefix("/") && !path.utf8.contains(0)
            return isPath ? nil : "expected an absolute path, found \(value.quoted)"
        }
    }

    /// A text for a comment in a header.
    static var headerText: Rule {
        text.unless { text, value in
            let fits = text.utf8.count <= 200 && text.utf8.allSatisfy { $0 == 0x20 || $0.isGraphic }
            let hasMarks = text.contains { "()\\".contains($0) }
            return fits && !hasMarks
                ? nil : "invalid text \(value.quoted): use at most 200 printable ASCII characters, without (, ) and \\"
        }
    }

    /// A BCP 47 tag, in its usual case.
    static var language: Rule {
        Rule("a language such as en, de or pt-BR") {
            if case .string(let text) = $0 { languageTag(text) } else { nil }
        }
    }

    /// A category of the source.
    static var category: Rule {
        text.unless { category, value in
            let isCategory =
                (1...64).contains(category.utf8.count)
                && category.allSatisfy { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
                && category.contains { $0 != " " }
            return isCategory
                ? nil : "invalid category \(value.quoted): use 1 to 64 letters, digits, spaces, - and _"
        }
    }

    static var flag: Rule {
        word("flag", of: JokeFlags.named.map(\.name))
    }

    /// A word as the filter compares words, without spaces or punctuation.
    static var singleWord: Rule {
        text.unless { word, value in
            let isWord = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber }
            return isWord ? nil : "expected one word of letters and digits, found \(value.quoted)"
        }
    }
}

extension UInt8 {
    /// Whether it is printable ASCII other than the space.
    var isGraphic: Bool {
        (0x21...0x7E).contains(self)
    }
}
