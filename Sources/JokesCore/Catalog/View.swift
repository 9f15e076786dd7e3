/// What a subscriber wants to see. Subscribers with equal views share one snapshot.
package struct View: Hashable, Sendable {
    /// What is searched for: section `searchResults` stands in the place of `jokes`. Nil for no search.
    package var query: String?
    /// Only these sections; all where nil.
    package var sections: Set<Section.ID>?
    /// So many jokes; the configured number where nil.
    package var size: Int?
    /// The sections of which only the header is shown.
    package var collapsed: Set<Section.ID>

    /// The largest size a view may ask for.
    package static let largestSize = 1000
    /// Bytes of a query; the cost of a search grows with its words.
    package static let longestQuery = 1000

    package init(
        query: String? = nil, sections: Set<Section.ID>? = nil, size: Int? = nil, collapsed: Set<Section.ID> = []
    ) {
        self.query = query
        self.sections = sections
        self.size = size
        self.collapsed = collapsed
    }

    /// Whether the section is shown where there is something for it.
    package func shows(_ section: Section.ID) -> Bool {
        switch section {
        case .jokes where query != nil, .searchResults where query == nil: false
        default: sections?.contains(section) ?? true
        }
    }

    /// Whether the rows of the section are shown, and not its header alone.
    package func showsItems(of section: Section.ID) -> Bool {
        shows(section) && !collapsed.contains(section)
    }

    /// The view that shows the same as this and is equal for all that do: without what makes no difference.
    package var canonical: View {
        let all: Set<Section.ID> = [.favoriteJokes, query == nil ? .jokes : .searchResults]
        let shown = all.filter(shows)
        // Of a search the size says how far is counted, too.
        let needsSize = showsItems(of: .jokes) || shows(.searchResults)
        return View(
            query: shows(.searchResults) ? query : nil,
            sections: shown == all ? nil : shown, size: needsSize ? size : nil,
            collapsed: collapsed.filter(shown.contains))
    }
}

/// What a search has found, as a view shows it.
package struct SearchResults: Hashable, Sendable {
    /// Best first; no joke is there twice.
    package var rows: [FoundJoke]
    /// How many there are.
    package var count: Int
    /// False where there are at least so many.
    package var isExact: Bool

    /// Nothing is found, unless it is said what.
    package init(rows: [FoundJoke] = [], count: Int = 0, isExact: Bool = true) {
        self.rows = rows
        self.count = count
        self.isExact = isExact
    }
}
