/// A selection of the jokes that are shown; all of them if nothing is set.
package struct JokeSelection: Hashable, Sendable {
    /// The name of the source.
    package var source: String?
    /// Case-insensitive in ASCII.
    package var category: String?
    /// A language tag, or its beginning: `en` also selects `en-GB`.
    package var language: String?
    /// The maximum number of characters in all parts.
    package var maxLength: Int?

    package init(source: String? = nil, category: String? = nil, language: String? = nil, maxLength: Int? = nil) {
        self.source = source
        self.category = category
        self.language = language
        self.maxLength = maxLength
    }

    /// The selection as SQL conditions on a group `g`, each after an `AND`.
    ///
    /// Parameters: ?1 source, ?2 category, ?3 language, ?4 maxLength. A statement must bind all four.
    var conditions: String {
        var conditions = source == nil ? "" : " AND g.source = (SELECT key FROM sources WHERE name = ?1)"
        if maxLength != nil { conditions += " AND g.length <= ?4" }
        if category != nil {
            conditions += " AND EXISTS (SELECT 1 FROM shown_categories WHERE name = ?2 AND joke = g.shown)"
        }
        if language != nil { conditions += " AND substr(g.language || '-', 1, length(?3) + 1) = lower(?3) || '-'" }
        return conditions
    }
}
