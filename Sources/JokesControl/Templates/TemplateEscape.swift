extension Template {
    /// What is made of a field for whoever reads it. For harmless text, which a field is, and what an escape made of it.
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

/// Of what is in harmless text, the line feed is the only control character.
private let jsonEscapes: [Unicode.Scalar: String] = ["\"": #"\""#, "\\": #"\\"#, "\n": #"\n"#]

private let markupEscapes: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;",
]

/// The text where nothing in it is markup.
func pangoText(_ text: String) -> String {
    escaped(text, by: markupEscapes)
}

private func oneLine(_ text: String) -> String {
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
