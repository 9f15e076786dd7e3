import Glibc
import JokesCore
import JokesExchange
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
        try Connection(path: fixture.databasePath, access: .writing)
            .execute("CREATE TABLE other (id INTEGER); PRAGMA application_id = \(application)")
        let bytes = try fixture.contents()["jokes.sqlite"]
        let store = try fixture.open()
        try original.checkAllKept(by: store)
        let renamed = try #require(store.recovery?.damagedFile)
        #expect(renamed.hasPrefix("\(fixture.path)/jokes-foreign-"))
        #expect(try contentsOfFile(renamed, limit: 1 << 20) == bytes)
    }

    @Test("a journal with a change of a newer version is refused and not changed, with and without the database")
    func newerJournal() throws {
        let line = #"{"seq":2,"at":1,"op":"rate","fingerprint":"00""#
        let sum = SHA256.shortDigest(of: Array(line.utf8), byteCount: 4)
        #expect(!JournalContents(Array("\nx\n".utf8)).hasNewerChanges, "damaged lines are not newer")
        for keepsDatabase in [true, false] {
            let fixture = try Fixture()
            try fixture.open().ingest([joke("a", "1", "A goose.")])
            try fixture.open().hide("a:1")
            let journal =
                try #require(fixture.contents()[Journal.fileName]) + Array("\(line),\"sum\":\"\(sum)\"}\n".utf8)
            try fixture.write(journal, to: Journal.fileName)
            if !keepsDatabase { unlink(fixture.databasePath) }
            let error = #expect(throws: StoreError.self) { try fixture.open() }
            #expect(error?.code == .newerSchema)
            #expect(try fixture.contents()[Journal.fileName] == journal)
        }
    }

    @Test("a database of an unreleased version is renamed, and its favorites and hidden marks are kept")
    func unreleasedDatabase() throws {
        let original = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try original.makeFixture { $0[Journal.fileName] = nil }
        // Version 8 had another application ID and other tables.
        try Connection(path: fixture.databasePath, access: .writing)
            .execute("PRAGMA application_id = 1785686885; PRAGMA user_version = 8; DROP TABLE shown_categories")
        let store = try fixture.open()
        try original.checkAllKept(by: store)
        #expect(store.recovery?.damagedFile.hasPrefix("\(fixture.path)/jokes-foreign-") == true)
    }
}
