import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing
import Unix

/// Starts with an existing database, also of another program or version.
@Suite struct OpeningTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    @Test("opening a store again with the same rules writes nothing")
    func reopening() throws {
        try fixture.open().ingest(jokes(0..<20))
        let store = try fixture.open()
        #expect(fixture.walSize == 0)
        #expect(try JokeReader(of: store).shownIDs().count == 20)
    }

    @Test("a database of another program is renamed but not changed, and every favorite is kept", arguments: [0, 99])
    func foreignDatabase(application: Int) throws {
        let original = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try original.makeFixture { $0["jokes.sqlite"] = nil }
        try Connection(path: fixture.databasePath, .init(access: .writing))
            .execute("CREATE TABLE other (id INTEGER); PRAGMA application_id = \(application)")
        let bytes = try fixture.contents()["jokes.sqlite"]
        let store = try fixture.open()
        try original.checkAllKept(by: store)
        let renamed = try #require(store.recovery?.damagedFile)
        #expect(renamed.hasPrefix("\(fixture.path)/jokes-foreign-"))
        #expect(try contentsOfFile(renamed, limit: 1 << 20) == bytes)
    }

    @Test("a full-text index with the words of an earlier version is made again")
    func earlierWords() throws {
        try fixture.open().ingest([joke("a", "1", "I don't know."), joke("a", "2", "Not I.")])
        try Connection(path: fixture.databasePath, .init(access: .writing), tokenizer: Schema.tokenizer).execute(
            """
            DROP TABLE shown_words;
            CREATE VIRTUAL TABLE shown_words
                USING fts5 (setup, punchline, content = 'shown_jokes', content_rowid = 'key', tokenize = 'unicode61');
            INSERT INTO shown_words (shown_words) VALUES ('rebuild');
            PRAGMA user_version = 1;
            """)
        let store = try fixture.open()
        #expect(store.recovery == nil)
        #expect(try JokeReader(of: store).search("dont", limit: 9).rows.map(\.joke.id.rawValue) == ["a:1"])
        try checkDatabase(fixture.databasePath)
    }

    @Test("a database of an unreleased version is renamed, and its favorites and hidden marks are kept")
    func unreleasedDatabase() throws {
        let original = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try original.makeFixture { $0[Journal.fileName] = nil }
        // Version 8 had another application ID and other tables.
        try Connection(path: fixture.databasePath, .init(access: .writing))
            .execute("PRAGMA application_id = 1785686885; PRAGMA user_version = 8; DROP TABLE shown_categories")
        let store = try fixture.open()
        try original.checkAllKept(by: store)
        #expect(store.recovery?.damagedFile.hasPrefix("\(fixture.path)/jokes-foreign-") == true)
    }
}
