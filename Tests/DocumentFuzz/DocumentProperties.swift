import JSON
import JokesCore
import JokesExchange

/// A document breaks a property.
package struct BrokenDocumentProperty: Error {
    package let description: String
}

/// Reads any bytes as each kind of document, and checks that the results are bounded and clean.
package func checkDocument(_ bytes: [UInt8]) throws {
    for charset in [nil, "windows-1251", "shift_jis", "iso-2022-jp", "utf-16"] {
        let text = documentText(bytes, charset: charset)
        try demand(String(validating: text, as: UTF8.self) != nil, "\(charset ?? "no charset") gives invalid UTF-8")
    }
    let document = documentText(bytes, charset: nil)
    let link: LinkResolver = { link, base in base.map { $0 + link } }
    if let feed = Feed(xml: document, url: "http://feed.example/", resolve: link) {
        let (jokes, refused) = feed.jokes()
        try demand(jokes.count + refused <= 2_000, "\(jokes.count) jokes")
        try check(jokes, of: document)
    }
    if let root = try? JSONDocument(document, .structure).root, case (var feed, let items)? = try? Feed.json(root) {
        for item in items.elements.compactMap({ try? FeedItem($0, resolve: link) }) { feed.add(item) }
        try check(feed.jokes().jokes, of: document)
    }
    try check(FortuneFile(document).entries.compactMap(\.text).map { FortuneFile.joke($0) }, of: document)
}

private func check(_ jokes: [FetchedJoke], of document: [UInt8]) throws {
    var size = 0
    for joke in jokes {
        size += joke.setup.utf8.count + (joke.punchline?.utf8.count ?? 0)
        guard let content = try? Normalizer(source: "feed").normalize(joke).content else { continue }
        for text in [content.text.setup, content.text.punchline ?? ""] {
            let isClean = text.unicodeScalars.allSatisfy {
                $0 == "\n" || $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
            }
            try demand(isClean, "a control character in \(text.debugDescription)")
        }
    }
    // A reference may be a byte shorter than its text.
    try demand(size <= 2 * document.count + 1_000, "\(size) bytes from \(document.count)")
}

private func demand(_ isTrue: Bool, _ description: @autoclosure () -> String) throws {
    if !isTrue { throw BrokenDocumentProperty(description: description()) }
}
