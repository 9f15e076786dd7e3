import JSON
import JokesCore

/// A document in JSON Feed 1 or 1.1 (https://www.jsonfeed.org/version/1.1/), whose items are read in slices.
///
/// The export of a jokesd has more: each item has an object `_jokesd` with
///
/// - `id`: the joke's ID there, which takes precedence over the item's own;
/// - `setup` and, for a joke in two parts, `punchline`: plain text, which takes precedence over title and content;
/// - `flags`: an array of the names nsfw, religious, political, racist, sexist, explicit;
/// - `safety`: safe, unsafe or unknown.
///
/// All of them are optional. An item is refused if its `_jokesd` has another shape, because it may hold a warning.
struct JSONFeed {
    /// The document is not a JSON Feed.
    struct OtherShape: Error {}

    let version: String
    /// The URL of the page with older items.
    let nextURL: String?
    private let title: String?
    private let language: String?
    private let items: JSONValue
    /// The URL that relative links refer to.
    private let url: String

    init(_ root: JSONValue, from url: String) throws(OtherShape) {
        let fields = JSONFields(root)
        guard root.kind == .object, let version = fields.optionalText("version"), let items = fields.optional("items"),
            items.kind == .array
        else { throw OtherShape() }
        self.version = version
        self.items = items
        self.url = url
        nextURL = fields.optionalText("next_url")
        language = fields.optionalText("language")
        title = fields.optionalText("title").flatMap {
            $0.utf8.count <= Normalizer.longestRawText ? cleanText($0) : nil
        }
    }

    /// Whether the document says that it is a JSON Feed of a version whose fields we know.
    var isKnown: Bool {
        ["https://jsonfeed.org/version/1", "http://jsonfeed.org/version/1"].contains { start in
            version == start || version.hasPrefix(start + ".")
        }
    }

    /// Counts the jokes and the refused items. Lets other work on this thread go on after each slice.
    func examined() async throws(SourceError) -> (slices: JSONSlices<FetchedJoke>, jokes: Int, refused: Int) {
        var headings = FeedHeadings(feedTitle: title)
        var slices = JSONSlices(items, count: JSONPage.maxJokes) { try? FeedItem($0) }
        var (jokes, items) = (0, 0)
        while let slice = slices.next() {
            for item in slice { headings.count(item) }
            items += slice.count
            jokes += slice.count { $0.joke(language: language, base: url) != nil }
            if Task.isCancelled { throw SourceError(.cancelled, "reading \(url) was canceled") }
            await Task.yield()
        }
        let all = JSONSlices(self.items, count: jokes) { [headings, language, url] item in
            (try? FeedItem(item)).flatMap { headings.without($0).joke(language: language, base: url) }
        }
        return (all, jokes, slices.refused + items - jokes)
    }
}

extension FeedItem {
    /// Reads an item.
    ///
    /// - Throws: `JSONFields.WrongType` if the text or `_jokesd` has another type. A field that is no part of the joke is left
    ///   out instead.
    fileprivate init(_ value: JSONValue) throws(JSONFields.WrongType) {
        guard value.kind == .object else { throw JSONFields.WrongType() }
        let fields = JSONFields(value)
        // The specification requires a text, but some feeds have numbers.
        id = fields.optionalText("id") ?? fields.optional("id")?.number.flatMap { Int($0) }.map { "\($0)" }
        title = try Self.text("title", in: fields).map(cleanText)?.nonEmpty
        let html = try Self.text("content_html", in: fields)
        let plain = try Self.text("content_text", in: fields)
        body = plain.map(cleanText)?.nonEmpty ?? html.flatMap(feedText(ofHTML:))
        link = fields.optionalText("url") ?? fields.optionalText("external_url")
        author = Self.author(in: fields)
        categories = (try? fields.texts("tags")) ?? []
        language = fields.optionalText("language")
        date = (fields.optionalText("date_published") ?? fields.optionalText("date_modified")).flatMap(rfc3339Date)
        if let more = try fields.value("_jokesd") { try add(more) }
    }

    /// A text that is not too long to become a joke.
    private static func text(_ name: String, in fields: JSONFields) throws(JSONFields.WrongType) -> String? {
        let text = try fields.text(name)
        if let text, text.utf8.count > Normalizer.longestRawText { throw JSONFields.WrongType() }
        return text
    }

    private static func author(in fields: JSONFields) -> String? {
        var authors: [String?] = []
        if let list = fields.optional("authors") {
            authors = list.elements.prefix(JSONPointer.maxValues).map { JSONFields($0).optionalText("name") }
        }
        if authors.isEmpty { authors = [fields.optional("author").flatMap { JSONFields($0).optionalText("name") }] }
        return authors.compactMap { $0?.trimmed.nonEmpty }.joined(separator: ", ").nonEmpty
    }

    private mutating func add(_ more: JSONValue) throws(JSONFields.WrongType) {
        guard more.kind == .object else { throw JSONFields.WrongType() }
        let fields = JSONFields(more)
        id = try fields.text("id") ?? id
        flags = try fields.texts("flags")
        safety = try fields.text("safety").flatMap(Safety.init)
        let punchline = try fields.text("punchline")
        if let setup = try fields.text("setup") {
            text = punchline.map { .twoPart(setup: setup, punchline: $0) } ?? .single(setup)
        }
    }
}

/// The members of a JSON object by name. A member that is null counts as absent.
private struct JSONFields {
    /// A member has another type than expected, or occurs twice.
    struct WrongType: Error {}

    private let object: JSONValue

    init(_ object: JSONValue) {
        self.object = object
    }

    func value(_ name: String) throws(WrongType) -> JSONValue? {
        do throws(JSONPointer.Unclear) {
            return try object.uniqueMember(name).flatMap { $0.isNull ? nil : $0 }
        } catch {
            throw WrongType()
        }
    }

    func text(_ name: String) throws(WrongType) -> String? {
        guard let value = try value(name) else { return nil }
        guard let text = value.string else { throw WrongType() }
        return text
    }

    /// The texts of a list; none if it is absent.
    func texts(_ name: String) throws(WrongType) -> [String] {
        guard let value = try value(name) else { return [] }
        guard value.kind == .array else { throw WrongType() }
        var texts: [String] = []
        for element in value.elements {
            guard let text = element.string, texts.count < JSONPointer.maxValues else { throw WrongType() }
            texts.append(text)
        }
        return texts
    }

    /// The value, or nil if it is absent or occurs twice.
    func optional(_ name: String) -> JSONValue? {
        try? value(name)
    }

    /// The text, or nil if it is absent or has another type.
    func optionalText(_ name: String) -> String? {
        try? text(name)
    }
}
