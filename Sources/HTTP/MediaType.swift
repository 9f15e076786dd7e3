/// A media type of a Content-Type header (RFC 9110, 8.3), read as leniently as browsers do.
package struct MediaType: Hashable, Sendable {
    /// Type and subtype in lower case: `application/json`. Empty if they are missing or malformed.
    package let essence: String
    /// The charset parameter in lower case; nil if it is missing or empty.
    package let charset: String?

    /// Reads the value of Content-Type. Of several types or charsets, the first counts.
    package init(_ text: String) {
        let parts = Self.parts(of: text.lowercased())
        let words = Self.words(of: parts.first ?? "")
        let names = words.first?.split(separator: "/", omittingEmptySubsequences: false) ?? []
        let isType = words.count == 1 && names.count == 2 && names.allSatisfy { isToken(String($0)) }
        essence = isType ? String(words[0]) : ""
        charset = parts.lazy.compactMap(Self.charset).first
    }

    /// `application/json`, `text/json` and every `+json`.
    package var isJSON: Bool { essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json") }

    /// Splits a text at semicolons, and at commas between types, but not inside of quotes.
    private static func parts(of text: String) -> [Substring] {
        var isQuoted = false
        return text.split { character in
            if character == "\"" { isQuoted.toggle() }
            return !isQuoted && (character == ";" || character == ",")
        }
    }

    /// Returns the charset of a parameter such as `charset = "utf-8"`.
    private static func charset(of parameter: Substring) -> String? {
        let sides = parameter.split(separator: "=", maxSplits: 1)
        guard sides.count == 2, words(of: sides[0]).last == "charset" else { return nil }
        return words(of: sides[1]).first.map { String($0) }
    }

    /// Some servers write single quotes, which are no quotes in HTTP, or leave out the closing quote.
    private static func words(of text: Substring) -> [Substring] {
        text.split { $0.isWhitespace || "\"';,".contains($0) }
    }
}
