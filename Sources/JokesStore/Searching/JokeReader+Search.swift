import SQLite

extension JokeReader {
    /// A page of the jokes that are shown and that fit the query, best first, of equals the newest.
    ///
    /// What a query says is at `SearchQuery`; case and diacritics do not count. Without a word in it nothing is found.
    ///
    /// Jokes are ranked in stretches: the newest five hundred candidates (fewer where more than one
    /// word is searched for), then those before them. Within one the
    /// order is total and follows from the joke, the query and the cursor alone. So over the pages of a search each joke
    /// that fits is given once which was there, with the words it has, all the time: whatever came, went or was edited
    /// meanwhile. A joke that was edited between two pages stands where its new words belong, and one that came is given
    /// or not.
    ///
    /// The costs are those of a stretch, however many there are: some hundred nanoseconds for each candidate; more only
    /// where the words are common, and nearly never together.
    ///
    /// - Throws: `StoreError`; with `.wrongCursor` where the cursor is that of another query, or where so much more is
    ///   shown around its place than when it was made that a page would cost several: begin again.
    package func search(
        _ query: String, after cursor: SearchCursor? = nil, limit: Int
    ) throws(StoreError) -> Findings {
        try reading("search the jokes") {
            guard let query = try SearchQuery(query, splitter) else { return Findings() }
            if let cursor, cursor.commonness.count != query.wanted.count {
                throw StoreError(.wrongCursor, attempt: "continue the search", reason: "the search has changed")
            }
            var search = try JokeSearch(connection, splitter, query, after: cursor)
            return try search.page(limit: limit)
        }
    }
}
