import Diffable
import JokesCore
import TestSupport
import Testing

@Suite struct CatalogTests {
    @Test("an empty cache shows only the header of the jokes")
    func empty() throws {
        let snapshot = try Catalog().snapshot()
        #expect(snapshot.sections == [.jokes(JokesHeader())])
        #expect(snapshot.numberOfItems == 0)
    }

    @Test("during a sync, placeholders come before the cached jokes")
    func placeholders() throws {
        var catalog = Catalog(settings: FeedSettings(size: 3, placeholders: 2))
        (catalog.newest, catalog.shown) = ((0..<5).map(joke), 5)
        catalog.syncing = ["slow", "other"]
        #expect(
            try catalog.snapshot().itemIdentifiers
                == [.loading(0), .loading(1)] + (0..<3).map { .joke(joke($0).id) })
        catalog.syncing = ["slow"]
        let during = try catalog.snapshot()
        catalog.syncing = []
        (catalog.failing, catalog.isOffline) = (["slow"], true)
        let after = try catalog.snapshot()
        #expect(during.itemIdentifiers.prefix(2) == [.loading(0), .loading(1)])
        #expect(after.itemIdentifiers == (0..<3).map { .joke(joke($0).id) })
        #expect(after.sections == [.jokes(JokesHeader(shown: 5, isOffline: true, failing: ["slow"]))])
    }

    @Test("a recovery is in the header until it is acknowledged, and changes no row")
    func recovered() throws {
        var catalog = Catalog()
        (catalog.newest, catalog.shown) = ([joke(1)], 1)
        let before = try catalog.snapshot()
        catalog.isRecovered = true
        #expect(try catalog.snapshot().sections == [.jokes(JokesHeader(shown: 1, isRecovered: true))])
        #expect(try catalog.snapshot().itemIdentifiers == before.itemIdentifiers)
        catalog.isRecovered = false
        #expect(try catalog.snapshot() == before)
    }

    @Test("the placeholders keep their identity during a sync")
    func placeholdersAreStable() throws {
        var catalog = Catalog()
        catalog.syncing = ["slow"]
        let before = try catalog.snapshot()
        (catalog.newest, catalog.shown) = ([joke(1)], 1)
        let difference = try SnapshotDifference(from: before, to: try catalog.snapshot())
        #expect(difference.items.deleted.isEmpty && difference.items.moved.isEmpty)
        #expect(difference.items.inserted.map(\.element.id) == [.joke(joke(1).id)])
    }

    @Test("favorites come before the jokes, and another favorite updates their header")
    func favorites() throws {
        var catalog = Catalog()
        (catalog.newest, catalog.shown) = ([joke(1), joke(2)], 2)
        try catalog.setFavorites([favorite(1)])
        let one = try catalog.snapshot()
        #expect(one.sections.first == .favoriteJokes(count: 1))
        #expect(one.itemIdentifiers == [.favorite(joke(1).id), .joke(joke(1).id), .joke(joke(2).id)])
        try catalog.setFavorites([favorite(2), favorite(1)])
        let difference = try SnapshotDifference(from: one, to: try catalog.snapshot())
        #expect(difference.sections.updated.map(\.after) == [.favoriteJokes(count: 2)])
        #expect(difference.sections.inserted.isEmpty && difference.sections.deleted.isEmpty)
        try catalog.setFavorites([])
        #expect(try catalog.snapshot().sectionIdentifiers == [.jokes])
    }

    @Test("single favorites give the same section as all favorites at once")
    func marks() throws {
        try checkProperty("marks", cases: 300, maxSize: 30) { random, size in
            (0..<size).map { _ in (number: random.int(in: 0..<8), isStar: random.chance(2, in: 3)) }
        } property: { marks in
            var (one, all) = (Catalog(), Catalog())
            var favorites: [Favorite] = []
            for (number, isStar) in marks {
                let known = favorites.contains { $0.id == favorite(number).id }
                if isStar && !known { favorites.insert(favorite(number), at: 0) }
                if !isStar { favorites.removeAll { $0.id == favorite(number).id } }
                if isStar { try one.put(favorite(number)) } else { try one.removeFavorite(favorite(number).id) }
                try all.setFavorites(favorites)
                try verify(try one.snapshot() == all.snapshot(), "another snapshot after \(number), \(isStar)")
            }
        }
    }
}

/// Returns a joke with the number in its ID, text and time.
func joke(_ number: Int) -> Joke {
    Joke(
        id: JokeID(source: "test", upstream: "\(number)"),
        content: JokeContent(text: .single("Joke number \(number).")), isFavorite: false,
        firstSeen: Timestamp(microseconds: Int64(number)))
}

func favorite(_ number: Int) -> Favorite {
    Favorite(id: joke(number).id, content: joke(number).content, favoritedAt: Timestamp(microseconds: 1))
}
