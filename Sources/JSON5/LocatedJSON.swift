import TextLayout

/// A JSON5 value with its line, for messages.
package struct LocatedJSON: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array([LocatedJSON])
        /// In the order of the file; a key that is there twice is kept twice.
        case object([Member])
    }

    /// A key of an object and its value.
    package struct Member: Hashable, Sendable {
        package let key: String
        /// The line of the key, from 1.
        package let line: Int
        package let value: LocatedJSON
    }

    /// The line that the value begins in, from 1.
    package let line: Int
    package let value: Value
}

extension LocatedJSON {
    /// Returns the first value of a key; nil if this is not an object or has no such key.
    package subscript(key: String) -> LocatedJSON? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The value as a complaint quotes it: one line, nothing in it that a terminal would obey.
    package var quoted: String {
        switch value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
        case .string(let text): quote(text)
        case .array: "a list"
        case .object: "an object"
        }
    }
}

/// Returns an unexpected word for a message. A long word is not quoted, because it may be a secret without quotes.
func quoteUnlessLong(_ word: String) -> String {
    word.unicodeScalars.count <= 8 ? quote(word) : "the value"
}

/// The text in single quotes, shortened, and with everything escaped that is not plainly visible.
package func quote(_ text: String) -> String {
    let shown = text.prefix(60)
    let escaped = shown.unicodeScalars.map { scalar in
        switch scalar {
        case "'": "\\'"
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\t": "\\t"
        case _ where scalar.isPlain: String(scalar)
        default: "\\u{\(String(scalar.value, radix: 16))}"
        }
    }
    return "'\(escaped.joined())\(shown.endIndex < text.endIndex ? "…" : "")'"
}

/// The word that was likely meant, or the words to choose from, as the end of an error message.
package func suggestion(for word: String, among words: [String]) -> String {
    if let meant = nearest(to: word, among: words) { return ": did you mean \(quote(meant))?" }
    return ": use one of " + words.sorted().joined(separator: ", ")
}

extension Unicode.Scalar {
    /// False for control and format characters (ESC, U+202E), line ends and what stands for no character.
    fileprivate var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
