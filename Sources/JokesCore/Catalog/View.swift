/// The selection of a subscriber, also as `type View` of the interface. Subscribers with equal views share one
/// snapshot.
package struct View: Hashable, Sendable {
    /// The query: section `searchResults` replaces `jokes`. Nil for no search.
    package var query: String?
    /// The jokes to show; favorites, jokes and results.
    package var selection: JokeSelection
    /// The sections to show; nil for all.
    package var sections: Set<Section.ID>?
    /// The number of jokes; nil for the configured number.
    package var size: Int?
    /// The number of jokes to skip. Fewer are skipped near the end of the list, so that `size` jokes remain.
    package var start: Int

    /// The maximum size of a view.
    package static let maxSize = 1000
    /// The maximum length of a query in bytes, because each word of a search takes time.
    package static let maxQueryBytes = 1000

    package init(
        query: String? = nil, selection: JokeSelection = JokeSelection(), sections: Set<Section.ID>? = nil,
        size: Int? = nil, start: Int = 0
    ) {
        (self.query, self.selection, self.sections) = (query, selection, sections)
        (self.size, self.start) = (size, start)
    }

    /// True if the jokes of the view must be read for this view alone: it has a query, a selection or a start.
    package var isSelective: Bool {
        shows(.searchResults) || shows(.jokes) && (!selection.isEmpty || start > 0)
    }

    /// Returns whether the section is shown if it has content.
    package func shows(_ section: Section.ID) -> Bool {
        switch section {
        case .jokes where query != nil, .searchResults where query == nil: false
        default: sections?.contains(section) ?? true
        }
    }

    /// The view without properties that have no effect, so that views with the same content are equal.
    package var canonical: View {
        let all: Set<Section.ID> = [.favoriteJokes, query == nil ? .jokes : .searchResults]
        let shown = all.filter(shows)
        // The size also limits the counting of a search.
        let needsSize = shows(.jokes) || shows(.searchResults)
        return View(
            query: shows(.searchResults) ? query : nil, selection: selection,
            sections: shown == all ? nil : shown, size: needsSize ? size : nil, start: needsSize ? start : 0)
    }
}

/// The members of the selection are members of the view.
extension View: Codable {
    private enum CodingKeys: String, CodingKey { case query, sections, size, start }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        query = try members.decodeIfPresent(String.self, forKey: .query)
        selection = try JokeSelection(from: decoder)
        let names = try members.decodeIfPresent([String].self, forKey: .sections)
        sections = names.map { Set($0.map(Section.ID.init(rawValue:))) }
        size = try members.decodeIfPresent(Int.self, forKey: .size)
        start = try members.decodeIfPresent(Int.self, forKey: .start) ?? 0
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(query, forKey: .query)
        try members.encodeIfPresent(sections?.map(\.rawValue).sorted(), forKey: .sections)
        try members.encodeIfPresent(size, forKey: .size)
        if start != 0 { try members.encode(start, forKey: .start) }
        try selection.encode(to: encoder)
    }
}

/// The jokes of a view with a query, a selection or a start.
package struct SearchResults: Hashable, Sendable {
    /// The newest joke first, without duplicates.
    package var rows: [FoundJoke]
    package var count: Int
    /// True if `count` is exact; otherwise it is a minimum.
    package var isExact: Bool
    /// The number of jokes before the first row.
    package var start: Int

    package init(rows: [FoundJoke] = [], count: Int = 0, isExact: Bool = true, start: Int = 0) {
        (self.rows, self.count, self.isExact, self.start) = (rows, count, isExact, start)
    }
}
