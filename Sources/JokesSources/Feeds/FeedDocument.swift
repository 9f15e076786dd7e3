import FoundationEssentials
import JokesCore

/// What a feed of any format says, read but not believed.
struct FeedDocument {
    /// As many items of a document are read, the first ones, which are the newest: a bound on memory.
    static let mostItems = 20_000

    var title: String?
    var language: String?
    var items: [FeedItem] = []
    /// Items that could not be read at all.
    var refused = 0

    var isFull: Bool {
        items.count + refused >= Self.mostItems
    }

    /// Takes an item, or counts one that is none.
    mutating func take(_ item: FeedItem?) {
        if let item { items.append(item) } else { refused += 1 }
    }

    /// The items as jokes, and how many are none that can be read.
    ///
    /// Links are resolved against the URL that the document came from.
    func jokes(from url: String) -> (jokes: [FetchedJoke], refused: Int) {
        let headings = Set([title, commonTitle].compactMap { $0 })
        let jokes = items.compactMap { item in
            var item = item
            if let title = item.title, item.body != nil, headings.contains(title) { item.title = nil }
            return item.joke(language: language, base: url)
        }
        return (jokes, refused + items.count - jokes.count)
    }

    /// What more than half of the items are called, though they say different things: it belongs to no one joke.
    private var commonTitle: String? {
        var bodies: [String: Set<String>] = [:]
        for case let (title?, body?) in items.lazy.map({ ($0.title, $0.body) }) {
            bodies[title, default: []].insert(body)
        }
        return bodies.first { $0.value.count > max(1, items.count / 2) }?.key
    }
}

/// One item of a feed; its texts are clean, and no HTML.
struct FeedItem {
    var id: String?
    var title: String?
    var body: String?
    /// Both parts of the joke where the feed tells them apart; counts before title and body.
    var text: JokeText?
    var link: String?
    var author: String?
    /// RFC 3339.
    var date: String?
    var categories: [String] = []
    var language: String?
    var flags: [String] = []
    var safety: Safety?

    /// Nil where the item says nothing.
    func joke(language feedLanguage: String?, base: String) -> FetchedJoke? {
        guard let text = text ?? jokeText(title: title ?? "", body: body ?? "") else { return nil }
        return FetchedJoke(
            upstreamID: id, setup: text.setup, punchline: text.punchline, language: language ?? feedLanguage,
            categories: categories, flags: flags, safety: safety, url: link.flatMap { webAddress($0, base: base) },
            author: author, date: date)
    }
}

/// The joke that a title and a body make, both clean; nil where they are empty.
///
/// Feeds use titles in three ways. Where the body begins with the title's words, or is nothing but the beginning of the
/// title, one of them is the whole joke: an ellipsis at the end of the shorter one may have cut a word. Where the title
/// reads as a setup, which is a sentence of four words or more, or one that ends in a question mark, an ellipsis, a colon
/// or a comma, and the body is one paragraph of at most 280 characters, the title is the setup and the body the
/// punchline, as in Reddit's joke forums. Anything else is one text, the title above the body.
func jokeText(title: String, body: String) -> JokeText? {
    if body.isEmpty { return title.isEmpty ? nil : .single(title) }
    if title.isEmpty || begins(body, with: title) { return .single(body) }
    if begins(title, with: body) { return .single(title) }
    if readsAsSetup(title) && body.count <= 280 && !body.contains("\n\n") {
        return .twoPart(setup: title, punchline: body)
    }
    return .single("\(title)\n\n\(body)")
}

private func readsAsSetup(_ title: String) -> Bool {
    if let last = title.last, "?…:,".contains(last) || title.hasSuffix("...") { return true }
    return words(title).count >= 4
}

private func begins(_ text: String, with beginning: String) -> Bool {
    var beginningWords = words(beginning)
    let textWords = words(text)
    let isCutOff = beginning.hasSuffix("…") || beginning.hasSuffix("...")
    // What has no words, such as a row of dots, is no joke either.
    guard let last = beginningWords.popLast() else { return true }
    guard textWords.starts(with: beginningWords), textWords.count > beginningWords.count else { return false }
    let next = textWords[beginningWords.count]
    return next == last || isCutOff && next.hasPrefix(last)
}

/// The words in small letters, without what stands between them. Symbols, which may be all there is, are words too.
private func words(_ text: String) -> [String] {
    text.split { $0.isWhitespace || $0.isPunctuation }.map { $0.lowercased() }
}

/// The link as an absolute address of the web; nil where it is none.
func webAddress(_ link: String, base: String) -> String? {
    let link = link.trimmed
    guard !link.isEmpty, link.utf8.count <= 2048,
        let url = URL(string: link, relativeTo: URL(string: base))?.absoluteURL, let scheme = url.scheme?.lowercased(),
        scheme == "https" || scheme == "http", url.host()?.isEmpty == false
    else { return nil }
    return url.absoluteString
}

extension String {
    /// Without white space at its ends.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(
            start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)])
    }

    /// Nil where nothing is there.
    var nonEmpty: String? {
        isEmpty ? nil : self
    }
}

extension Normalizer {
    /// Bytes. Of a longer text no joke comes out, hence no work is spent on it.
    static let longestRawText = 4 * maximumBytes
}
