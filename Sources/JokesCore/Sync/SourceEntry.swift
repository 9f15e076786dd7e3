/// An entry of the list `sources` in the configuration, as it is written: each property is the key of this name.
package struct SourceEntry: Hashable, Sendable, Encodable {
    package var name = ""
    package var type: String
    package var url: String?
    package var path: String?
    package var headers: [String: String]?
    package var auth: String?
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
    /// The JSON Pointers of a joke's fields.
    package var map: FieldTable<String>?
    /// JSON Pointers.
    package var flags: [String]?
    package var html: String?

    package struct Rate: Hashable, Sendable, Encodable {
        package var requests: Int
        package var per: String

        package init(requests: Int, per: String) { (self.requests, self.per) = (requests, per) }
    }

    package init(
        _ kind: SourceKind, url: String? = nil, languages: [String]? = nil, language: String? = nil,
        interval: String? = nil, rate: Rate? = nil, strategy: JSONMapping.Strategy? = nil, items: String? = nil,
        map: FieldTable<String>? = nil
    ) {
        type = kind.rawValue
        (self.url, self.languages, self.language) = (url, languages, language)
        (self.interval, self.rate, self.strategy) = (interval, rate, strategy?.rawValue)
        (self.items, self.map) = (items, map)
    }
}
