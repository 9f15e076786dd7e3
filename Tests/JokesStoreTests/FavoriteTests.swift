import JokesCore
import JokesStore
import TestSupport
import Testing

@Suite struct FavoriteTests {
    let fixture: Fixture
    let store: JokeStore
    let reader: JokeReader

    init() throws {
        fixture = try Fixture()
        store = try fixture.open()
        reader = try JokeReader(of: store)
        try store.take([joke("a", "1", "One small duck."), joke("a", "2", "Two ducks.", "Quack.")])
        try store.take([joke("b", "1", "ONE small duck!")], from: "b")
    }

    private func isStarred(_ id: String) throws -> Bool? {
        try reader.joke(JokeID(rawValue: id))?.joke.isStarred
    }

    @Test("a favorite has the joke's text and its time; starring it again changes nothing")
    func star() throws {
        let favorite = try store.star("a:2", hours: 1)
        #expect(favorite.id.rawValue == "a:2")
        #expect(favorite.content.text == .twoPart(setup: "Two ducks.", punchline: "Quack."))
        #expect(favorite.favoritedAt == Fixture.noon.advanced(by: .seconds(3600)))
        #expect(try store.star("a:2", hours: 2) == favorite)
        #expect(try reader.favorites() == [favorite])
    }

    @Test("the star shows on every telling of a joke, and goes from all of them")
    func group() throws {
        let favorite = try store.star("b:1")
        #expect(try isStarred("a:1") == true)
        #expect(try isStarred("b:1") == true)
        #expect(try isStarred("a:2") == false)
        #expect(try reader.list(limit: 9).rows.map(\.isStarred) == [false, true])
        #expect(try store.star("a:1", hours: 1) == favorite)
        #expect(try store.unstar("a:1") == favorite)
        #expect(try isStarred("b:1") == false)
        #expect(try store.unstar("b:1") == nil)
        #expect(try reader.favorites() == [])
    }

    @Test("an id that names nothing can be neither starred nor unstarred")
    func unknown() throws {
        for call in [{ _ = try store.star("a:9") }, { _ = try store.unstar("a:9") }] {
            let error = #expect(throws: StoreError.self) { try call() }
            #expect(error?.code == .noSuchJoke)
            #expect(error?.reason == "no joke has the ID 'a:9'")
        }
        #expect(try reader.favorites() == [])
    }

    @Test("favorites are listed newest first, in pages")
    func order() throws {
        try store.take(jokes(10..<20))
        // Of those with equal times, the last one comes first.
        for number in 10..<20 { try store.star("a:\(number)", hours: number / 2) }
        try store.unstar("a:15")
        try store.star("a:15", hours: 20)
        let ids = (10..<20).reversed().filter { $0 != 15 }.map { "a:\($0)" }
        #expect(try reader.favoriteIDs() == ["a:15"] + ids)
        let first = try reader.favorites(limit: 4)
        let second = try reader.favorites(after: first.next, limit: 4)
        let third = try reader.favorites(after: second.next, limit: 4)
        #expect((first.rows + second.rows + third.rows).map(\.id.rawValue) == ["a:15"] + ids)
        #expect(third.next == nil)
        #expect(third.total == 10)
    }

    @Test("if a source edits the joke of a favorite, the favorite keeps its ID, and the joke gets one from its text")
    func edit() throws {
        let favorite = try store.star("a:2")
        let others = try [joke("a", "1", "One small duck.")]
        let edited = try joke("a", "2", "Two geese.")
        let editedID = JokeID(source: "a", fingerprint: edited.fingerprint)
        #expect(try store.take(others + [edited], part: .whole) == IngestReport(new: 1, unchanged: 1, missing: 1))
        #expect(try store.take(others + [edited], part: .whole) == IngestReport(unchanged: 2))
        #expect(try reader.favorites() == [favorite])
        #expect(try reader.ids(withPrefix: "a:", limit: 9).map(\.rawValue) == ["a:1", "a:2", editedID.rawValue])
        let old = try #require(try reader.joke(favorite.id))
        #expect(old.joke.content == favorite.content && old.joke.isStarred && old.missingSince != nil)
        let new = try #require(try reader.joke(editedID))
        #expect(new.joke.content == edited.content && !new.joke.isStarred && new.missingSince == nil)

        #expect(try store.star(editedID.rawValue, hours: 1).id == editedID)
        #expect(try reader.favoriteIDs() == [editedID.rawValue, "a:2"])
        #expect(try store.unstar("a:2") == favorite)
        #expect(
            try store.take(others + [edited], part: .whole) == IngestReport(changed: 1, unchanged: 1, missing: 1))
        let back = try #require(try reader.joke(favorite.id))
        #expect(back.joke.content == edited.content && back.joke.isStarred && back.duplicates == [editedID])
        #expect(try reader.favoriteIDs() == [editedID.rawValue])
    }

    @Test("if the source of a favorite takes an edit back, the joke has the ID of the favorite again")
    func editTakenBack() throws {
        let favorite = try store.star("a:2")
        let edited = try joke("a", "2", "Two geese.")
        try store.take([edited], part: .whole)
        #expect(try store.take([joke("a", "2", "Two ducks.", "Quack.")], part: .whole).missing == 1)
        #expect(try reader.joke(favorite.id)?.missingSince == nil)
        #expect(try reader.favorites() == [favorite])
    }

    @Test("random draws of an edited joke neither change its favorite nor store the joke twice")
    func drawnEdit() throws {
        let favorite = try store.star("a:2")
        let edited = try joke("a", "2", "Two geese.")
        #expect(try store.take([edited, edited]) == IngestReport(new: 1, duplicates: 1))
        #expect(try store.take([edited]) == IngestReport(unchanged: 1))
        #expect(try reader.favorites() == [favorite])
        #expect(try reader.joke(favorite.id)?.joke.content == favorite.content)
    }

    @Test("an edit that leaves the fingerprint alone leaves the star and the copy alone")
    func smallEdit() throws {
        let favorite = try store.star("a:2")
        #expect(try store.take([joke("a", "2", "Two ducks!", "Quack!")]).changed == 1)
        #expect(try isStarred("a:2") == true)
        #expect(try reader.favorites() == [favorite])
    }

    @Test("a favorite whose joke is gone can be looked up, found by a prefix and unstarred")
    func orphan() throws {
        let favorite = try store.star("a:2")
        _ = try store.assumeIsolated { store in try store.forget("a", at: Fixture.noon) }
        let found = try #require(try reader.joke(favorite.id))
        let kept = Joke(id: favorite.id, content: favorite.content, isStarred: true, firstSeen: Fixture.noon)
        #expect(found.joke == kept)
        try store.take([joke("a", "2", "Two geese.")])
        #expect(try reader.joke(favorite.id) == found)
        #expect(try reader.ids(withPrefix: "a:2", limit: 9) == [favorite.id])
        try store.unstar("a:2")
        #expect(try reader.joke(favorite.id) == nil)
    }

    @Test("a missing joke keeps its star")
    func missing() throws {
        try store.star("a:2")
        try store.take([], part: .whole)
        #expect(try isStarred("a:2") == true)
        #expect(try reader.favoriteIDs() == ["a:2"])
    }

    private func note(_ id: String, _ note: String?) throws -> String? {
        try store.star(id, note: note).note
    }

    @Test("a note stays until another comes, on whichever telling; an empty one removes it")
    func notes() throws {
        #expect(try note("a:1", nil) == nil)
        #expect(try note("a:1", "mine") == "mine")
        #expect(try note("b:1", nil) == "mine")
        #expect(try note("b:1", "another") == "another")
        #expect(try reader.favorites().map(\.note) == ["another"])
        #expect(try note("a:1", "") == nil)
    }

    @Test("where another telling takes the place of a favorite that the filters leave out, the note stays")
    func noteOfLeftOut() throws {
        try store.take([joke("c", "1", "One small DUCK.", safety: .unknown)], from: "c")
        #expect(try note("c:1", "mine") == "mine")
        try store.assumeIsolated { store in
            try store.adopt(ShowingRules(sourceOrder: ["a"], filter: JokeFilter(safe: true)))
        }
        #expect(try reader.favorites() == [])
        #expect(try note("a:1", nil) == "mine")
        #expect(try reader.favoriteIDs() == ["a:1"])
    }
}
