import JokesCore

/// A document in JSON Feed 1 or 1.1 (https://www.jsonfeed.org/version/1.1/).
///
/// What another jokesd exports carries more: each item has an object `_jokesd` with
///
/// - `id`: the joke's id there, which counts before the item's own;
/// - `setup` and, for a joke in two parts, `punchline`: plain text, which counts before title and content;
/// - `flags`: an array of the names nsfw, religious, political, racist, sexist, explicit;
/// - `safety`: safe, unsafe or unknown.
///
/// All of them may be left out. An item whose `_jokesd` has another shape is refused, for it may hold a warning.
struct JSONFeed: Decodable {
    let version: String
    let title: String?
    let language: String?
    /// Where older items are.
    let nextURL: String?
    let items: Items

    private enum CodingKeys: String, CodingKey {
        case version, title, language, items
        case nextURL = "next_url"
    }

    /// Whether it says that it is a JSON Feed, of a version whose fields we know.
    var isKnown: Bool {
        ["https://jsonfeed.org/version/1", "http://jsonfeed.org/version/1"].contains { start in
            version == start || version.hasPrefix(start + ".")
        }
    }

    var document: FeedDocument {
        FeedDocument(
            title: title.flatMap { $0.utf8.count <= Normalizer.longestRawText ? cleanText($0) : nil },
            language: language, items: items.elements.map(\.feedItem),
            refused: items.refused)
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        version = try fields.decode(String.self, forKey: .version)
        title = try? fields.decode(String.self, forKey: .title)
        language = try? fields.decode(String.self, forKey: .language)
        nextURL = try? fields.decode(String.self, forKey: .nextURL)
        items = try fields.decode(Items.self, forKey: .items)
    }

    /// The first items, as many as a document may have; those that are none are counted.
    struct Items: Decodable {
        private(set) var elements: [Item] = []
        private(set) var refused = 0

        private struct Anything: Decodable {
            init(from decoder: any Decoder) {}
        }

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd && elements.count + refused < FeedDocument.mostItems {
                if let item = try? list.decode(Item.self) {
                    elements.append(item)
                } else {
                    _ = try list.decode(Anything.self)
                    refused += 1
                }
            }
        }
    }
}

extension JSONFeed {
    struct Item: Decodable {
        let feedItem: FeedItem

        private enum CodingKeys: String, CodingKey {
            case id, title, url, author, authors, tags, language
            case contentText = "content_text"
            case contentHTML = "content_html"
            case externalURL = "external_url"
            case datePublished = "date_published"
            case dateModified = "date_modified"
            case jokesd = "_jokesd"
        }

        private struct Author: Decodable {
            let name: String?
        }

        private struct Extension: Decodable {
            let id: String?
            let setup: String?
            let punchline: String?
            let flags: [String]?
            let safety: String?
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            var item = FeedItem()
            item.id = Self.id(in: fields)
            item.title = try Self.text(.title, in: fields).map(cleanText)?.nonEmpty
            let html = try Self.text(.contentHTML, in: fields)
            let plain = try Self.text(.contentText, in: fields)
            item.body = plain.map(cleanText)?.nonEmpty ?? html.flatMap(feedText(ofHTML:))
            // What only adorns the joke is left out where it is not as it should be.
            item.link =
                (try? fields.decode(String.self, forKey: .url))
                ?? (try? fields.decode(String.self, forKey: .externalURL))
            item.author = Self.author(in: fields)
            item.categories = (try? fields.decode([String].self, forKey: .tags)) ?? []
            item.language = try? fields.decode(String.self, forKey: .language)
            let date =
                (try? fields.decode(String.self, forKey: .datePublished))
                ?? (try? fields.decode(String.self, forKey: .dateModified))
            item.date = date.flatMap(rfc3339Date)
            if let more = try fields.decodeIfPresent(Extension.self, forKey: .jokesd) { Self.add(more, to: &item) }
            feedItem = item
        }

        /// A text that is not too long to become a joke.
        private static func text(
            _ key: CodingKeys, in fields: KeyedDecodingContainer<CodingKeys>
        ) throws -> String? {
            let text = try fields.decodeIfPresent(String.self, forKey: key)
            if let text, text.utf8.count > Normalizer.longestRawText {
                throw DecodingError.dataCorruptedError(forKey: key, in: fields, debugDescription: "too long")
            }
            return text
        }

        /// The specification wants a text, and numbers happen.
        private static func id(in fields: KeyedDecodingContainer<CodingKeys>) -> String? {
            (try? fields.decode(String.self, forKey: .id))
                ?? (try? fields.decode(Int.self, forKey: .id)).map { "\($0)" }
        }

        private static func author(in fields: KeyedDecodingContainer<CodingKeys>) -> String? {
            let authors = (try? fields.decode([Author].self, forKey: .authors)) ?? []
            let names =
                authors.isEmpty ? [(try? fields.decode(Author.self, forKey: .author))?.name] : authors.map(\.name)
            return names.compactMap { $0?.trimmed.nonEmpty }.joined(separator: ", ").nonEmpty
        }

        private static func add(_ more: Extension, to item: inout FeedItem) {
            item.id = more.id ?? item.id
            item.flags = more.flags ?? []
            item.safety = more.safety.flatMap(Safety.init)
            if let setup = more.setup {
                item.text = more.punchline.map { .twoPart(setup: setup, punchline: $0) } ?? .single(setup)
            }
        }
    }
}
