import JokesCore
import TestSupport
import Testing

@testable import JokesStore

/// Completions of a word that a user types.
@Suite struct CompletionTests {
    @Test("IDs of shown, favorite and hidden jokes are completed; too many IDs to their sources, or to what all share")
    func completedIDs() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let reader = try JokeReader(of: store)
        try store.ingest(try jokes(0..<30), from: "a")
        try store.ingest(
            [joke("b", "x-1", "Why did duck a3 cross?", "Side 3."), joke("b", "x-2", "A goose.")], from: "b")
        #expect(try reader.completions(ofIDs: .shown, "", limit: 40).count == 31)
        #expect(try reader.completions(ofIDs: .shown, "", limit: 9) == ["a:", "b:"])
        #expect(try reader.completions(ofIDs: .shown, "a", limit: 10) == ["a:"])
        #expect(try reader.completions(ofIDs: .shown, "a:", limit: 10) == [])
        #expect(try reader.completions(ofIDs: .shown, "a:2", limit: 11) == ["a:2"] + (20...29).map { "a:\($0)" })
        #expect(try reader.completions(ofIDs: .shown, "", limit: 2) == ["a:", "b:"])
        #expect(try reader.completions(ofIDs: .shown, "", limit: 1) == [])
        try store.ingest([joke("c", "tag-1", "A swan."), joke("c", "tag-2", "A heron.")], from: "c")
        #expect(try reader.completions(ofIDs: .shown, "c:", limit: 1) == ["c:tag-"])
        // The joke b:x-1 is not shown: its duplicate a:3 is.
        #expect(try reader.completions(ofIDs: .shown, "b:x-", limit: 10) == ["b:x-2"])
        #expect(try reader.completions(ofIDs: .shown, "d", limit: 10) == [])
        #expect(try reader.completions(ofIDs: .favorites, "", limit: 10) == [])
        try store.favorite("a:7")
        #expect(try reader.completions(ofIDs: .favorites, "a", limit: 10) == ["a:7"])
        #expect(try reader.completions(ofIDs: .hidden, "", limit: 10) == [])
        for id in ["a:12", "a:3"] { try store.hide(id) }
        #expect(try reader.completions(ofIDs: .hidden, "", limit: 10) == ["a:12", "a:3", "b:x-1"])
        #expect(try reader.completions(ofIDs: .hidden, "a:1", limit: 10) == ["a:12"])
        #expect(try reader.completions(ofIDs: .shown, "a:12", limit: 10) == [])
    }

    @Test("categories and languages of shown jokes are completed, in any case")
    func completedCategoriesAndLanguages() throws {
        let fixture = try Fixture()
        let store = try fixture.open(
            rules: DisplayRules(sourceOrder: ["a"], filter: JokeFilter(safe: false, languages: ["en", "de", "pt"])))
        let reader = try JokeReader(of: store)
        try store.ingest([
            joke("a", "2", "Two.", categories: ["programming"]),
            joke("a", "1", "One.", categories: ["Programming", "Pun"]),
            joke("a", "3", "Three.", categories: ["Misc"], language: "pt-BR"),
            joke("a", "4", "Vier.", categories: ["Spott"], language: "fr"),
        ])
        #expect(try reader.categories(beginningWith: "", limit: 9) == ["Misc", "Programming", "Pun"])
        #expect(try reader.categories(beginningWith: "p", limit: 9) == ["Programming", "Pun"])
        #expect(try reader.categories(beginningWith: "P", limit: 1) == ["Programming"])
        #expect(try reader.categories(beginningWith: "Sp", limit: 9) == [])
        #expect(try reader.languages(beginningWith: "", limit: 9) == ["en", "pt-br"])
        #expect(try reader.languages(beginningWith: "PT", limit: 9) == ["pt-br"])
    }
}
