package import JSON
import JokesCore

/// A document in JSON Feed 1 or 1.1 (https://www.jsonfeed.org/version/1.1/), whose items are read one by one.
///
/// An export of jokesd has more: each item has an object `_jokesd` with
///
/// - `id`: the joke's ID there, which takes precedence over the item's own;
/// - `setup` and, for a joke in two parts, `punchline`: plain text, which takes precedence over title and content;
/// - `flags`: an array of the names nsfw, religious, political, racist, sexist, explicit;
/// - `safety`: safe, unsafe or unknown;
/// - `firstSeen`, `favoritedAt` and `note`, which only an import reads, with `url` and `date` as the joke has them.
///
/// All of them are optional. An item is refused if its `_jokesd` has another shape, because it may hold a warning.
package struct JSONFeed: Sendable {
    /// The title and the language.
    package var feed = Feed()
    /// A list.
    package let items: JSONValue
    /// The link to the page with older items.
    package let next: String?

    /// Reads everything but the items.
    ///
    /// - Throws: `JSONError` if the document is not a JSON Feed of version 1.
    package init(_ root: JSONValue) throws(JSONError) {
        guard let version = root.optionalText("version"), Self.isKnown(version) else {
            throw JSONError(at: root, "not a JSON Feed of version 1")
        }
        guard let items = root.optionalMember("items") else { throw JSONError(at: root, "missing member 'items'") }
        guard items.kind == .array else { throw JSONError(at: items, "expected a list") }
        self.items = items
        next = root.optionalText("next_url")
        feed.language = root.optionalText("language")
        feed.title = root.optionalText("title").flatMap {
            $0.utf8.count <= Normalizer.maxRawBytes ? cleanText($0) : nil
        }
    }

    /// Returns whether the text names version 1 or 1.1. Some servers write the number alone.
    package static func isKnown(_ version: String) -> Bool {
        let number = version.split(separator: "jsonfeed.org/version/").last.map(String.init) ?? version
        return number == "1" || number.hasPrefix("1.")
    }
}

extension FeedItem {
    /// Reads an item. Throws if a text or `_jokesd` has another type; other fields are left out instead.
    package init(_ item: JSONValue, base: String? = nil, resolve: LinkResolver) throws(JSONError) {
        guard item.kind == .object else { throw JSONError(at: item, "expected an object") }
        // The specification requires a text, but some feeds have numbers.
        id = item.optionalText("id") ?? item.optionalMember("id")?.number.flatMap { Int($0) }.map { "\($0)" }
        // Titles are plain text, but many servers have references in them.
        title = try item.text("title", isHTML: false)?.resolvingReferences
        for (name, isHTML) in [("content_text", false), ("content_html", true), ("summary", false)] where body == nil {
            body = try item.text(name, isHTML: isHTML)
        }
        link = ["url", "external_url"].compactMap { item.optionalText($0) }.compactMap { resolve($0, base) }.first
        author = Self.author(of: item)
        categories = (try? item.optionalMember("tags")?.texts()) ?? []
        language = item.optionalText("language")
        date = (item.optionalText("date_published") ?? item.optionalText("date_modified")).flatMap(rfc3339Date)
        if let ours = try item.knownMember("_jokesd") { try add(ours) }
    }

    private static func author(of item: JSONValue) -> String? {
        let list = item.optionalMember("authors")?.elements.prefix(JSONPointer.maxValues).map(\.self) ?? []
        let authors = list.isEmpty ? [item.optionalMember("author")].compactMap(\.self) : list
        return authors.compactMap { $0.optionalText("name")?.trimmed.nonEmpty }.joined(separator: ", ").nonEmpty
    }

    private mutating func add(_ ours: JSONValue) throws(JSONError) {
        guard ours.kind == .object else { throw JSONError(at: ours, "expected an object") }
        flags = try ours.knownMember("flags")?.texts() ?? []
        safety = try ours.text("safety").flatMap(Safety.init)
        let punchline = try ours.text("punchline")
        if let setup = try ours.text("setup") {
            text = punchline.map { .twoPart(setup: setup, punchline: $0) } ?? .single(setup)
        }
        guard let known = try ours.text("id") else { return }
        id = known
        export = try JokeExport(ours, id: known)
    }
}

/// What an export of jokesd has beside the joke.
struct JokeExport: Sendable {
    let id: JokeID
    let firstSeen: Timestamp?
    let favoritedAt: Timestamp?
    let note: String?
    /// The date and the URL as the joke has them.
    let date: String?
    let url: String?

    init(_ ours: JSONValue, id: String) throws(JSONError) {
        self.id = JokeID(rawValue: id)
        firstSeen = try Self.time("firstSeen", of: ours)
        favoritedAt = try Self.time("favoritedAt", of: ours)
        note = try ours.text("note")
        date = try ours.text("date")
        url = try ours.text("url")
    }

    private static func time(_ name: String, of ours: JSONValue) throws(JSONError) -> Timestamp? {
        guard let value = try ours.knownMember(name), let text = try ours.text(name) else { return nil }
        guard let time = Timestamp(text) else {
            throw JSONError(at: value, "\(name): expected a time such as 2026-02-28T09:30:00Z")
        }
        return time
    }
}

extension JSONError {
    fileprivate init(at value: JSONValue, _ reason: String) { self.init(offset: value.offset, reason: reason) }
}

extension JSONValue {
    /// Returns the clean text of a member; nil if it is absent or empty.
    fileprivate func text(_ name: String, isHTML: Bool) throws(JSONError) -> String? {
        guard let raw = try text(name) else { return nil }
        let isLong = !isHTML && raw.utf8.count > Normalizer.maxRawBytes
        let clean: String?? = isHTML ? feedText(ofHTML: Array(raw.utf8)) : isLong ? .none : feedText(raw)
        guard let clean else { throw JSONError(at: self, "the text is longer than \(Normalizer.maxBytes) bytes") }
        return clean
    }
}
