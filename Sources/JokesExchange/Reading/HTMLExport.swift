import JokesCore

/// Writes a web page for people that needs no other file. A script searches the page; all else works without it.
///
/// The page is HTML and also well-formed XML, so tests read it with two parsers. The policy in its head allows only the
/// style and the script of this program, by their hashes.
struct HTMLExport: ExportWriter {
    private let holdsJokes: Bool
    /// The section of the last joke; nil before the first one.
    private var section: String?
    /// The number of jokes so far.
    private var count = 0

    init(holdsJokes: Bool) { self.holdsJokes = holdsJokes }

    func begin() -> String {
        let title = holdsJokes ? "Jokes" : "Favorite jokes"
        let policy =
            "default-src 'none'; style-src \(hashSource(HTMLPage.style)); script-src \(hashSource(HTMLPage.script)); "
            + "base-uri 'none'; form-action 'none'"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta http-equiv="Content-Security-Policy" content="\(policy)"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta name="color-scheme" content="light dark"/>
            <meta name="referrer" content="no-referrer"/>
            <meta name="generator" content="jokesd \(jokesdVersion)"/>
            <title>\(title)</title>
            <style>\(HTMLPage.style)</style>
            </head>

            <body>
            <header>
            <h1>\(title)</h1>
            <div id="search" role="search" hidden="hidden">
            <input type="search" placeholder="Search" aria-label="Search the jokes" autocomplete="off"/>
            <output></output>
            </div>
            </header>
            <main>

            """
    }

    mutating func text(of record: ExchangeRecord) -> String {
        guard let joke = ReadableJoke(record) else { return "" }
        count += 1
        if joke.section == section { return article(joke) }
        let end = section == nil ? "" : "</section>\n"
        let title = holdsJokes ? "<h2>\(joke.section)</h2>\n" : ""
        section = joke.section
        return end + "<section>\n" + title + article(joke)
    }

    private func article(_ joke: ReadableJoke) -> String {
        let language = joke.language.map { " lang=\"\(markup($0))\"" } ?? ""
        func paragraph(_ name: String, _ text: String, _ attributes: String = "") -> String {
            let names = hasColumns(text) ? "\(name) columns" : name
            return "<p class=\"\(names)\" dir=\"auto\"\(attributes)>\(markup(text))</p>\n"
        }
        let source = markup(joke.source)
        let details = [
            joke.address.map { "<a href=\"\(markup($0))\">\(source)</a>" } ?? source,
            joke.author.map { "<bdi>\(markup($0))</bdi>" }, "<time datetime=\"\(joke.day)\">\(joke.dayInWords)</time>",
        ]
        return "<article>\n" + paragraph("setup", joke.text.setup, language)
            + (joke.text.punchline.map { paragraph("punchline", $0, language) } ?? "")
            + (joke.note.map { paragraph("note", $0) } ?? "")
            + "<footer>\(details.compactMap(\.self).joined(separator: " · "))</footer>\n</article>\n"
    }

    func end() -> String {
        let none = "<p>No \(holdsJokes ? "jokes" : "favorites") yet.</p>"
        return """
            \(section == nil ? none : "</section>")
            </main>
            <footer>\(counted(count, "joke")), collected with jokesd</footer>
            <script>\(HTMLPage.script)</script>
            </body>
            </html>

            """
    }
}

/// Returns whether the lines of a text are indented, as in a table or a drawing, which need a monospaced font.
private func hasColumns(_ text: String) -> Bool { "\n\(text)".contains("\n ") || text.contains("   ") }

/// Returns the text as the content of an element or an attribute. O(text)
func markup(_ text: String) -> String {
    var markup = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": markup += "&amp;"
        case "<": markup += "&lt;"
        case ">": markup += "&gt;"
        case "\"": markup += "&quot;"
        default: markup.unicodeScalars.append(scalar)
        }
    }
    return markup
}

/// Returns the source expression for an inline style or script in a Content Security Policy.
private func hashSource(_ text: String) -> String {
    "'sha256-\(base64(SHA256.digest(of: Array(text.utf8))))'"
}
