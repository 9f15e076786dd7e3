import Diffable
import JokesCore
import TestSupport
import Testing

/// The properties of views, for any state and any view:
///
/// 1. With a query, section `searchResults` replaces `jokes`; without a query, it is absent.
/// 2. Only the sections of the view are shown, and they are equal to those of the view of all sections.
/// 3. A view has the same content as its `canonical` view.
/// 4. There are at most `size` jokes or results.
/// 5. The header has the number of jokes before the first one, and loading rows are only at the top of the list.
@Suite struct ViewTests {
    private struct Sample: CustomStringConvertible {
        var catalog: Catalog
        var favorites: [Favorite]
        var found: SearchResults
        var view: View

        var description: String { "\(view)" }

        func snapshot(_ view: View) throws -> JokeSnapshot {
            var catalog = catalog
            try catalog.setFavorites(favorites)
            return try catalog.snapshot(for: view, found: view.isSelective ? found : SearchResults())
        }
    }

    private func sample(_ random: inout SplitMix64, size: Int) -> Sample {
        var catalog = Catalog(settings: FeedSettings(size: random.int(in: 1..<6), placeholders: random.int(in: 0..<3)))
        let count = random.int(in: 0..<size + 1)
        (catalog.newest, catalog.shown) = ((0..<count).map(joke), count)
        let favorites = (0..<random.int(in: 0..<4)).map(favorite)
        if random.chance(1, in: 3) { catalog.syncing = ["slow"] }
        let rows = (0..<random.int(in: 0..<size + 1)).map { FoundJoke(joke: joke($0), marks: []) }
        let view = randomView(&random)
        let start = min(view.start, random.int(in: 0..<9))
        let found = SearchResults(
            rows: rows, count: start + rows.count, isExact: random.chance(1, in: 2), start: start)
        return Sample(catalog: catalog, favorites: favorites, found: found, view: view)
    }

    private func randomView(_ random: inout SplitMix64) -> View {
        let all = Section.ID.allCases
        return View(
            query: random.chance(1, in: 2) ? "duck" : nil,
            sections: random.chance(1, in: 2) ? Set(all.filter { _ in random.chance(1, in: 2) }) : nil,
            size: random.chance(1, in: 2) ? random.int(in: 1..<9) : nil,
            start: random.chance(1, in: 2) ? random.int(in: 0..<9) : 0)
    }

    @Test("a view has its sections with their rows, and its number of jokes")
    func properties() throws {
        try checkProperty("views", cases: 1000, maxSize: 12, generate: sample) { sample in
            let (view, snapshot) = (sample.view, try sample.snapshot(sample.view))
            let hasStart = view.shows(.jokes) || view.shows(.searchResults)
            let everything = try sample.snapshot(
                View(query: view.query, size: view.size, start: hasStart ? view.start : 0))
            try verify(!snapshot.containsSection(view.query == nil ? .searchResults : .jokes), "both kinds of jokes")
            for section in Section.ID.allCases {
                let isShown = everything.containsSection(section) && view.sections?.contains(section) ?? true
                try verify(snapshot.containsSection(section) == isShown, "\(section) should be shown or hidden")
                try verify(
                    !isShown || snapshot.section(for: section) == everything.section(for: section), "another header")
                let rows = snapshot[section]
                try verify(Array(rows) == (isShown ? Array(everything[section]) : []), "other rows of \(section)")
                if section == .favoriteJokes { continue }
                let jokes = rows.count { if case .loading = $0 { false } else { true } }
                let start = view.isSelective ? sample.found.start : 0
                try verify(!isShown || snapshot.section(for: section)?.start == start, "another start")
                try verify(start == 0 || jokes == rows.count, "loading rows in the middle of the list")
                try verify(view.size.map { jokes <= $0 } ?? true, "\(jokes) rows in \(section)")
            }
        }
    }

    @Test("a view has the content of its canonical view, which is equal for views with the same content")
    func canonical() throws {
        try checkProperty("canonical views", cases: 1000, maxSize: 12, generate: sample) { sample in
            let canonical = sample.view.canonical
            try verify(canonical.canonical == canonical, "\(canonical) has another canonical view")
            try verify(try sample.snapshot(canonical) == sample.snapshot(sample.view), "\(canonical) has other content")
        }
        let all: [(View, View)] = [
            (View(), View(sections: [.favoriteJokes, .jokes, .searchResults])),
            (View(), View(sections: [.jokes, .favoriteJokes])),
            (View(sections: [.favoriteJokes]), View(query: "a", sections: [.favoriteJokes, .jokes], size: 3)),
            (View(query: "a", sections: [.favoriteJokes], start: 2), View(sections: [.favoriteJokes])),
            (View(query: "a"), View(query: "a", sections: [.favoriteJokes, .searchResults])),
        ]
        for (one, other) in all { #expect(one.canonical == other.canonical) }
        #expect(View(query: "a").canonical != View(query: "a ").canonical)
        #expect(View(query: "a", size: 3).canonical != View(query: "a", size: 4).canonical)
    }

    @Test("the header of a search shows the query as clean text")
    func cleanQuery() throws {
        let snapshot = try Catalog().snapshot(for: View(query: "du\u{1B}[31mck\u{7}\n"))
        #expect(snapshot.sections == [.searchResults(query: "duck", count: 0, isExact: true)])
    }
}

extension Section {
    /// The number of jokes before the first row; 0 for favorites.
    fileprivate var start: Int {
        switch self {
        case .jokes(let header): header.start
        case .searchResults(_, _, _, let start): start
        case .favoriteJokes, .unknown: 0
        }
    }
}
