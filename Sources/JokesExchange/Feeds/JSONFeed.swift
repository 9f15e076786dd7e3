package import JSON
import JokesCore

extension Feed {
    /// Reads a document in JSON Feed 1 or 1.1 (https://www.jsonfeed.org/version/1.1/), but not its items, and returns their
    /// list.
    ///
    /// An export of jokesd has more: the member `_jokesd` of each item has the joke in the format of jokesd (`JokeRecord`). Its
    /// `id`, `setup`, `punchline`, `flags` and `safety` take precedence over those of the item; only an import reads the
    /// others. All of them are optional. An item is refused if its `_jokesd` has another shape, because it may hold a
    /// warning.
    ///
    /// - Throws: `JSONError` if the document is not a JSON Feed of version 1.
    package static func json(_ root: JSONValue) throws(JSONError) -> (feed: Feed, items: JSONValue) {
        guard let version = root.optionalText("version"), isKnownVersion(version) else {
            throw JSONError(at: root, "not a JSON Feed of version 1")
        }
        guard let items = root.optionalMember("items") else { throw JSONError(at: root, "missing member 'items'") }
        guard items.kind == .array else { throw JSONError(at: items, "expected a list") }
        var feed = Feed()
        feed.next = root.optionalText("next_url")
        feed.language = root.optionalText("language")
        feed.title = root.optionalText("title").flatMap {
            $0.utf8.count <= Normalizer.maxRawBytes ? cleanText($0) : nil
        }
        return (feed, items)
    }

    /// Returns whether the text names version 1 or 1.1 of JSON Feed. Some servers write the number alone.
    package static func isKnownVersion(_ version: String) -> Bool {
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
        exported = ours
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
