/// An entry of the list `sources` in the configuration, as it is written: each property is the key of this name.
package struct SourceEntry: Hashable, Sendable, Encodable {
    package var name = ""
    package var type: String
    package var url: String?
    package var allowLocalNetwork: Bool?
    package var languages: [String]?
    package var language: String?
    package var safety: String?
    package var interval: String?
    package var rate: Rate?
    package var titles: String?

    // Keys of type `json`.
    package var strategy: String?
    package var size: Int?
    package var first: Int?
    /// JSON Pointers.
    package var pages, total, next, items: String?
    package var map: Fields?
    /// JSON Pointers.
    package var flags: [String]?
    package var html: String?

    package struct Rate: Hashable, Sendable, Encodable {
        package var requests: Int
        package var per: String

        package init(requests: Int, per: String) { (self.requests, self.per) = (requests, per) }
    }

    /// The JSON Pointers of a joke's fields.
    package struct Fields: Hashable, Sendable, Encodable {
        package var id, setup, punchline, text, language, categories, url, author, date, safe: String?

        package init(
            id: String? = nil, setup: String? = nil, punchline: String? = nil, text: String? = nil,
            language: String? = nil, categories: String? = nil, url: String? = nil, author: String? = nil,
            date: String? = nil, safe: String? = nil
        ) {
            (self.id, self.setup, self.punchline, self.text) = (id, setup, punchline, text)
            (self.language, self.categories, self.url) = (language, categories, url)
            (self.author, self.date, self.safe) = (author, date, safe)
        }
    }

    package init(
        _ kind: SourceKind, url: String? = nil, languages: [String]? = nil, language: String? = nil,
        interval: String? = nil, rate: Rate? = nil, strategy: JSONMapping.Strategy? = nil, items: String? = nil,
        map: Fields? = nil
    ) {
        type = kind.rawValue
        (self.url, self.languages, self.language) = (url, languages, language)
        (self.interval, self.rate, self.strategy) = (interval, rate, strategy?.rawValue)
        (self.items, self.map) = (items, map)
    }
}
