/// Which of the jokes that are shown somebody asks for; all where nothing is said.
package struct JokeSelection: Hashable, Sendable {
    /// The name of the source.
    package var source: String?
    /// Whatever its case, in ASCII.
    package var category: String?
    /// A language, `en`, which admits `en-GB`.
    package var language: String?
    /// Characters in all parts.
    package var maxLength: Int?

    package init(source: String? = nil, category: String? = nil, language: String? = nil, maxLength: Int? = nil) {
        self.source = source
        self.category = category
        self.language = language
        self.maxLength = maxLength
    }

    // The conditions each have `AND` before them, and fixed numbers for their parameters: ?1 source, ?2 category,
    // ?3 language, ?4 maxLength. A statement made of them is given all four.

    /// The selection as conditions on a joke `j`.
    var conditions: String {
        var conditions = source == nil ? "" : " AND j.source = (SELECT key FROM sources WHERE name = ?1)"
        if maxLength != nil { conditions += " AND j.length <= ?4" }
        if category != nil {
            conditions += " AND EXISTS (SELECT 1 FROM joke_categories WHERE name = ?2 AND joke = j.key)"
        }
        if language != nil {
            conditions += " AND substr(lower(j.language) || '-', 1, length(?3) + 1) = lower(?3) || '-'"
        }
        return conditions
    }
}
