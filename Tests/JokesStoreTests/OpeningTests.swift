import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing
import Unix

@Suite struct OpeningTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    @Test("opening a store again with the same rules writes nothing")
    func openingWritesNothing() throws {
        try fixture.open().take(jokes(0..<20))
        let store = try fixture.open()
        #expect(fixture.logSize == 0)
        #expect(try JokeReader(of: store).shownIDs().count == 20)
    }

    @Test("a database of another program is moved aside unchanged, and every favorite is kept", arguments: [0, 99])
    func foreignDatabase(application: Int) throws {
        let whole = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try whole.fixture { $0["jokes.sqlite"] = nil }
        try Connection(path: fixture.databasePath, .init(access: .writing))
            .execute("CREATE TABLE theirs (id INTEGER); PRAGMA application_id = \(application)")
        let bytes = try fixture.contents()["jokes.sqlite"]
        let store = try fixture.open()
        try whole.holdAll(store)
        let aside = try #require(store.recovery?.damagedFile)
        #expect(aside.hasPrefix("\(fixture.path)/jokes-foreign-"))
        #expect(try contentsOfFile(aside, limit: 1 << 20) == bytes)
    }

    @Test("a database of an unreleased version is moved aside, and its favorites and hidden marks are kept")
    func unreleasedDatabase() throws {
        let whole = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try whole.fixture { $0[Journal.fileName] = nil }
        // Version 8 had another application ID and other tables.
        try Connection(path: fixture.databasePath, .init(access: .writing))
            .execute("PRAGMA application_id = 1785686885; PRAGMA user_version = 8; DROP TABLE shown_categories")
        let store = try fixture.open()
        try whole.holdAll(store)
        #expect(store.recovery?.damagedFile.hasPrefix("\(fixture.path)/jokes-foreign-") == true)
    }

    @Test("the time that a change waits in the queue counts toward the lock timeout")
    func lockedWhileQueued() throws {
        let anHour = Duration.seconds(3600)
        let store = try fixture.open(lockTimeout: anHour)
        try store.take(jokes(0..<3))
        func star(asked: BootInstant) throws -> Bool {
            try store.assumeIsolated { store in
                try store.change(requestedAt: asked) { _ = try $0.favorite(JokeID(rawValue: "a:1"), at: Fixture.noon) }
                    .hasWritten
            }
        }
        let outsider = try Connection(path: fixture.databasePath, .init(access: .writing))
        try outsider.write { () throws in
            let error = #expect(throws: StoreError.self) { try star(asked: .now.advanced(by: .zero - anHour)) }
            #expect(error?.code == .busy)
        }
        #expect(try star(asked: .now))
        // It is there already.
        #expect(try !star(asked: .now))
    }
}
